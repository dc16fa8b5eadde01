import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const range = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * A port for a server that cannot take one by itself, or has to come back to its own. The system
 * gives those above to whoever connects or listens anywhere, also in the moment before we take it.
 */
export async function freePort(): Promise<number> {
  const end = existsSync(range) ? Number.parseInt(readFileSync(range, 'utf8'), 10) : 32_768
  for (;;) {
    const port = randomInt(Math.min(20_000, end - 5000), end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
