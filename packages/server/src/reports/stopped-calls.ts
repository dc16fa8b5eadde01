import { textOf } from '@statewright/core/internal'
import type { RunRow, Store } from '../store/store.ts'

/** A call that the rules did not let pass, whether that was enforced or only observed. */
export interface StoppedCall {
  readonly run_id: string
  readonly workflow: string
  /** Its place in the history of the run. */
  readonly seq: number
  readonly at: number
  readonly tool: string
  readonly state: string
  readonly decision: 'deny' | 'ask'
  /** It was only observed, and ran. */
  readonly passed: boolean
  readonly code: string | null
  readonly message: string
}

const maxRuns = 500
/** Of a run with a longer history the newest entries are looked at. */
const newestEntries = 500
const maxRead = 40

type Runs = Pick<Store, 'runs'>

/** How many calls were not let pass since a time, over the newest runs. */
export async function countStopped(store: Runs, since: number): Promise<number> {
  let count = 0
  for (const row of await stoppedRuns(store, since)) {
    // A run that began later has nothing to leave out, and its history need not be read.
    if (row.createdAt >= since) count += row.denials + row.passed
    else count += (await stoppedOf(store, row, since)).length
  }
  return count
}

/** The newest of them, newest first. */
export async function latestStopped(
  store: Runs,
  since: number,
  max: number,
): Promise<readonly StoppedCall[]> {
  const runs = (await stoppedRuns(store, since)).slice(0, maxRead)
  const calls = await Promise.all(runs.map((row) => stoppedOf(store, row, since)))
  return calls
    .flat()
    .sort((one, other) => other.at - one.at || other.seq - one.seq)
    .slice(0, max)
}

async function stoppedRuns(store: Runs, since: number): Promise<RunRow[]> {
  const { runs } = await store.runs.list({ limit: maxRuns })
  return runs
    .filter(({ denials, passed, updatedAt }) => denials + passed > 0 && updatedAt >= since)
    .sort((one, other) => other.updatedAt - one.updatedAt)
}

async function stoppedOf(store: Runs, row: RunRow, since: number): Promise<StoppedCall[]> {
  const after = Math.max(0, row.seq - newestEntries)
  const entries = await store.runs.entries(row.runId, { after, limit: newestEntries })
  return entries.flatMap(({ seq, entry }) => {
    if (entry.type !== 'call_decided' || entry.at < since) return []
    const { at, tool, state, code, reasons } = entry
    const decision = entry.would ?? entry.decision
    if (decision === 'allow') return []
    return [
      {
        run_id: row.runId,
        workflow: row.workflow,
        seq,
        at,
        tool: tool.slice(0, 200),
        state,
        decision,
        passed: entry.would !== undefined,
        code: code ?? null,
        message: textOf(reasons[0]?.message ?? '').slice(0, 500),
      },
    ]
  })
}
