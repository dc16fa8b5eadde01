import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** The Postgres of this machine, with the tools that ours comes without. */
export interface InstalledPostgres {
  /** A new server in a folder of its own, with one empty database. */
  start(): Promise<InstalledServer>
  /** Runs a tool of it, such as `pg_dump`, and throws where it fails. */
  tool(name: string, args: readonly string[]): void
}

export interface InstalledServer {
  readonly url: string
  stop(): Promise<void>
}

const needed = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql']
const roots = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

/** Undefined where it is not installed: Debian calls it `postgresql`. */
export function installedPostgres(): InstalledPostgres | undefined {
  const folders = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).map((version) => join(root, version, 'bin')))
  const bin = folders.find((one) => needed.every((name) => existsSync(join(one, name))))
  if (bin === undefined) return undefined
  return {
    start: () => startServer(bin),
    tool(name, args) {
      execFileSync(join(bin, name), args, { stdio: 'pipe' })
    },
  }
}

async function startServer(bin: string): Promise<InstalledServer> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-installed-postgres-'))
  const user = userOf(folder)
  const data = join(folder, 'data')
  const initial = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-locale']
  execFileSync(join(bin, 'initdb'), [...initial, '--encoding=UTF8'], { ...user, stdio: 'ignore' })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])]
  const child = spawn(join(bin, 'postgres'), args, { ...user, stdio: 'ignore' })
  const at = `postgres://postgres@127.0.0.1:${port}`
  await created(join(bin, 'psql'), at)
  return {
    url: `${at}/statewright`,
    async stop() {
      await stopChild(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Postgres refuses to run as root. */
function userOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, 'postgres'])))
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres')
  chownSync(folder, uid, gid)
  chmodSync(folder, 0o755)
  return { uid, gid }
}

async function created(psql: string, at: string): Promise<void> {
  const args = [`${at}/postgres`, '-c', 'CREATE DATABASE statewright']
  for (let tries = 0; ; tries++) {
    try {
      execFileSync(psql, args, { stdio: 'pipe' })
      return
    } catch (fault) {
      if (tries === 100) throw fault
      await sleep(100)
    }
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGQUIT')
  await ended
}
