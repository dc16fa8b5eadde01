import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import {
  type StartedServer,
  startStatewright,
  type User,
} from '../../packages/server/testing/child.ts'
import type { Level } from './table.ts'

export const hookFile = fileURLToPath(
  new URL('../../packages/server/bin/hook.cjs', import.meta.url),
)

/** The user that agents run as at L2: one that every Linux has. */
const other: User = { uid: 65_534, gid: 65_534 }

/** Why a level cannot be had here; nothing where it can. */
export const missing: Readonly<Record<Level, string | undefined>> = {
  L0: undefined,
  L1: await missingSandbox(),
  L2: missingUser(),
}

async function missingSandbox(): Promise<string | undefined> {
  const found = await findSandbox()
  return found.kind === 'none' ? found.why : undefined
}

function missingUser(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'Only root on Linux can start a program as another user.'
  }
  const script = 'require("fs").readFileSync(process.argv[1])'
  const tried = spawnSync(process.execPath, ['-e', script, hookFile], { ...other, env: {} })
  return tried.status === 0 ? undefined : 'Another user cannot read Node or this repository.'
}

/** The variable of the server that no agent is to see. */
export const serverSecret = 'levels-server-secret'

/**
 * A server with its data and home, and a project in which agents of all levels work. Not below
 * /tmp, which a sandbox replaces: there everything would be hidden by that alone.
 */
export class World {
  readonly folder: string
  readonly project: string
  readonly home: string
  readonly data: string
  /** The home of the agents at L2. */
  readonly otherHome: string
  /** Node and the hook program as what runs in a sandbox sees them, wherever this clone lies. */
  readonly node: string
  readonly hook: string
  readonly #servers = new Map<'on' | 'off', StartedServer>()

  constructor() {
    const base = missing.L2 === undefined ? '/var/lib' : homedir()
    this.folder = realpathSync(mkdtempSync(join(base, '.statewright-levels-')))
    chmodSync(this.folder, 0o755)
    this.project = join(this.folder, 'project')
    this.home = join(this.folder, 'home')
    this.data = join(this.folder, 'data')
    this.otherHome = join(this.folder, 'other-home')
    for (const path of [this.project, this.home, this.otherHome]) mkdirSync(path)
    // The project belongs to whoever works in it; the home of the server's user to them alone.
    chmodSync(this.project, 0o777)
    chmodSync(this.otherHome, 0o777)
    chmodSync(this.home, 0o700)
    this.node = this.#visible(dirname(process.execPath), basename(process.execPath))
    this.hook = this.#visible(dirname(hookFile), basename(hookFile))
  }

  /** A cage has temporary folders of its own: what lies there is put beside the project. */
  #visible(folder: string, name: string): string {
    if (!/^\/(?:tmp|var\/tmp|run)\//.test(`${realpathSync(folder)}/`)) return join(folder, name)
    const copy = mkdtempSync(join(this.folder, 'visible-'))
    cpSync(folder, copy, { recursive: true, dereference: true })
    chmodSync(copy, 0o755)
    return join(copy, name)
  }

  homeOf(level: Level): string {
    return level === 'L2' ? this.otherHome : this.home
  }

  userOf(level: Level): User | undefined {
    return level === 'L2' ? other : undefined
  }

  /** The server whose sandboxes have a network, or the one whose have none. */
  async server(network: 'on' | 'off' = 'on'): Promise<StartedServer> {
    const running = this.#servers.get(network)
    if (running !== undefined && isAlive(running.pid)) return running
    const data = network === 'on' ? this.data : join(this.folder, 'data-off')
    const started = await startStatewright({
      cwd: this.project,
      args: ['--data', data],
      environment: {
        PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
        HOME: this.home,
        SW_SERVE_BUILT_DASHBOARD: '1',
        STATEWRIGHT_SANDBOX_NETWORK: network,
        DEPLOY_KEY: serverSecret,
      },
    })
    this.#servers.set(network, started)
    return started
  }

  /** Writes a file that belongs to whoever runs the agents of a level. */
  write(level: Level, path: string, text: string): string {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (level === 'L2') chmodSync(path, 0o666)
    return path
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) await server.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
