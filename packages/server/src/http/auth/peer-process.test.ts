import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { peerProcess } from './peer-process.ts'
import { peerInode } from './peer-socket.ts'

const open: (Server | Socket)[] = []

afterEach(() => {
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
  return { server, socket: await join(server, address.port, from) }
}

async function join(
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
    expect(peerProcess(socket, process.pid)).toBe(process.pid)
    expect(peerProcess(socket, 1)).toBe(process.pid)
  })

  test('is not taken for one with the same ports at another address', async () => {
    const { server, socket } = await connected('0.0.0.0', { host: '127.0.0.1' })
    const { remotePort: port = 0, localPort = 0 } = socket
    const decoy = await join(server, localPort, {
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
