import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Running = z.looseObject({ url: z.string().regex(/^https?:\/\//), pid: z.int().positive() })

/** A server that is running: where it answers and which process it is. Nothing secret. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
}

const fileIn = (data: string) => join(data, 'server.json')

/** Says in the data folder where the server answers, so that commands find it. */
export function announceServer(data: string, server: RunningServer): void {
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

function read(data: string): RunningServer | undefined {
  try {
    const { url, pid } = Running.parse(JSON.parse(readFileSync(fileIn(data), 'utf8')))
    return { url, pid }
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
