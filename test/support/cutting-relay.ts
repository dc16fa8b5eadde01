import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and Postgres, and can lose an answer as a broken network does. */
export interface CuttingRelay {
  readonly databaseUrl: string
  /**
   * The next statement that writes, or the next of that name, reaches the server; the connection
   * is cut when its answer comes back, or the one some answers later.
   */
  cutNextAnswer(answers?: number, name?: string): void
  cuts(): number
  close(): Promise<void>
}

const writes = ['statewright_write', 'statewright_counters']

export async function cuttingRelay(databaseUrl: string): Promise<CuttingRelay> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let answersToGo = 0
  let names: readonly string[] = []
  let cuts = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.add(client).add(upstream)
    let isArmed = false
    client.on('data', (bytes) => {
      if (answersToGo > 0 && names.some((name) => bytes.includes(name))) isArmed = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isArmed && --answersToGo === 0) {
        cuts++
        client.destroy()
        // The server finishes what it was asked before it notices that nobody listens.
        upstream.end()
        return
      }
      client.write(bytes)
    })
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
  return {
    databaseUrl: relayed.href,
    cutNextAnswer(answers = 1, name) {
      answersToGo = answers
      names = name === undefined ? writes : [name]
    },
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A batch names this function when it is parsed, and its statement when it is bound. */
