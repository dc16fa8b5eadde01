import { type ExternalAnswer, own, type Phrase, phrase, textOf } from '@statewright/core/internal'
import { type Caller, systemActor } from '../../base/caller.ts'
import type { RunRow, Store } from '../../store/store.ts'
import { dispatch } from '../dispatch.ts'
import type { Runtime } from '../runtime.ts'

/** Calls of clients that ran without a decision of ours, over all runs. */
export interface Unjudged {
  readonly count: number
  readonly last: {
    readonly at: number
    readonly run_id: string
    readonly text: string
  } | null
  readonly runs: Readonly<Record<string, UnjudgedInRun>>
}

export interface UnjudgedInRun {
  readonly count: number
  /** In strict mode nothing more may run until a person has looked. */
  readonly blocks: boolean
  readonly at: number
  /** The client session that it was seen in: its next run is held as well. */
  readonly session?: string
}

const key = 'trust.unjudged'
const none: Unjudged = { count: 0, last: null, runs: {} }
/** Of more runs only the newest are named; the count still counts all. */
const maxRuns = 200
const maxTries = 20

export async function readUnjudged(store: Store): Promise<Unjudged> {
  return parse(await store.settings.get(key))
}

/** Writes down that calls passed unseen; the setting is shared by all nodes. */
export async function addUnjudged(
  runtime: Runtime,
  seen: { readonly runId: string; readonly count: number; readonly text: string },
): Promise<void> {
  const { runId, count, text } = seen
  const at = runtime.clock.now()
  const session = (await runtime.live.get(runId))?.row.session ?? null
  await change(runtime.store, (before) => {
    const old = own(before.runs, runId)
    const ofRun = {
      count: (old?.count ?? 0) + count,
      blocks: old?.blocks === true || runtime.settings.strict,
      at,
      ...(session === null ? {} : { session }),
    }
    const runs = { ...before.runs, [runId]: ofRun }
    return {
      count: before.count + count,
      last: { at, run_id: runId, text: text.slice(0, 500) },
      runs: newest(runs),
    }
  })
}

/** The same, and an entry in the history of the run, which anyone who reads it must see. */
export async function recordUnjudged(
  runtime: Runtime,
  { role }: Pick<Caller, 'role'>,
  seen: { readonly runId: string; readonly count: number; readonly text: Phrase },
): Promise<void> {
  const { runId, text } = seen
  await addUnjudged(runtime, { ...seen, text: textOf(text) })
  const at = runtime.clock.now()
  await dispatch(runtime, runId, () => ({
    event: { type: 'noted', at, by: systemActor, entry: 'gap', code: 'unjudged_call', text },
    extras: { role },
  }))
}

/** A person has looked: the run goes on, and its session. False when nothing held it. */
export async function liftUnjudged(runtime: Runtime, runId: string): Promise<boolean> {
  const session = (await runtime.live.get(runId))?.row.session ?? null
  const row = { runId, session }
  if (!holds(await readUnjudged(runtime.store), row)) return false
  await change(runtime.store, (now) => {
    const runs = Object.entries(now.runs).map(([id, one]) => {
      return [id, isMeant(id, one, row) ? { ...one, blocks: false } : one] as const
    })
    return { ...now, runs: Object.fromEntries(runs) }
  })
  return true
}

/** The run itself, or another one of its session: loading a workflow again makes nothing good. */
function isMeant(
  id: string,
  { session }: UnjudgedInRun,
  run: Pick<RunRow, 'runId' | 'session'>,
): boolean {
  return id === run.runId || (run.session !== null && session === run.session)
}

function holds({ runs }: Unjudged, run: Pick<RunRow, 'runId' | 'session'>): boolean {
  return Object.entries(runs).some(([id, one]) => one.blocks && isMeant(id, one, run))
}

/**
 * In strict mode a call that nobody judged holds its run: whatever let it pass may let the next one
 * pass as well.
 */
export async function unjudgedBlock(
  runtime: Runtime,
  run: Pick<RunRow, 'runId' | 'session'>,
): Promise<ExternalAnswer | null> {
  if (!runtime.settings.strict) return null
  if (!holds(await readUnjudged(runtime.store), run)) return null
  const message = phrase('unjudged_call')
  return {
    source: 'unjudged_call',
    kind: 'deny',
    reasons: [{ code: 'unjudged_call', message, path: '' }],
  }
}

function newest(runs: Unjudged['runs']): Unjudged['runs'] {
  const entries = Object.entries(runs)
  if (entries.length <= maxRuns) return runs
  // What still blocks must never be forgotten.
  const rank = ([, { blocks, at }]: (typeof entries)[number]) => (blocks ? Infinity : at)
  return Object.fromEntries(entries.sort((a, b) => rank(b) - rank(a)).slice(0, maxRuns))
}

async function change(store: Store, make: (before: Unjudged) => Unjudged): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await store.settings.get(key)
    const after = JSON.stringify(make(parse(before)))
    if (await store.settings.swap(key, before, after)) return
  }
  throw new Error('the setting of unjudged calls could not be changed')
}

/** Only ever written here. */
function parse(text: string | undefined): Unjudged {
  return text === undefined ? none : JSON.parse(text)
}
