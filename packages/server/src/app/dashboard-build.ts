import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const packages = join(here, '..', '..', '..')
/** In the package that people install the page lies ready beside the code. */
const shipped = join(here, '..', '..', 'dashboard')
const dashboard = join(packages, 'dashboard')
const builder = join(packages, '..', 'scripts', 'build-dashboard.ts')
const sources = [
  join(dashboard, 'src'),
  join(dashboard, 'index.html'),
  join(packages, 'core', 'src'),
]

export const dashboardFolder = existsSync(shipped) ? shipped : join(dashboard, 'dist')

/** Whether the built page is missing or older than something it is built from. */
export function isStale(built: string, from: readonly string[]): boolean {
  const index = join(built, 'index.html')
  if (!existsSync(index)) return true
  const builtAt = statSync(index).mtimeMs
  return from.some((path) => newestIn(path) > builtAt)
}

let ensured: Promise<void> | undefined

/**
 * Builds the page when it has to be; `say` is told before, since it takes a moment. Once in a
 * process: a server that is started again while sources change would be away for as long as a
 * build takes, and open pages would miss the files that they still have to load.
 */
export function ensureDashboard(say: (line: string) => void): Promise<void> {
  ensured ??= build(say)
  return ensured
}

/** When the page was built, as a number that another build changes; 0 without one. */
export function dashboardBuiltAt(): number {
  const index = join(dashboardFolder, 'index.html')
  return existsSync(index) ? statSync(index).mtimeMs : 0
}

/** Whether the page has to be built. */
export function isDashboardStale(): boolean {
  return isStale(dashboardFolder, sources)
}

async function build(say: (line: string) => void): Promise<void> {
  if (dashboardFolder === shipped || !isDashboardStale()) return
  const isThere = existsSync(join(dashboardFolder, 'index.html'))
  // Tests that never open the page need not wait for it each time that core was edited.
  if (isThere && process.env.SW_SERVE_BUILT_DASHBOARD === '1') return
  say('Building the dashboard (a few seconds, only when its sources changed)')
  // A child of its own: the bundler is a development tool and no part of the server.
  const child = spawn(process.execPath, [builder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let talk = ''
  child.stderr.on('data', (chunk: Buffer) => {
    talk = (talk + chunk.toString('utf8')).slice(-4000)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  if (code === 0) return
  if (!isThere) throw new Error(`the dashboard could not be built:\n${talk}`)
  say(`The dashboard could not be built; the last build is served.\n${talk}`)
}

function newestIn(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const inner = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.name.includes('.test.') && entry.name !== 'fixtures')
    .map((entry) => newestIn(join(path, entry.name)))
  return Math.max(0, ...inner)
}
