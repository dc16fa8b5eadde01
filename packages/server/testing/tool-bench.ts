import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { asItIs, ok } from '@statewright/core/internal'
import type { OpenCall } from '../src/guard/guarded-call.ts'
import type { SandboxFound } from '../src/sandbox/find-sandbox.ts'
import { builtInTools } from '../src/tools/all.ts'
import { childRunner } from '../src/tools/run-child.ts'
import type { ToolDone, ToolHost } from '../src/tools/tool.ts'

export const noSandbox: SandboxFound = {
  kind: 'none',
  why: 'a test without one.',
  shell: '/bin/bash',
}

/** For tools where nothing is protected. */
export const openShield = { hides: () => false, fixes: () => false }

export const plainRunner = childRunner({ sandbox: noSandbox })

/** Commands as they run where neither a state nor a sandbox says how. */
export function plainCommands(environment: Readonly<Record<string, string>>) {
  return async () => ok({ runChild: plainRunner, environment, shield: openShield })
}

/** A call that nothing holds: no run judges it. */
export const unheldCall: OpenCall = {
  runId: null,
  callId: 'call_1',
  caller: { tokenId: 'agent_1', kind: 'agent', role: 'agent', name: 'a' },
  plan: asItIs,
  workspace: null,
  notices: [],
  allowedTools: null,
  finish: async () => ok([]),
}

/** A workspace with a folder around it, in which escapes would show. */
export class ToolBench {
  readonly around = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-tools-')))
  readonly root = join(this.around, 'workspace')
  readonly outside = join(this.around, 'outside.txt')
  readonly environment = { PATH: process.env.PATH ?? '', HOME: this.around }

  constructor() {
    mkdirSync(this.root)
    writeFileSync(this.outside, 'secret of another\n')
  }

  /** Writes files of the workspace by their paths. */
  put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }

  git(...args: readonly string[]): string {
    const names = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    return execFileSync('git', args, {
      cwd: this.root,
      env: { ...this.environment, ...names },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  repository(files: Readonly<Record<string, string>>): void {
    this.put(files)
    this.git('init', '-q', '-b', 'main')
    this.git('config', 'user.email', 'somebody@example.org')
    this.git('config', 'user.name', 'Somebody')
    this.git('add', '.')
    this.git('commit', '-q', '-m', 'Begin')
  }

  host(more: Partial<ToolHost> = {}): ToolHost {
    return {
      workspace: { root: this.root, shield: openShield },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      runChild: plainRunner,
      environment: this.environment,
      ...more,
    }
  }

  run(name: string, input: unknown, more: Partial<ToolHost> = {}): Promise<ToolDone> {
    const tool = builtInTools.find((one) => one.name === name)
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    return tool.run(input, this.host(more))
  }

  /** What the model would read; a failure is marked as such. */
  async text(name: string, input: unknown, more: Partial<ToolHost> = {}): Promise<string> {
    const done = await this.run(name, input, more)
    if (!done.ok) return `FAILED ${done.error.why}`
    return done.value.isError ? `ERROR ${done.value.text}` : done.value.text
  }

  close(): void {
    rmSync(this.around, { recursive: true, force: true })
  }
}

/** Whether a process lives; one that only waits to be collected has no command line. */
export function isRunning(pid: number | string): boolean {
  return commandLine(pid) !== ''
}

export function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
