import { connect, createServer, type Socket } from 'node:net'

/** The one address of a database whose server can be exchanged, as with a virtual address. */
export interface MovingRelay {
  readonly databaseUrl: string
  /** From now on connections lead there; those that are open are cut. */
  moveTo(port: number): void
  close(): Promise<void>
}

export async function movingRelay(databaseUrl: string): Promise<MovingRelay> {
  const sockets = new Set<Socket>()
  let port = Number(new URL(databaseUrl).port)
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    sockets.add(client).add(upstream)
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const relayed = new URL(databaseUrl)
  relayed.port = String(typeof address === 'object' && address !== null ? address.port : 0)
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    databaseUrl: relayed.href,
    moveTo(next) {
      port = next
      cutAll()
    },
    async close() {
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
