import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A server in a process of its own, so that client and server do not share a core's loop. */
export interface BenchServer {
  readonly url: string
  readonly token: string
  readonly pid: number
  close(): Promise<void>
}

const root = join(import.meta.dirname, '..')

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'statewright-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The command of the built package, where `npm run build` made one. */
export function builtCommand(): string | undefined {
  const path = join(root, 'build/server/bin/statewright.mjs')
  return existsSync(path) ? path : undefined
}

export async function startOurs(
  data: string,
  more: readonly string[] = [],
  bin = join(root, 'packages/server/bin/statewright.mjs'),
): Promise<BenchServer> {
  const args = [bin, 'up', '--port', '0', '--json', '--test-person', '--data', data, ...more]
  const { child, line } = await startChild(args, data)
  const ready = JSON.parse(line) as { url: string; person_token: string } // Our own ready line.
  return {
    url: ready.url.replace(/\/$/, ''),
    token: ready.person_token,
    pid: child.pid ?? 0,
    close: () => stop(child),
  }
}

/** What the least server of the same kind costs: one route that answers an empty object. */
export async function startBare(): Promise<BenchServer> {
  const { child, line } = await startChild([join(import.meta.dirname, 'bare-hono.ts')], root)
  return { url: line.trim(), token: '', pid: child.pid ?? 0, close: () => stop(child) }
}

export async function startChild(
  args: readonly string[],
  cwd: string,
): Promise<{ child: ChildProcess; line: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.stdout === null) throw new Error('the child has no output')
  // A line event carries one text.
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, line }
}

/** A program that says nothing we could wait for. */
export function spawnQuietly(args: readonly string[], cwd: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  return spawn(process.execPath, [...args], { cwd, env: { PATH, HOME }, stdio: 'ignore' })
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request over a connection that stays open, as a client's hook would send it. */
export function post(server: BenchServer, path: string, body: unknown, method = 'POST') {
  const text = JSON.stringify(body)
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      authorization: `Bearer ${server.token}`,
    }
    const question = request(`${server.url}${path}`, { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (part: Buffer) => chunks.push(part))
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
      })
    })
    question.on('error', reject)
    question.end(text)
  })
}

export const benchWorkflow = {
  id: 'bench',
  initial: 'working',
  states: {
    working: { allowed_tools: ['Read', 'Bash'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
} as const

export function elapsedMs(since: bigint): number {
  return Number(process.hrtime.bigint() - since) / 1e6
}
