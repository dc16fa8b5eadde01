import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  lchownSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** A second Postgres that has all that the first one has acknowledged, ready to take its place. */
export interface Standby {
  readonly port: number
  /** Kills the first one as a lost machine would be, and lets this one be written. */
  takeOver(): Promise<void>
  stop(): Promise<void>
}

export interface Primary {
  /** Its data; the standby gets a folder beside it. */
  readonly data: string
  readonly port: number
  readonly password: string
}

const patienceMs = 60_000

/**
 * Copies a running Postgres and follows it. From then on the first one acknowledges a commit only
 * when the standby has it: nothing that was acknowledged is lost with the first.
 */
export async function startStandby(primary: Primary, port: number): Promise<Standby> {
  const data = `${primary.data}-standby`
  const program = readlinkSync(`/proc/${pidOf(primary.data)}/exe`)
  const first = await client(primary.port, primary.password)
  try {
    await first.query(`SELECT pg_backup_start('standby', true)`)
    copyFolder(primary.data, data)
    const stopped = await first.query<{ labelfile: string }>('SELECT * FROM pg_backup_stop(false)')
    give(join(data, 'backup_label'), stopped.rows[0]?.labelfile ?? '', primary.data)
    const from = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password}`
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
    give(join(data, 'standby.signal'), '', primary.data)
    const child = startPostgres(program, data, port)
    await until(async () => {
      const streams = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`
      return ((await first.query(streams)).rowCount ?? 0) > 0
    })
    await first.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await first.query('SELECT pg_reload_conf()')
    return { port, takeOver: () => takeOver(primary, port), stop: () => stop(child) }
  } finally {
    await first.end()
  }
}

async function takeOver(primary: Primary, port: number): Promise<void> {
  const pid = pidOf(primary.data)
  process.kill(pid, 'SIGKILL')
  // Its children notice that it is gone and end.
  await until(async () => !isAlive(pid))
  const second = await client(port, primary.password)
  try {
    await second.query('SELECT pg_promote(true)')
    await until(async () => {
      const { rows } = await second.query('SELECT pg_is_in_recovery() AS follows')
      return rows[0]?.follows === false
    })
  } finally {
    await second.end()
  }
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    // Of a running server a file may go away meanwhile; what replay needs is in the log.
    filter: (path) => !/\/postmaster\.(pid|opts)$|\/pgsql_tmp/.test(path),
  })
  own(to, from)
}

/** Postgres refuses files of somebody else, and folders that others may read. */
function own(path: string, like: string): void {
  const { uid, gid, mode } = statSync(like)
  lchownSync(path, uid, gid)
  for (const one of readdirSync(path, { recursive: true, withFileTypes: true })) {
    lchownSync(join(one.parentPath, one.name), uid, gid)
  }
  if ((mode & 0o077) !== 0) throw new Error('the data of Postgres can be read by others')
}

function give(path: string, text: string, like: string): void {
  writeFileSync(path, text)
  const { uid, gid } = statSync(like)
  lchownSync(path, uid, gid)
}

function startPostgres(program: string, data: string, port: number): ChildProcess {
  const { uid, gid } = statSync(data)
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const asUser = process.getuid?.() === 0 ? { uid, gid } : {}
  return spawn(program, ['-D', data, '-p', String(port), ...flags], { stdio: 'ignore', ...asUser })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGQUIT')
  await gone
}

function pidOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function client(port: number, password: string): Promise<pg.Client> {
  const facts = { host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' }
  const connected = new pg.Client(facts)
  await connected.connect()
  return connected
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('the standby was waited for in vain')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
