import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
} from 'node:http'

/** Stands between hooks and the server, hears everything, and changes what it is told to. */
export interface Relay {
  readonly url: string
  readonly requests: { headers: Record<string, string>; path: string; text: string }[]
  readonly answers: string[]
  readonly macs: string[]
  body: (text: string) => string
  answer: (text: string) => string
  mac: (mac: string) => string
  /** A header of the request, and what becomes of it. */
  header: readonly [string, string] | undefined
  close(): Promise<void>
}

export async function startRelay(target: string): Promise<Relay> {
  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const path = request.url ?? '/'
    const headers = plainHeaders(request.headers, new URL(target).host)
    relay.requests.push({ headers, path, text })
    const changed = relay.header === undefined ? [] : [relay.header]
    const content = relay.body(text)
    const onward = send(new URL(path, target), {
      method: 'POST',
      headers: {
        ...headers,
        ...Object.fromEntries(changed),
        'content-length': Buffer.byteLength(content),
      },
    })
    onward.on('response', async (answer) => {
      const output = await textOf(answer)
      relay.answers.push(output)
      const mac = String(answer.headers['statewright-mac'] ?? '')
      relay.macs.push(mac)
      response.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        'content-length': Buffer.byteLength(relay.answer(output)),
        'statewright-mac': relay.mac(mac),
      })
      response.end(relay.answer(output))
    })
    onward.on('error', () => response.destroy())
    onward.end(content)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  const relay: Relay = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests: [],
    answers: [],
    macs: [],
    body: (text) => text,
    answer: (text) => text,
    mac: (mac) => mac,
    header: undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return relay
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of message.setEncoding('utf8')) text += part
  return text
}

/** Otherwise it would be turned away as a stranger's. */
function plainHeaders(headers: IncomingHttpHeaders, host: string): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(connection|content-length)$/.test(name),
  )
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), host }
}
