import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Environment, stateHome } from './folders.ts'

/** Where a server listens that nobody told otherwise, when it is free. */
export const defaultPort = 4747

const Running = z.looseObject({
  url: z.string().regex(/^https?:\/\//),
  pid: z.int().positive(),
  project: z.string().optional(),
})

/** A server that is running: where it answers, for which project, which process. No secrets. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  readonly project?: string | undefined
}

const fileIn = (data: string) => join(data, 'server.json')

/** Says in the data folder where the server answers, so that commands find it. */
export function announceServer(data: string, server: RunningServer): void {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(fileIn(data), `${JSON.stringify(server)}\n`, { mode: 0o600 })
}

/** Takes the word back, unless another server has spoken since. */
export function withdrawServer(data: string, pid: number): void {
  if (read(data)?.pid === pid) rmSync(fileIn(data), { force: true })
}

/** The server of a data folder, if the process that said so is still there. */
export function findRunning(data: string): RunningServer | undefined {
  const found = read(data)
  return found !== undefined && isAlive(found.pid) ? found : undefined
}

/** Every server of this user that says where it is. */
export function allRunning(environment: Environment): RunningServer[] {
  const home = stateHome(environment)
  try {
    return readdirSync(home).flatMap((name) => findRunning(join(home, name)) ?? [])
  } catch {
    // Nothing was ever started here.
    return []
  }
}

function read(data: string): RunningServer | undefined {
  try {
    return Running.parse(JSON.parse(readFileSync(fileIn(data), 'utf8')))
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
