import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'
import { createServer } from './create-server.ts'
import { type Listening, listen } from './listen.ts'
import { ownNames } from './own-names.ts'
import type { Route } from './pipeline/route.ts'

let server: TestServer
let token = ''
const open: Listening[] = []
const ports = { direct: 0, app: 0 }
const entered = { direct: Promise.withResolvers<void>(), app: Promise.withResolvers<void>() }
const gone = { direct: Promise.withResolvers<void>(), app: Promise.withResolvers<void>() }

beforeAll(async () => {
  server = await testServer()
  token = await server.token('agent')
  ports.direct = await listening(true)
  ports.app = await listening(false)
})

afterAll(async () => {
  for (const one of open) await one.close()
  await server.close()
})

/** The same server twice: as it is, and with nothing answered before the app. */
async function listening(isDirect: boolean): Promise<number> {
  const routes = [...server.routes, ...ownRoutes(isDirect ? 'direct' : 'app')]
  const listened = await listen(0, (port) => {
    const names = ownNames(port)
    const app = createServer({ server: server.server, names, routes, pages: new Map() })
    return isDirect ? app : { fetch: app.fetch }
  })
  if (!listened.ok) throw new Error(listened.error.message)
  open.push(listened.value)
  return Number(new URL(listened.value.url).port)
}

function ownRoutes(way: keyof typeof gone): readonly Route[] {
  const row = { method: 'POST', who: 'agent', summary: '', reads: 'raw', answers: {} } as const
  return [
    {
      ...row,
      path: '/test/wait',
      handle: ({ request }) => {
        request.signal.addEventListener('abort', () => gone[way].resolve(), { once: true })
        entered[way].resolve()
        return new Promise(() => {})
      },
    },
    {
      ...row,
      path: '/test/stream',
      handle: () => new Response(new Blob(['one\n', 'two\n']).stream(), { status: 201 }),
    },
    {
      ...row,
      path: '/test/throw',
      handle: () => {
        throw new Error('a fault of ours')
      },
    },
  ]
}

/** What comes back for exactly these bytes, but for what differs with the port and the time. */
async function answerTo(port: number, lines: readonly string[], body: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const head = lines.map((line) => line.replaceAll('HOST', `127.0.0.1:${port}`)).join('\r\n')
  socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  await once(socket, 'close')
  return text
}

/** Status, headers by name and body; how the body is cut on the wire says nothing. */
function read(text: string): unknown {
  const at = text.indexOf('\r\n\r\n')
  const [status = '', ...headers] = text.slice(0, at).split('\r\n')
  const kept = headers
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|content-length|transfer-encoding|keep-alive):/.test(line))
  const body = text.slice(at + 4)
  const isChunked = /transfer-encoding: chunked/i.test(text.slice(0, at))
  const whole = isChunked ? body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '') : body
  return { status, headers: kept.toSorted(), body: whole.trim() }
}

const check = JSON.stringify({ session: 's1', tool: 'Read', input: {}, call_id: 'c1' })
const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`
const authorization = () => `Authorization: Bearer ${token}`

const requests: Record<string, () => readonly [path: string, lines: string[], body: string]> = {
  'a good one': () => ['/api/check', ['Host: HOST', authorization(), length(check)], check],
  'no token': () => ['/api/check', ['Host: HOST', length(check)], check],
  'two tokens': () => [
    '/api/check',
    ['Host: HOST', authorization(), 'Authorization: Bearer x', length(check)],
    check,
  ],
  'two hosts': () => [
    '/api/check',
    ['Host: HOST', 'Host: evil.test', authorization(), length(check)],
    check,
  ],
  'a foreign host': () => [
    '/api/check',
    ['Host: evil.test', authorization(), length(check)],
    check,
  ],
  'a host that is none': () => [
    '/api/check',
    ['Host: a b/c', authorization(), length(check)],
    check,
  ],
  'a foreign page': () => [
    '/api/check',
    ['Host: HOST', 'Origin: http://evil.test', authorization(), length(check)],
    check,
  ],
  'two pages': () => [
    '/api/check',
    ['Host: HOST', 'Origin: http://HOST', 'Origin: http://evil.test', authorization()],
    '',
  ],
  'a cookie of nobody': () => [
    '/api/check',
    ['Host: HOST', 'Cookie: a=1', 'Cookie: statewright_4747=x', length(check)],
    check,
  ],
  'no JSON': () => ['/api/check', ['Host: HOST', authorization(), length('{')], '{'],
  'another shape': () => ['/api/check', ['Host: HOST', authorization(), length('{}')], '{}'],
  'a body that is too large': () => [
    '/api/check',
    ['Host: HOST', authorization(), 'Content-Length: 99999999'],
    check,
  ],
  'a body in pieces': () => [
    '/api/check',
    ['Host: HOST', authorization(), 'Transfer-Encoding: chunked'],
    `${check.length.toString(16)}\r\n${check}\r\n0\r\n\r\n`,
  ],
  'a query behind it': () => [
    '/api/check?x=1',
    ['Host: HOST', authorization(), length(check)],
    check,
  ],
  'a path spelled otherwise': () => [
    '/api/%63heck',
    ['Host: HOST', authorization(), length(check)],
    check,
  ],
  'a stream': () => ['/test/stream', ['Host: HOST', authorization(), length('')], ''],
  'a fault': () => ['/test/throw', ['Host: HOST', authorization(), length(check)], check],
}

describe('what is answered before the app is asked', () => {
  test.each(Object.keys(requests))('is answered as the app would answer: %s', async (name) => {
    const [path, lines, body] = requests[name]?.() ?? ['', [], '']
    const sent = [`POST ${path} HTTP/1.1`, ...lines]
    const direct = read(await answerTo(ports.direct, sent, body))
    expect(direct).toEqual(read(await answerTo(ports.app, sent, body)))
    expect(direct).toMatchObject({ status: expect.stringMatching(/^HTTP\/1\.1 \d{3} /) })
  })

  test.each(['direct', 'app'] as const)('hears that its client has gone: %s', async (way) => {
    const socket = connect(ports[way], '127.0.0.1')
    const lines = ['POST /test/wait HTTP/1.1', `Host: 127.0.0.1:${ports[way]}`, authorization()]
    socket.write(`${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)
    await entered[way].promise
    socket.destroy()
    await gone[way].promise
  })
})
