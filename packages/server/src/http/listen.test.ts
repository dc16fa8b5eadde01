import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { type Listening, listen } from './listen.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

const open: (Listening | Server)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const app = () => ({ fetch: () => new Response('ours') })

async function listening(port: number): Promise<number> {
  const listened = await listen(port, app)
  if (!listened.ok) throw new Error(listened.error.message)
  open.push(listened.value)
  return Number(new URL(listened.value.url).port)
}

async function occupied(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  open.push(server)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const output = async (host: string, port: number) => (await fetch(`http://${host}:${port}/`)).text()

describe.runIf(hasIpv6)('a server on this machine', () => {
  test('PE-11: answers at every address that localhost means', async () => {
    const port = await listening(0)
    expect((await lookup('localhost')).address).toMatch(/^127\.|^::1$/)
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      expect([host, await output(host, port)]).toEqual([host, 'ours'])
    }
  })

  test('PE-11: does not start beside a program that has the other address', async () => {
    const port = await occupied('::1')
    const listened = await listen(port, app)
    expect(listened).toMatchObject({ ok: false, error: { code: 'port_unusable' } })
    // Nothing is left of the try at the address that was free.
    await expect(output('127.0.0.1', port)).rejects.toThrow()
  })
})

describe('a server that stops', () => {
  const within = { looksMs: 50, callsMs: 60_000 }

  async function serving(fetched: (request: Request) => Promise<Response> | Response) {
    const listened = await listen(0, () => ({ fetch: fetched }))
    if (!listened.ok) throw new Error(listened.error.message)
    return listened.value
  }

  test('ND-4: still answers while it drains, and asks each client to close', async () => {
    const server = await serving(() => new Response('ours'))
    const connection = async () => (await fetch(server.url)).headers.get('connection')
    expect(await connection()).toBe('keep-alive')
    server.drain()
    expect(await connection()).toBe('close')
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('ND-4: answers a call that is under way, and cuts off what only looks', async () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<Response>()
    const server = await serving(({ method }) => {
      if (method === 'GET') return new Response(new ReadableStream({ start: begin }))
      asked.resolve()
      return answer.promise
    })
    const begin = (stream: ReadableStreamDefaultController) =>
      stream.enqueue(new TextEncoder().encode('begun'))
    const look = await fetch(server.url)
    const call = fetch(server.url, { method: 'POST' })
    await asked.promise
    const closed = server.close(within)
    await expect(look.text()).rejects.toThrow()
    answer.resolve(new Response('judged'))
    expect(await (await call).text()).toBe('judged')
    await closed
  })
})
