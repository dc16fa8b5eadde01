import { connect, type Socket } from 'node:net'

export interface LightCaller {
  /** The whole request, as it goes over the wire. */
  readonly request: Buffer
  readonly url: string
}

/** Read into by all connections, one after the other: what comes is looked at before the next. */
const shared = Buffer.alloc(64 * 1024)
const head = Buffer.from('HTTP/1.1 200 OK\r\n')
const allowed = Buffer.from('"decision":"allow"')
const blankLine = Buffer.from('\r\n\r\n')
const lengthName = Buffer.from('content-length: ')

/**
 * Callers that each ask one question after the other on a connection of their own, for some time;
 * answers how many were answered. They share two cores with what is measured, and `pgbench` beside
 * them is a small program: Node's HTTP client would take a quarter of the machine. So a request is
 * bytes that are made once, and of an answer the status, the length and the decision are read.
 */
export async function askInTurn(callers: readonly LightCaller[], ms: number): Promise<number> {
  const until = performance.now() + ms
  const counts = await Promise.all(callers.map((caller) => ask(caller, until)))
  return counts.reduce((sum, count) => sum + count, 0)
}

function ask({ url, request }: LightCaller, until: number): Promise<number> {
  const { hostname: host, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let count = 0
  let pending: Buffer | undefined
  const onRead = (bytes: number, buffer: Uint8Array): boolean => {
    const read = Buffer.from(buffer.buffer, buffer.byteOffset, bytes)
    const answer = pending === undefined ? read : Buffer.concat([pending, read])
    if (isWhole(answer)) {
      pending = undefined
      if (!isAllowed(answer)) {
        socket.destroy(new Error(`the check was answered with ${answer.subarray(0, 600)}`))
        return false
      }
      count += 1
      if (performance.now() < until) socket.write(request)
      else socket.end()
    } else {
      pending = Buffer.from(answer)
    }
    return true
  }
  const onread = { buffer: shared, callback: onRead }
  const socket: Socket = connect({ host, port: Number(port), noDelay: true, onread })
  socket.once('connect', () => socket.write(request))
  socket.once('error', reject)
  socket.once('close', () => resolve(count))
  return promise
}

function isWhole(answer: Buffer): boolean {
  const bodyAt = answer.indexOf(blankLine)
  if (bodyAt === -1) return false
  const at = answer.indexOf(lengthName)
  if (at === -1 || at > bodyAt) throw new Error('the answer has no length')
  const length = Number.parseInt(answer.toString('latin1', at + lengthName.length, bodyAt), 10)
  return answer.length >= bodyAt + blankLine.length + length
}

function isAllowed(answer: Buffer): boolean {
  return answer.subarray(0, head.length).equals(head) && answer.includes(allowed)
}

export function checkRequest(url: string, token: string, body: unknown): Buffer {
  const text = JSON.stringify(body)
  const lines = [
    'POST /api/check HTTP/1.1',
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
