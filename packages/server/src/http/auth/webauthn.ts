import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import {
  CredentialCreation,
  CredentialRequest,
  type NewCredential,
  type UsedCredential,
} from '@statewright/core/wire'
import { challengeMs } from './challenges.ts'
import type { Passkey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** What every authenticator speaks. Asking Node for newer ones prints warnings at its terminal. */
const algorithms = { edDsa: -8, es256: -7, rs256: -257 } as const
const supportedAlgorithmIDs = Object.values(algorithms)

/** What a browser is asked, to make a passkey that the person does not have yet. */
export async function askForNew(options: {
  readonly person: string
  readonly party: RelyingParty
  readonly present: readonly Passkey[]
}): Promise<CredentialCreation> {
  // Each gets a user id by chance: servers on other ports of this machine share `localhost`, and an
  // authenticator keeps one passkey for each id.
  const request = await generateRegistrationOptions({
    rpName: 'Statewright',
    rpID: options.party.id,
    userName: options.person,
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: options.present.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs,
  })
  return CredentialCreation.parse(request)
}

/** What a browser is asked, to use one of these passkeys. */
export async function askForUse(
  party: RelyingParty,
  passkeys: readonly Passkey[],
): Promise<CredentialRequest> {
  const request = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: challengeMs,
    allowCredentials: passkeys.map(described),
    userVerification: 'required',
  })
  return CredentialRequest.parse(request)
}

/** What an answer must agree with. */
export interface Expected {
  readonly party: RelyingParty
  /** Uses the challenge up; false where it is none of ours. */
  readonly takeChallenge: (challenge: string) => boolean
}

/** The passkey in an answer; throws, or gives undefined, where it does not count. */
export async function readNew(
  credential: NewCredential,
  expected: Expected,
): Promise<Omit<Passkey, 'name' | 'createdAt' | 'usedAt'> | undefined> {
  const { clientDataJSON, attestationObject, transports = [] } = credential.response
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...withoutMore(credential), response: { clientDataJSON, attestationObject } },
    ...compared(expected),
    supportedAlgorithmIDs,
  })
  if (!verified) return undefined
  const { credential: made, credentialBackedUp } = registrationInfo
  return {
    id: made.id,
    host: expected.party.id,
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: transports.filter(isTransport),
    isBackedUp: credentialBackedUp,
  }
}

/** What a passkey says of itself in an answer that it signed; otherwise as above. */
export async function readUse(
  passkey: Passkey,
  credential: UsedCredential,
  expected: Expected,
): Promise<Pick<Passkey, 'counter' | 'isBackedUp'> | undefined> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...withoutMore(credential), response: credential.response },
    ...compared(expected),
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  })
  if (!verified) return undefined
  const { newCounter, credentialBackedUp } = authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}

function compared({ party, takeChallenge }: Expected) {
  return {
    expectedChallenge: takeChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }
}

/** What the library reads; whatever else a browser sends stays outside. */
function withoutMore({ id, rawId }: Pick<UsedCredential, 'id' | 'rawId'>) {
  return { id, rawId, type: 'public-key', clientExtensionResults: {} } as const
}

function described({ id, transports }: Passkey) {
  return { id, transports: transports.filter(isTransport) }
}

const known: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

function isTransport(word: string): word is AuthenticatorTransport {
  return known.some((one) => one === word)
}
