import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@statewright/core/internal'
import type { HttpRequest } from '../../base/http-request.ts'
import { webRequest } from '../../base/http-request.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { badBody } from './json-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The body as text, never holding more of it than the limit. */
export async function readBody(
  request: HttpRequest,
  incoming: IncomingMessage | undefined,
  maxBytes: number,
): Promise<Result<string, RuntimeProblem>> {
  const claimed = Number(request.headers.get('content-length') ?? 0)
  if (claimed > maxBytes) return err(tooLarge(maxBytes))
  const bytes =
    incoming === undefined
      ? await fromWeb(webRequest(request), maxBytes)
      : await fromNode(incoming, maxBytes)
  if (bytes === 'too_large') return err(tooLarge(maxBytes))
  if (bytes === 'broken') return err(badBody('', 'The body ended before it was complete.'))
  try {
    return ok(decoder.decode(bytes))
  } catch {
    return err(badBody('', 'The body is not UTF-8.'))
  }
}

function tooLarge(maxBytes: number): RuntimeProblem {
  return problem('body_too_large', `The body has more than ${maxBytes} bytes.`, {
    where: 'body',
    next: 'send less.',
  })
}

type BodyResult = Uint8Array | 'too_large' | 'broken'

/** Straight from Node's stream: a web stream around it would cost more than the decision. */
function fromNode(incoming: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) settle('too_large')
      else chunks.push(chunk)
    }
    const onEnd = () =>
      settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    const onBroken = () => settle('broken')
    const settle = (read: BodyResult) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      if (read === 'too_large') incoming.pause()
      // An error after we stopped listening would otherwise end the server.
      incoming.on('error', () => {})
      resolve(read)
    }
    if (incoming.readableEnded || incoming.destroyed)
      return settle(incoming.complete ? Buffer.alloc(0) : 'broken')
    incoming.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

async function fromWeb(request: Request, maxBytes: number): Promise<BodyResult> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.length
    if (bytes > maxBytes) return 'too_large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
