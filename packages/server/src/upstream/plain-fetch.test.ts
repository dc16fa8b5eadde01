import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'
import { plainFetch } from './plain-fetch.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serving(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on TCP.
  return `http://127.0.0.1:${port}/mcp`
}

describe('fetch on the own client of Node', () => {
  test('sends what it is given and reads a short answer whole', async () => {
    const url = await serving((request, response) => {
      const { method, headers } = request
      const seen = { method, key: headers.key, packed: headers['accept-encoding'], body: '' }
      request.on('data', (chunk: Buffer) => {
        seen.body += chunk.toString()
      })
      request.on('end', () => {
        const text = JSON.stringify(seen)
        response.setHeader('content-length', Buffer.byteLength(text))
        response.setHeader('content-type', 'application/json; charset=utf-8').end(text)
      })
    })
    const headers = new Headers({ key: 'mine' })
    const response = await plainFetch(url, { method: 'POST', headers, body: '{"é":1}' })
    expect([response.status, response.ok]).toEqual([200, true])
    const seen = { method: 'POST', key: 'mine', packed: 'identity', body: '{"é":1}' }
    expect(await response.json()).toEqual(seen)
    expect(JSON.parse(await response.text())).toEqual(seen)
  })

  test('gives a stream as it comes, and redirects to whoever asked', async () => {
    const url = await serving((request, response) => {
      if (request.method === 'POST') {
        response.writeHead(307, { location: 'http://elsewhere.test/' }).end()
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: 1\n\n')
        setImmediate(() => response.end('data: 2\n\n'))
      }
    })
    expect(await (await plainFetch(url)).text()).toBe('data: 1\n\ndata: 2\n\n')
    const redirect = await plainFetch(url, { method: 'POST', body: '{}' })
    expect(redirect.status).toBe(307)
    expect(redirect.headers.get('location')).toBe('http://elsewhere.test/')
  })

  test('fails where nobody answers, an answer breaks off or it is given up', async () => {
    await expect(plainFetch('http://127.0.0.1:1/mcp')).rejects.toThrow()
    const broken = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      response.write('{"half":')
      setImmediate(() => response.destroy())
    })
    await expect(plainFetch(broken)).rejects.toThrow()
    server?.close()
    const silent = await serving(() => {})
    const signal = AbortSignal.timeout(20)
    await expect(plainFetch(silent, { signal })).rejects.toThrow()
  })

  test('an answer that never says its length is cut off at the limit', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify('x'.repeat(5000)))
    })
    const response = await boundedFetch(plainFetch, 1000)(url)
    await expect(response.text()).rejects.toThrow('too large')
  })

  const rpc = (method: string) => ({ method: 'POST', body: JSON.stringify({ method }) })

  test('goes over a new connection where the server has dropped the kept one', async () => {
    const seen: string[] = []
    const url = await serving((request, response) => {
      seen.push(`${request.method}`)
      response.setHeader('content-type', 'application/json').end('{}')
    })
    for (const init of [{}, rpc('tools/call'), rpc('tools/list')]) {
      await (await plainFetch(url)).text()
      // As a restart does: the end has arrived here, but nobody has looked yet.
      server?.closeAllConnections()
      expect((await plainFetch(url, init)).status).toBe(200)
    }
    expect(seen).toEqual(['GET', 'GET', 'GET', 'POST', 'GET', 'POST'])
  })

  test.each([
    ['GET', 'sent again', {}],
    ['tools/list', 'sent again', rpc('tools/list')],
    ['tools/call', 'given up', rpc('tools/call')],
    ['what cannot be read', 'given up', { method: 'POST', body: '[' }],
  ])('%s that is lost on a kept connection is %s', async (_, fate, init) => {
    const counts = new WeakMap<object, number>()
    let question = 0
    const url = await serving((request, response) => {
      question += 1
      const count = (counts.get(request.socket) ?? 0) + 1
      counts.set(request.socket, count)
      if (count > 1) request.socket.destroy()
      else response.setHeader('content-type', 'application/json').end('{}')
    })
    await (await plainFetch(url)).text()
    const answer = plainFetch(url, init)
    if (fate === 'sent again') expect((await answer).status).toBe(200)
    else await expect(answer).rejects.toThrow('socket hang up')
    expect(question).toBe(fate === 'sent again' ? 3 : 2)
  })
})
