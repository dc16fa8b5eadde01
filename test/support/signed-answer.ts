import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { signingKey } from '../../packages/server/src/clients/server-key.ts'
import {
  isSigned,
  readSignature,
  signAnswer,
} from '../../packages/server/src/http/auth/hook-signature.ts'

/** Answers a signed hook as a server would that has its key. */
export function answerSigned(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  text: string,
): void {
  const signature = readSignature(request.headers.authorization ?? null)
  if (signature === undefined) throw new Error('the hook has not signed')
  response.setHeader('statewright-mac', signAnswer(signingKey(token), signature, text)).end(text)
}

/** Whether a hook came as whoever has the key has sent it. */
export function isSignedHook({ headers, url }: IncomingMessage, token: string, text: string) {
  const signature = readSignature(headers.authorization ?? null)
  const process = String(headers['statewright-process'] ?? '')
  const gateway = String(headers['statewright-gateway'] ?? '')
  const home = headers['statewright-home']
  const signedRequest = { path: url ?? '', process, gateway, home: home?.toString(), text }
  return signature !== undefined && isSigned(signingKey(token), signature, signedRequest)
}

// As it is written there.
const { signRequest } = createRequire(import.meta.url)(
  '../../packages/server/bin/project-key.cjs',
) as {
  signRequest(token: string, about: readonly string[], body: Buffer): { header: string }
}

/** As whoever has the secret signs a request that says nothing of its sender. */
export function signedHeader(secret: string, path: string, text: string): string {
  return signRequest(secret, [path, '', ''], Buffer.from(text)).header
}
