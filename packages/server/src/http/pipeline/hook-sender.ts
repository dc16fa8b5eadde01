import type { Caller } from '../../base/caller.ts'
import type { HttpRequest } from '../../base/http-request.ts'
import {
  type HookSignature,
  isSigned,
  macHeader,
  readSignature,
  type SignedRequest,
  signAnswer,
} from '../auth/hook-signature.ts'
import { identify, identityOf } from './identify.ts'
import type { PublicCall } from './route.ts'

/** Who sends a client hook, and how it will know our answer. */
export interface HookSender {
  /** Nobody, when the key does not count or cannot be looked up: both are denials. */
  readonly caller: Caller | undefined
  /** By these the hook knows that it was us who answered. */
  headersOf(answer: string): Readonly<Record<string, string>>
}

type HookRequest = Pick<PublicCall<unknown, unknown>, 'server' | 'request'>

const nobody = { caller: undefined }

/** `text` is the body; undefined when it could not be read. */
export async function hookSender(call: HookRequest, text: string | undefined): Promise<HookSender> {
  try {
    const signature = readSignature(call.request.headers.get('authorization'))
    if (signature !== undefined) return await signedSender(call, signature, text)
    return await plainSender(call)
  } catch (fault) {
    call.server.log.error({ err: fault }, 'the token of a client hook could not be looked up')
    return { ...nobody, headersOf: () => ({}) }
  }
}

async function signedSender(
  { server: { auth, runtime }, request }: HookRequest,
  signature: HookSignature,
  text: string | undefined,
): Promise<HookSender> {
  await runtime.rules.confirm()
  const token = await auth.tokens.findHookKey(signature.keyId)
  const refused = (): string | undefined => {
    if (token === undefined) return 'unknown_key'
    const signedRequest = text === undefined ? undefined : signedPart(request, text)
    if (signedRequest === undefined || !isSigned(token.hash, signature, signedRequest))
      return 'changed'
    return auth.seenRequests.refuse(signature)
  }
  const reason = refused()
  // Anyone who is not known gets nothing signed: not even a denial, which to others may be a yes.
  if (token === undefined || reason !== undefined) {
    return { ...nobody, headersOf: () => ({ 'statewright-refused': reason ?? 'unknown_key' }) }
  }
  return {
    caller: identityOf(token, 'signature').caller,
    headersOf: (answer) => ({ [macHeader]: signAnswer(token.hash, signature, answer) }),
  }
}

function signedPart({ url, headers }: HttpRequest, text: string): SignedRequest {
  const process = headers.get('statewright-process') ?? ''
  const gateway = headers.get('statewright-gateway') ?? ''
  const home = headers.get('statewright-home') ?? undefined
  return { path: new URL(url).pathname, process, gateway, home, text }
}

/** As hooks were sent by older versions: with the token itself. */
async function plainSender({ server, request }: HookRequest): Promise<HookSender> {
  const identity = await identify(server, request.headers)
  // What an agent is given is for the MCP server alone; its client's hooks have a key of their
  // own. Else it could announce sessions and calls that its client never had.
  const caller = identity?.caller.kind === 'agent' ? undefined : identity?.caller
  return { caller, headersOf: () => ({}) }
}
