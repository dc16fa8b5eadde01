import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type CommandResult, runHosted } from './hosted-command.ts'

export type { CommandResult } from './hosted-command.ts'

/** Servers build nothing here and commands are quick, but the machine may be busy. */
export const patience = { timeout: 120_000 }

export const bin = fileURLToPath(new URL('../bin/statewright.mjs', import.meta.url))

export interface Ready {
  readonly url: string
  readonly login: string
  readonly data: string
  readonly pid: number
  readonly person_token?: string
}

/** A home and a project of their own, so that nothing of the machine's is read or written. */
export class Testbed {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-server-')))
  readonly project = join(this.folder, 'project')
  readonly home = join(this.folder, 'home')
  readonly #children = new Set<ChildProcess>()

  constructor() {
    mkdirSync(this.project)
    mkdirSync(this.home)
  }

  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const built = { SW_SERVE_BUILT_DASHBOARD: '1' }
    return { PATH, NODE_COMPILE_CACHE, HOME: this.home, ...built, ...more }
  }

  start(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    cwd: string = this.project,
  ): ChildProcess {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: this.environment(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  /** Starts a server and waits until it is ready. */
  async up(...args: string[]): Promise<{ ready: Ready; child: ChildProcess; talk: () => string }> {
    const child = this.start(['up', '--port', '0', '--json', ...args])
    let talk = ''
    child.stderr?.on('data', (chunk) => {
      talk += chunk
    })
    return { ready: JSON.parse(await firstLine(child, () => talk)), child, talk: () => talk }
  }

  run(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    cwd?: string,
  ): Promise<CommandResult> {
    return finished(this.start(args, more, cwd))
  }

  /**
   * The same in one process for all, where the process is not what is tested: starting one takes
   * longer than most commands.
   */
  hosted(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    cwd: string = this.project,
  ): Promise<CommandResult> {
    return runHosted({ args, cwd, environment: this.environment(more) })
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export async function firstLine(child: ChildProcess, talk: () => string): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`the server ended without a word (code ${child.exitCode}): ${talk()}`)
}

export function finished(child: ChildProcess): Promise<CommandResult> {
  let out = ''
  let talk = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    talk += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (exit) => resolve({ exit, out, talk }))
  })
}

/** How a problem is told at the end: what with its code, where, and what to do next. */
export function threeLines(code: string): RegExp {
  return new RegExp(`(?:^|\\n)${code}: .+\\n {2}in: .+\\n {2}next: .+\\n$`)
}

export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

/** Follows a child that goes on: waits for a line that holds a text, or for something it said. */
export function linesOf(child: ChildProcess) {
  const lines: string[] = []
  let talk = ''
  let rest = ''
  const checks = new Set<() => void>()
  const changed = () => {
    for (const check of checks) check()
  }
  child.stdout?.on('data', (chunk) => {
    const pieces = `${rest}${chunk}`.split('\n')
    rest = pieces.pop() ?? ''
    lines.push(...pieces)
    changed()
  })
  child.stderr?.on('data', (chunk) => {
    talk += chunk
    changed()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const wait = (isThere: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!isThere()) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      void ended.then(() => reject(new Error(`it ended before ${what}: ${talk}`)))
      check()
    })
  return {
    lines: lines as readonly string[],
    ended,
    until: (text: string) => wait(() => lines.some((line) => line.includes(text)), text),
    waitForTalk: (text: string) => wait(() => talk.includes(text), text),
  }
}
