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
