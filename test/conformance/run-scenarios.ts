import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Ran {
  readonly exit: number | null
  readonly output: string
  /** Scenarios with how many of their checks passed and failed. */
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>
}

const home = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
)

/** Runs every scenario that a revision of the protocol requires of a server. */
export async function runScenarios(url: string, revision: string): Promise<Ran> {
  const program = join(home, 'dist', 'index.js')
  const words = ['server', '--url', url, '--requirements', revision]
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const take = (chunk: Buffer) => {
    output += chunk.toString('utf8')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exit, output, scenarios: readScenarios(output) }
}

/** Only what the revision requires: the rest is run for show. */
function readScenarios(output: string): Ran['scenarios'] {
  const notScored = new Set(
    [...output.matchAll(/^ {2}[✓✗] ([a-z0-9-]+) \(/gm)].map((hit) => hit[1]),
  )
  const found = new Map<string, { passed: number; failed: number }>()
  for (const line of output.split('\n')) {
    const match = /^[✓✗~!] ([a-z0-9-]+): (\d+) passed, (\d+) failed/.exec(line.trim())
    const [, name = '', passed, failed] = match ?? []
    if (match === null || notScored.has(name)) continue
    found.set(name, { passed: Number(passed), failed: Number(failed) })
  }
  return found
}
