import {
  brokenLink,
  type RunView,
  replay,
  runView,
  type Verified,
  verify,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../../base/caller.ts'
import type { ArchivedRun } from '../../store/archive-store.ts'
import type { RunRow, StoredEntry } from '../../store/store.ts'
import { sha256 } from '../dispatch.ts'
import { evidenceDigests } from '../evidence-facts.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'

/** Where a run stands, for every door. */
export function viewRun(live: LiveRun, caller: Caller, branch?: string): RunView & RunFacts {
  const { row } = live
  const digests = evidenceDigests(live, actorOf(caller), branch)
  const view = runView(live.program, live.snapshot, actorOf(caller), {
    ...(branch === undefined ? {} : { branch }),
    ...(digests === undefined ? {} : { digests }),
    // Of the last change: it is a view, and what expires says when.
    at: row.updatedAt,
  })
  return {
    ...view,
    run_id: row.runId,
    hash: live.program.rootHash,
    program_hash: row.hash,
    version: row.version,
    project: row.project,
    locked: row.locked,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    calls: row.calls,
    denials: row.denials,
    passed: row.passed,
  }
}

export interface RunFacts {
  readonly run_id: string
  readonly hash: string
  readonly program_hash: string
  readonly version: number | null
  readonly project: string | null
  readonly locked: boolean
  readonly created_at: number
  readonly updated_at: number
  readonly calls: number
  readonly denials: number
  readonly passed: number
}

const pageSize = 1000

/** Every entry of a run, in order. */
export async function allEntries(runtime: Runtime, runId: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = []
  for (;;) {
    const after = entries[entries.length - 1]?.seq ?? 0
    const page = await runtime.store.runs.entries(runId, { after, limit: pageSize })
    entries.push(...page)
    if (page.length < pageSize) return entries
  }
}

/** Whether a stored run is whole: chain, replay, the stored snapshot and the row all agree. */
export async function verifyRun(runtime: Runtime, runId: string): Promise<VerifiedRun> {
  const loaded = await runtime.store.runs.load(runId)
  if (loaded === undefined)
    return { ok: false, entries: 0, seq: 0, problem: 'there is no such run' }
  const archived = await runtime.store.archive.get(runId)
  if (archived !== undefined) return verifyRest(runtime, loaded.row, archived)
  const program = await runtime.programs.byHash(loaded.row.hash)
  const entries = await allEntries(runtime, runId)
  const upToSnapshot = entries.slice(0, loaded.snapshotSeq)
  const broken = brokenLink(runId, entries, sha256)
  if (broken !== null) return { ok: false, entries: entries.length, ...broken }
  const replayed = replay(
    program,
    entries.map((stored) => stored.entry),
  )
  if (!replayed.ok) {
    const { index, problem } = replayed
    return { ok: false, entries: entries.length, seq: index + 1, problem }
  }
  const { older } = replayed
  if (loaded.snapshot !== undefined && upToSnapshot.length > 0) {
    const stored = { runId, program, entries: upToSnapshot, snapshot: loaded.snapshot }
    const atSnapshot = verify(stored, sha256)
    if (!atSnapshot.ok) return atSnapshot
  }
  if (!(await isRowOf(runtime, loaded.row, entries))) {
    const problem = 'the last entry on record is not the last entry of the history'
    return { ok: false, entries: entries.length, seq: entries.length, problem }
  }
  return { ok: true, entries: entries.length, ...(older === null ? {} : { older }) }
}

type VerifiedRun = Verified & { readonly archived?: number }

/** What came after the archived part goes on from it, and the row belongs to the last of it. */
async function verifyRest(
  runtime: Runtime,
  { runId, seq, chain }: RunRow,
  archived: ArchivedRun,
): Promise<VerifiedRun> {
  const entries = (await allEntries(runtime, runId)).filter((one) => one.seq > archived.seq)
  const behind = { seq: archived.seq, hash: archived.chain }
  const broken = brokenLink(runId, entries, sha256, behind)
  const more = { entries: entries.length, archived: archived.seq }
  if (broken !== null) return { ok: false, ...more, ...broken }
  const last = entries.at(-1) ?? behind
  if (last.seq >= seq && (last.seq > seq || last.hash === chain)) return { ok: true, ...more }
  const problem = 'the last entry on record is not the last entry of the history'
  return { ok: false, ...more, seq: last.seq, problem }
}

/**
 * Whether a run's row belongs to its entries. A run goes on while it is read: what was added since
 * the row was loaded is no tampering, as long as the row has come along with it by now.
 */
async function isRowOf(
  { store }: Runtime,
  row: RunRow,
  entries: readonly StoredEntry[],
): Promise<boolean> {
  const atRow = entries[row.seq - 1]
  if (atRow === undefined || atRow.seq !== row.seq || atRow.hash !== row.chain) return false
  if (entries.length === row.seq) return true
  const now = await store.runs.load(row.runId)
  return now !== undefined && now.row.seq >= entries.length
}
