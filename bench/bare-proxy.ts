import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * The floor under our gateway: passes bytes on and looks at none of them, but for one commit, as
 * durable as one of ours, before the answer leaves.
 */
const [upstream = '', folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'floor.db'))
database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE t(body TEXT)')
const insert = database.prepare('INSERT INTO t VALUES (?)')
const agent = new Agent({ keepAlive: true })
const url = new URL(upstream)

const server = createServer((incoming, outgoing) => {
  const { method, headers } = incoming
  const { host: _host, connection: _connection, ...sent } = headers
  const passed = request(url, { method, headers: sent, agent }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const body = Buffer.concat(chunks)
      insert.run(body.toString('utf8'))
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.end(body)
    })
  })
  passed.on('error', () => outgoing.destroy())
  incoming.pipe(passed)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // It listens on TCP.
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
})
process.once('SIGTERM', () => process.exit(0))
