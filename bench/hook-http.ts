import { type BenchResult, quantile } from './measure.ts'
import {
  type BenchServer,
  benchWorkflow,
  elapsedMs,
  post,
  startBare,
  startOurs,
  temporaryFolder,
} from './server-kit.ts'

/** So many that both sides run as compiled as they ever will. */
const warmUp = 5000
const rounds = 20
const perRound = 200

/** A check over HTTP, decided and durable, against a bare route; in turn, one call at a time. */
export async function benchHookHttp(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const [ours, bare] = await Promise.all([startOurs(folder.path), startBare()])
  try {
    await post(ours, '/api/workflows/bench', benchWorkflow, 'PUT')
    await post(ours, '/api/runs', { workflow: 'bench', session: 'bench' })
    await timed(ours, warmUp, 'warm')
    await timed(bare, warmUp, 'warm')
    const our: number[] = []
    const their: number[] = []
    for (let round = 0; round < rounds; round++) {
      our.push(...(await timed(ours, perRound, `r${round}`)))
      their.push(...(await timed(bare, perRound, `r${round}`)))
    }
    const value = quantile(our, 0.5)
    const baseline = quantile(their, 0.5)
    return {
      name: 'hook_http',
      value: value * 1000,
      unit: 'µs (median)',
      baseline: baseline * 1000,
      against: 'bare Hono route',
      ratio: value / baseline,
      target: '<= 2',
      more: { p99: quantile(our, 0.99) * 1000 },
    }
  } finally {
    await Promise.all([ours.close(), bare.close()])
    folder.remove()
  }
}

async function timed(server: BenchServer, count: number, label: string): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const body = {
      session: 'bench',
      tool: 'Read',
      input: { file_path: 'src/index.ts' },
      call_id: `${label}-${index}`,
    }
    const started = process.hrtime.bigint()
    const { status } = await post(server, '/api/check', body)
    times.push(elapsedMs(started))
    if (status !== 200) throw new Error(`a check answered ${status}`)
  }
  return times
}
