import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchResult, quantile } from './measure.ts'
import { type BenchServer, elapsedMs, post, startOurs, temporaryFolder } from './server-kit.ts'

const runs = Number(process.env.SW_SCALE_RUNS ?? 100_000)
const entries = Number(process.env.SW_SCALE_ENTRIES ?? 10_000_000)

/**
 * What a server answers on top of very many live runs and entries, over HTTP: decisions on runs
 * that it reads for the first time and on such that it knows, lists, a search, and its memory.
 * `SW_SCALE_RUNS` and `SW_SCALE_ENTRIES` choose the size; in `SW_SCALE_FOLDER`, where it is given,
 * the store stays for the next time.
 */
export async function benchScale(): Promise<BenchResult> {
  const { SW_SCALE_FOLDER: chosen } = process.env
  const folder = chosen === undefined ? temporaryFolder() : { path: chosen, remove: () => {} }
  try {
    const data = join(folder.path, 'data')
    const sample = filledStore(folder.path, data)
    const started = process.hrtime.bigint()
    const server = await startOurs(data)
    const startMs = elapsedMs(started)
    try {
      return await measured(server, sample, data, startMs)
    } finally {
      await server.close()
    }
  } finally {
    folder.remove()
  }
}

/** Fills the store unless it is filled, and gives back some of its runs. */
function filledStore(folder: string, data: string): string[] {
  const known = join(folder, 'sample.json')
  if (!existsSync(known)) {
    mkdirSync(data, { recursive: true })
    const child = join(import.meta.dirname, 'scale-child.ts')
    const args = [child, data, String(runs), String(entries)]
    const how = { encoding: 'utf8', timeout: 3_600_000 } as const
    writeFileSync(known, execFileSync(process.execPath, args, how))
  }
  // Our own line.
  const { sample } = JSON.parse(readFileSync(known, 'utf8')) as { sample: string[] }
  return sample
}

async function measured(
  server: BenchServer,
  sample: readonly string[],
  folder: string,
  startMs: number,
): Promise<BenchResult> {
  const marks = [`first-${process.pid}`, `again-${process.pid}`] as const
  const first = await decisions(server, sample, marks[0])
  const again = await decisions(server, sample, marks[1])
  const lists = await timed(200, () => get(server, '/api/runs?limit=50'))
  const ofWorkflow = await timed(200, () => get(server, '/api/runs?limit=50&workflow=bench'))
  const deep = await timed(20, () => get(server, '/api/runs?limit=50&status=completed'))
  const found = await timed(10, () => get(server, '/api/runs?limit=50&search=settings'))
  const missed = await timed(10, () => get(server, '/api/runs?limit=50&search=nowhere'))
  const usage = await timed(10, () => get(server, '/api/usage'))
  return {
    name: 'scale',
    value: quantile(again, 0.5),
    unit: 'ms for a decision over HTTP (median)',
    more: {
      runs,
      entries,
      file_mb: statSync(join(folder, 'statewright.db')).size / 1e6,
      start_ms: startMs,
      decision_p99_ms: quantile(again, 0.99),
      first_median_ms: quantile(first, 0.5),
      first_p99_ms: quantile(first, 0.99),
      list_ms: quantile(lists, 0.5),
      list_of_workflow_ms: quantile(ofWorkflow, 0.5),
      list_of_none_ms: quantile(deep, 0.5),
      search_ms: quantile(found, 0.5),
      search_of_nothing_ms: quantile(missed, 0.5),
      usage_ms: quantile(usage, 0.5),
      rss_mb: residentMb(server.pid),
    },
  }
}

async function decisions(
  server: BenchServer,
  sample: readonly string[],
  label: string,
): Promise<number[]> {
  const times: number[] = []
  for (const [at, run] of sample.entries()) {
    const input = { file_path: 'src/index.ts' }
    const body = { run, tool: 'Read', input, call_id: `${label}-${at}` }
    const before = process.hrtime.bigint()
    const answer = await post(server, '/api/check', body)
    times.push(elapsedMs(before))
    if (!answer.body.includes('"allow"')) throw new Error(answer.body)
  }
  return times
}

async function timed(count: number, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const before = process.hrtime.bigint()
    await work()
    times.push(elapsedMs(before))
  }
  return times
}

async function get(server: BenchServer, path: string): Promise<void> {
  const answer = await post(server, path, {}, 'GET')
  if (answer.status !== 200) throw new Error(answer.body)
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}
