import type { IncomingMessage } from 'node:http'
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client'
import { isJsonObject } from '@statewright/core/internal'
import type { Line, LineRequest, PendingAnswer } from './line.ts'
import { sendRequest, wholeText } from './send-request.ts'
import { upstreamLimits } from './spec.ts'

/** A server that sends elsewhere has done nothing yet: anyone who follows redirects asks again. */
export class Redirected extends Error {}

export interface HttpLineOptions {
  readonly url: URL
  /** Of the configuration, by names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** Gets what a server says before it answers. */
  readonly onMessage: (message: unknown) => void
}

/** A server of the new era over HTTP: each request by itself, answered by JSON or by a stream. */
export function httpLine({ url, headers: configured, onMessage }: HttpLineOptions): Line {
  const max = upstreamLimits.messageBytes
  const answerOf = async (incoming: IncomingMessage, id: number): Promise<unknown> => {
    const { statusCode: status = 0, headers } = incoming
    if (status >= 300 && status < 400) {
      incoming.resume()
      throw new Redirected()
    }
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (status === 200 && type === 'text/event-stream') return fromStream(incoming, id, onMessage)
    const text = await wholeText(incoming, max)
    if (status === 200 && type === 'application/json') return JSON.parse(text)
    if (status === 400 && isErrorFor(id, text)) return JSON.parse(text)
    if (status !== 200) throw new Error(`Error POSTing to endpoint: ${text}`)
    throw new Error(`Unexpected content type: ${type ?? 'none'}`)
  }
  return {
    needsCancelling: false,
    ask(request: LineRequest): PendingAnswer {
      const text = JSON.stringify(request)
      const headers = { ...configured, ...headersFor(request), 'content-length': bytesOf(text) }
      const sent = sendRequest({ url, method: 'POST', headers, text, onlyReads: () => false })
      return {
        answer: sent.answer.then((incoming) => answerOf(incoming, request.id)),
        cancel: sent.cancel,
      }
    },
  }
}

function headersFor({ method, params }: LineRequest): Record<string, string> {
  const { name, _meta: meta } = params
  const version = isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    // Nothing is unpacked here, and what was not asked for may not be sent packed.
    'accept-encoding': 'identity',
    'mcp-protocol-version': String(version),
    'mcp-method': method,
    'mcp-name': String(name),
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/** What is wrong with a request is told in the words of the protocol as well. */
function isErrorFor(id: number, text: string): boolean {
  try {
    const message: unknown = JSON.parse(text)
    return isJsonObject(message) && message.id === id && isJsonObject(message.error)
  } catch {
    return false
  }
}

/** Reads events until one of them is the answer; what comes before is told on. */
async function fromStream(
  incoming: IncomingMessage,
  id: number,
  onMessage: (message: unknown) => void,
): Promise<unknown> {
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  let data: string[] = []
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > upstreamLimits.messageBytes) throw new Error('an answer is too large')
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      const message: unknown = JSON.parse(data.join('\n'))
      data = []
      if (isJsonObject(message) && message.id === id && !('method' in message)) {
        readToEnd(incoming)
        return message
      }
      onMessage(message)
    }
  }
  throw new Error('the answer ended before it was complete')
}

const endMs = 1000

/** The connection can be used again once the stream has ended, which comes at once or never. */
function readToEnd(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.destroy(), endMs)
  incoming.once('close', () => clearTimeout(timer)).resume()
}
