import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { peerProcess } from './peer-process.ts'
import { peerInode } from './peer-socket.ts'

const open: (Server | Socket)[] = []
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill()
  for (const one of open.splice(0)) 'close' in one ? one.close() : one.destroy()
})

/** Our end of a connection, as a server gets it. */
async function connected(
  listen: string,
  from: { host: string; localAddress?: string; port?: number },
) {
  const server = createServer()
  open.push(server)
  server.listen(0, listen)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, socket: await joinServer(server, address.port, from) }
}

async function joinServer(
  server: Server,
  port: number,
  { host, localAddress, port: localPort }: { host: string; localAddress?: string; port?: number },
) {
  const client = connect({
    host,
    port,
    ...(localAddress === undefined ? {} : { localAddress }),
    ...(localPort === undefined ? {} : { localPort }),
  })
  open.push(client)
  const [socket] = (await once(server, 'connection')) as [Socket]
  open.push(socket)
  return socket
}

/** A process that has shown a signature, as the hook command does. */
async function named(mac: string): Promise<number> {
  const key = join(import.meta.dirname, '../../../bin/project-key.cjs')
  const show = `require(${JSON.stringify(key)}).showSignature('${mac}')`
  const program = `${show}; console.log(); setTimeout(() => {}, 60_000)`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

const hasSix = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

describe.runIf(process.platform === 'linux')('the process at the other end', () => {
  const ways = [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '::1'],
    ['0.0.0.0', '::ffff:127.0.0.1'],
  ] as const
  const here = ways.filter(([listen]) => hasSix || !listen.includes(':'))

  test.for(here)('is found on %s when it connects to %s', async ([listen, host]) => {
    const { socket } = await connected(listen, { host })
    expect(peerProcess(socket)).toBe(process.pid)
    expect(peerProcess(socket, { pid: process.pid })).toBe(process.pid)
    expect(peerProcess(socket, { pid: 1 })).toBe(process.pid)
  })

  test('SH-20c: is the one that is named after the signature of its request', async () => {
    const { socket } = await connected('127.0.0.1', { host: '127.0.0.1' })
    const mac = 'a1b2c3d4e5f60718'.repeat(4)
    const pid = await named(mac)
    expect(peerProcess(socket, { pid, mac })).toBe(pid)
    // Another signature, or none that was checked, says nothing of it.
    expect(peerProcess(socket, { pid, mac: mac.replace('a', 'b') })).toBe(process.pid)
    expect(peerProcess(socket, { pid, mac: `${mac.slice(0, 14)}0` })).toBe(process.pid)
    expect(peerProcess(socket, { pid })).toBe(process.pid)
    expect(peerProcess(socket, { pid: 2 ** 30, mac })).toBe(process.pid)
  })

  test('is not taken for one with the same ports at another address', async () => {
    const { server, socket } = await connected('0.0.0.0', { host: '127.0.0.1' })
    const { remotePort: port = 0, localPort = 0 } = socket
    const decoy = await joinServer(server, localPort, {
      host: '127.0.0.1',
      localAddress: '127.0.0.2',
      port,
    })
    expect(decoy.remotePort).toBe(port)
    expect(peerInode(socket)).toMatch(/^[1-9]\d*$/)
    expect(peerInode(decoy)).toMatch(/^[1-9]\d*$/)
    expect(peerInode(decoy)).not.toBe(peerInode(socket))
  })

  test('is nobody once the connection is gone', async () => {
    const { socket } = await connected('127.0.0.1', { host: '127.0.0.1' })
    const { remoteAddress, remotePort, localAddress, localPort } = socket
    socket.destroy()
    await once(socket, 'close')
    const ends = { remoteAddress, remotePort: (remotePort ?? 0) ^ 1, localAddress, localPort }
    expect(peerProcess(ends)).toBeUndefined()
    expect(peerProcess(socket)).toBeUndefined()
  })
})
