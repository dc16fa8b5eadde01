import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type BenchResult, median } from './measure.ts'
import { builtCommand, elapsedMs, post, startOurs, temporaryFolder } from './server-kit.ts'

const runs = 10_000
const starts = 5

/** Memory of ten thousand live runs, and how long a server takes to answer on top of their data. */
export async function benchMemory(): Promise<BenchResult> {
  const folder = temporaryFolder()
  try {
    const child = join(import.meta.dirname, 'memory-child.ts')
    const args = ['--expose-gc', child, folder.path, String(runs)]
    const text = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 300_000 })
    const { rss, live } = JSON.parse(text) as { rss: number; live: number } // Our child's own line.
    const startMs = await timeToAnswer(folder.path)
    const built = builtCommand()
    const builtMs = built === undefined ? undefined : await timeToAnswer(folder.path, built)
    return {
      name: 'memory',
      value: rss / 1e6,
      unit: 'MB resident',
      target: '<= 300',
      more: { live, start_ms: startMs, ...(builtMs === undefined ? {} : { built_ms: builtMs }) },
    }
  } finally {
    folder.remove()
  }
}

/** The median of a few starts: from the command to the first answer. */
async function timeToAnswer(folder: string, bin?: string): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < starts; index++) {
    const started = process.hrtime.bigint()
    const server = await startOurs(folder, [], bin)
    await post(server, '/api/check', { session: 'none', tool: 'Read', input: {} })
    times.push(elapsedMs(started))
    await server.close()
  }
  return median(times)
}
