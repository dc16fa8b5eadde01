import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { BenchResult } from './measure.ts'
import { elapsedMs, post, startOurs, temporaryFolder } from './server-kit.ts'

const runs = 10_000

/** Memory of ten thousand live runs, and how long a server takes to answer on top of their data. */
export async function benchMemory(): Promise<BenchResult> {
  const folder = temporaryFolder()
  try {
    const child = join(import.meta.dirname, 'memory-child.ts')
    const args = ['--expose-gc', child, folder.path, String(runs)]
    const text = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 300_000 })
    const { rss, live } = JSON.parse(text) as { rss: number; live: number } // Our child's own line.
    const started = process.hrtime.bigint()
    const server = await startOurs(folder.path)
    await post(server, '/api/check', { session: 'none', tool: 'Read', input: {} })
    const startMs = elapsedMs(started)
    await server.close()
    return {
      name: 'memory',
      value: rss / 1e6,
      unit: 'MB resident',
      target: '<= 300',
      more: { live, start_ms: startMs },
    }
  } finally {
    folder.remove()
  }
}
