import { FloodError } from './message-lines.ts'
import { upstreamLimits } from './spec.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * Reads no more of an answer than a message may have. The long stream of a session has no end, so
 * that there the bound holds for each second.
 */
export function boundedFetch(inner: Fetch, max: number = upstreamLimits.messageBytes): Fetch {
  return async (url, init) => {
    const response = await inner(url, init)
    if (response.body === null || saysItFits(response, max)) return response
    const limit = init?.method === 'GET' ? perSecond(max) : inAll(max)
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (limit(chunk.length)) controller.enqueue(chunk)
          else controller.error(new FloodError('an answer is too large'))
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}

/** HTTP itself reads no more than an answer has announced, so that it needs no second count. */
function saysItFits({ headers }: Response, max: number): boolean {
  const length = headers.get('content-length')
  // What is unpacked on the way may be any number of times as long.
  return length !== null && !headers.has('content-encoding') && Number(length) <= max
}

function inAll(max: number): (bytes: number) => boolean {
  let seen = 0
  return (bytes) => {
    seen += bytes
    return seen <= max
  }
}

function perSecond(max: number): (bytes: number) => boolean {
  let second = 0
  let seen = 0
  return (bytes) => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      seen = 0
    }
    seen += bytes
    return seen <= max
  }
}
