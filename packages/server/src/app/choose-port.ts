import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { allRunning, defaultPort } from '../home/discovery.ts'
import type { Environment } from '../home/folders.ts'
import { hostsFor, isMissing } from '../http/listen.ts'

const maxTries = 100
const fileIn = (data: string) => join(data, 'port')

/** Where a server listens that was not told. */
export interface ChosenPort {
  readonly port: number
  /** Why it is not the one that was expected; undefined when it is. */
  readonly warning?: string
}

/**
 * The port that this project had before, else the usual one, else the next that is free: each
 * project has a server of its own, and what was installed for it knows its address.
 */
export async function choosePort(
  data: string,
  host: string | undefined,
  environment: Environment,
): Promise<ChosenPort> {
  const known = readPort(data)
  const first = known ?? defaultPort
  if (await isFree(first, host)) return { port: first }
  for (let port = defaultPort; port < defaultPort + maxTries; port++) {
    if (port === first || !(await isFree(port, host))) continue
    const stale =
      known === undefined
        ? ''
        : ' Log in again with the link below. Hooks find the new address by themselves; ' +
          'give it to other programs that use the old one.'
    const user = userOf(first, environment)
    return { port, warning: `Port ${first} is in use by ${user}; using ${port}.${stale}` }
  }
  return { port: first }
}

/** Remembered until the next start; where it cannot be, the next start looks again. */
export function keepPort(data: string, url: string): void {
  try {
    writeFileSync(fileIn(data), `${new URL(url).port}\n`, { mode: 0o600 })
  } catch {
    // The server runs all the same.
  }
}

/** Who has a port: a server of ours is known by what it says of itself. */
export function userOf(port: number, environment: Environment): string {
  const server = allRunning(environment).find(({ url }) => new URL(url).port === String(port))
  return server?.project === undefined ? 'another program' : `the server of ${server.project}`
}

function readPort(data: string): number | undefined {
  try {
    const port = Number(readFileSync(fileIn(data), 'utf8'))
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
  } catch {
    return undefined
  }
}

async function isFree(port: number, host: string | undefined): Promise<boolean> {
  for (const one of hostsFor(host)) if (!(await isFreeAt(port, one))) return false
  return true
}

function isFreeAt(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (fault) => resolve(host === '::1' && isMissing(fault)))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
