import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { httpLine, Redirected } from './http-line.ts'
import type { LineRequest } from './line.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const request: LineRequest = {
  jsonrpc: '2.0',
  id: 5,
  method: 'tools/call',
  params: { name: 'echo', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
}
const answer = { jsonrpc: '2.0', id: 5, result: { content: [] } }

async function ask(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on TCP.
  const heard: unknown[] = []
  const line = httpLine({
    url: new URL(`http://127.0.0.1:${port}/mcp?a=1`),
    headers: { authorization: 'Bearer x' },
    onMessage: (message) => heard.push(message),
  })
  return { line, heard, sent: line.ask(request) }
}

describe('a request to a server of the new era over HTTP', () => {
  test('says in its headers what it is, and is answered by JSON', async () => {
    const { sent } = await ask((incoming, outgoing) => {
      const { headers, url } = incoming
      const reported = ['authorization', 'mcp-name', 'mcp-method', 'mcp-protocol-version', 'accept']
      const result = [url, ...reported.map((name) => headers[name])]
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ ...answer, result }))
    })
    const accept = 'application/json, text/event-stream'
    const result = ['/mcp?a=1', 'Bearer x', 'echo', 'tools/call', '2026-07-28', accept]
    expect(await sent.answer).toEqual({ ...answer, result })
  })

  test('is answered by a stream, and hears what comes before the answer', async () => {
    const reported = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'é' } }
    const { sent, heard, line } = await ask((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      const text = `: hello\r\n\r\nevent: message\r\ndata: ${JSON.stringify(reported)}\r\n\r\n`
      const bytes = Buffer.from(`${text}data:${JSON.stringify(answer)}\n\n`)
      // A character and an end of line lie across two pieces.
      const cut = bytes.indexOf('é') + 1
      outgoing.write(bytes.subarray(0, cut))
      setImmediate(() => outgoing.end(bytes.subarray(cut)))
    })
    expect(await sent.answer).toEqual(answer)
    expect(heard).toEqual([reported])
    expect(await line.ask(request).answer).toEqual(answer)
  })

  test('is told what was wrong with it in the words of the protocol', async () => {
    const error = { jsonrpc: '2.0', id: 5, error: { code: -32_602, message: 'no' } }
    const { sent } = await ask((_incoming, outgoing) => {
      outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))
    })
    expect(await sent.answer).toEqual(error)
  })

  test.each<[what: string, listener: RequestListener, why: RegExp]>([
    ['an error', (_, outgoing) => outgoing.writeHead(500).end('oh no'), /endpoint: oh no/],
    ['no JSON', (_, outgoing) => outgoing.writeHead(200).end('hello'), /content type: none/],
    [
      'half an answer',
      (_, outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 50 })
        outgoing.write('{')
        setImmediate(() => outgoing.destroy())
      },
      /./,
    ],
    [
      'a stream without an answer',
      (_, outgoing) => outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end('\n'),
      /before it was complete/,
    ],
  ])('fails where the server sends %s', async (_what, listener, why) => {
    const { sent } = await ask(listener)
    await expect(sent.answer).rejects.toThrow(why)
  })

  test('does not follow where it is sent elsewhere', async () => {
    const { sent } = await ask((_incoming, outgoing) => {
      outgoing.writeHead(307, { location: 'http://elsewhere.test/' }).end()
    })
    await expect(sent.answer).rejects.toThrow(Redirected)
  })

  test('is broken off when nobody waits for it', async () => {
    const gone = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const { sent } = await ask((incoming) => {
      incoming.socket.once('close', () => gone.resolve())
      arrived.resolve()
    })
    await arrived.promise
    sent.cancel()
    await expect(sent.answer).rejects.toThrow()
    await gone.promise
  })
})
