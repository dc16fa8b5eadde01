import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What the authenticator says of the person and of itself. */
export interface Signs {
  readonly isVerified?: boolean
  /** Goes up by itself when left out. */
  readonly counter?: number
}

interface Options {
  readonly challenge: string
}

const userPresent = 0x01
const userVerified = 0x04
const hasKey = 0x40

/** A security key in software, which signs whatever page it is told to be on. */
export class TestAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #host: string
  readonly #privateKey: KeyObject
  readonly #point: { readonly x: Buffer; readonly y: Buffer }
  #counter = 0

  constructor(host = 'localhost') {
    this.#host = host
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  create({ challenge }: Options, origin: string, signs: Signs = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const data = Buffer.concat([
      this.#data(hasKey, signs),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.#publicKey(),
    ])
    // A map of three in CBOR: which attestation, nothing of it, and the data.
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    })
  }

  use({ challenge }: Options, origin: string, signs: Signs = {}) {
    const data = this.#data(0, signs)
    const client = clientData('webauthn.get', challenge, origin)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#privateKey)
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential<Response>(response: Response) {
    const { id } = this
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response }
  }

  #data(flags: number, { isVerified = true, counter }: Signs): Buffer {
    this.#counter = counter ?? this.#counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#counter)
    const output = flags | userPresent | (isVerified ? userVerified : 0)
    return Buffer.concat([sha256(Buffer.from(this.#host)), Buffer.from([output]), count])
  }

  /** A map of five in CBOR: an elliptic curve, ES256, P-256 and the point. */
  #publicKey(): Buffer {
    const { x, y } = this.#point
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20])
    return Buffer.concat([head, x, Buffer.from([0x22, 0x58, 0x20]), y])
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
