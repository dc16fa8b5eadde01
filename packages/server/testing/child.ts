import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../bin/statewright.mjs', import.meta.url))

/** What was compiled once need not be compiled by every process again, whatever its home. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

export type Variables = Readonly<Record<string, string | undefined>>

/** A server in a process of its own, as `statewright up` starts it. */
export interface StartedServer {
  readonly url: string
  readonly pid: number
  readonly personToken: string
  /** A link by which a person logs in, good once. */
  readonly login: string
  /** Asks its API as a person. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; value: unknown }>
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Comes when it is gone, whoever ended it. */
  readonly ended: Promise<void>
}

export async function startStatewright(options: {
  readonly cwd: string
  readonly environment: Variables
  readonly args?: readonly string[]
}): Promise<StartedServer> {
  const { cwd, environment, args = [] } = options
  const up = [command, 'up', '--port', '0', '--json', '--test-person', ...args]
  const env = { ...compiled, ...environment }
  const child = spawn(process.execPath, up, { cwd, env, stdio: 'pipe' })
  const { url, person_token: personToken, login, pid } = JSON.parse(await firstLine(child))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    url,
    pid,
    ended: gone,
    personToken,
    login,
    async ask(method, path, body) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${personToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, value: await answer.json() }
    },
    kill: (signal = 'SIGTERM') => ended(child, signal),
  }
}

export interface ChildResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of ours to its end. */
export function runStatewright(
  args: readonly string[],
  options: { readonly cwd: string; readonly environment: Variables; readonly input?: string },
): Promise<ChildResult> {
  const environment = { ...compiled, ...options.environment }
  return runProgram(process.execPath, [command, ...args], { ...options, environment })
}

/** Somebody else on this machine; only root can start programs as them. */
export interface User {
  readonly uid: number
  readonly gid: number
}

export function runProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string
    readonly environment: Variables
    readonly input?: string
    readonly user?: User | undefined
  },
): Promise<ChildResult> {
  const { cwd, environment, input = '', user = {} } = options
  const child = spawn(program, [...args], { cwd, env: environment, stdio: 'pipe', ...user })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {}).end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let talk = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      talk += chunk.toString('utf8')
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    child.once('close', () => reject(new Error(`the server did not start:\n${talk}`)))
  })
}

function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill(signal)
  })
}
