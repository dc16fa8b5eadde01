import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The scenarios know no keys, and our server answers nobody without one. This adds the key on the
 * way; names of hosts that are not its own are left as they came, since a scenario looks at them.
 */
export async function relayWithKey(target: URL, token: string) {
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${portOf(server)}`
    const host = incoming.headers.host === own ? target.host : incoming.headers.host
    const origin = incoming.headers.origin?.replace(own, target.host)
    const headers = {
      ...incoming.headers,
      host,
      authorization: `Bearer ${token}`,
      ...(origin === undefined ? {} : { origin }),
    }
    const { hostname, port } = target
    const onward = ask(
      { hostname, port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(server: ReturnType<typeof createServer>): number {
  const { port } = server.address() as AddressInfo // It listens on TCP.
  return port
}
