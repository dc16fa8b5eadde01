import { hash } from 'node:crypto'
import {
  type BudgetTake,
  chainEntries,
  type Entry,
  engine,
  engineOf,
  isUnguarded,
  type RunEvent,
  type RunSnapshot,
  reduceRun,
  type Step,
} from '@statewright/core/internal'
import { systemActor } from '../base/caller.ts'
import type { RunMarks } from '../store/run-marks.ts'
import type { Batch, RunRow, Store } from '../store/store.ts'
import { type ApprovalExtras, approvalsOf } from './approval-rows.ts'
import type { LiveRun, LiveRuns } from './live-runs.ts'
import type { RunQueue } from './run-queue.ts'
import type { RunningCommands } from './running-commands.ts'

/** What rides along with an event into the store, beside the entries themselves. */
export interface CommitExtras extends ApprovalExtras {
  readonly blobs?: Batch['blobs']
  readonly role: string
  /** Budgets of policies that a cost is charged to, beside those of the run itself (PO-9). */
  readonly charged?: readonly BudgetTake[]
  /** The policies that were asked for the event; other ones by now make it be prepared again. */
  readonly policyEpoch?: number
}

/** A tool call is judged, or has ended: events that only the guarded call makes (invariant 10). */
export type CallEvent = Extract<RunEvent, { type: 'tool_requested' | 'tool_finished' }>
export type OtherEvent = Exclude<RunEvent, CallEvent>

export interface PreparedEvent<Event extends RunEvent = OtherEvent> {
  readonly event: Event
  readonly extras: CommitExtras
}

export interface DispatchResult {
  readonly step: Step
  readonly live: LiveRun
  readonly entries: readonly Entry[]
}

export interface DispatchRuntime {
  readonly store: Store
  readonly live: LiveRuns
  readonly queue: RunQueue
  readonly commands: RunningCommands
  /** What is known of policies; others may hold when a commit fails. */
  readonly policies: { forget(): void }
  readonly rules: { confirm(): Promise<void> | undefined }
  /** Called after the commit, with what was committed. */
  readonly published: (live: LiveRun, entries: readonly Entry[]) => void
}

const maxTries = 20
const entriesPerSnapshot = 64

/**
 * Everything that changes a run passes here: load, decide, commit, publish. The answer leaves only
 * after its entries are durable; when another node was faster, with the run or with a policy, the
 * run is loaded and decided again.
 */
export function dispatch(
  runtime: DispatchRuntime,
  runId: string,
  prepare: (live: LiveRun) => Promise<PreparedEvent> | PreparedEvent,
): Promise<DispatchResult | undefined> {
  return decideAndCommit(runtime, runId, prepare)
}

/** The same for the events of a guarded call. Nothing but `guard/` may ask for it. */
export function dispatchCall(
  runtime: DispatchRuntime,
  runId: string,
  prepare: (live: LiveRun) => Promise<PreparedEvent<CallEvent>> | PreparedEvent<CallEvent>,
): Promise<DispatchResult | undefined> {
  return decideAndCommit(runtime, runId, prepare)
}

async function decideAndCommit(
  runtime: DispatchRuntime,
  runId: string,
  prepare: (live: LiveRun) => Promise<PreparedEvent<RunEvent>> | PreparedEvent<RunEvent>,
): Promise<DispatchResult | undefined> {
  return runtime.queue.inOrder(runId, async () => {
    for (let attempt = 0; attempt < maxTries; attempt++) {
      const live = await runtime.live.get(runId)
      if (live === undefined) return undefined
      const { event, extras } = await prepare(live)
      const taken = takeOver(live, event.at)
      const step = reduceRun(live.program, taken?.run ?? live.snapshot, event)
      if (step.entries.length === 0) return { step, live, entries: [] }
      await runtime.commands.endLeft(runId, step.run)
      const entries = taken === null ? step.entries : [...taken.entries, ...step.entries]
      const made = makeBatch(live, { ...step, entries }, event, extras)
      const committed = await commit(runtime, runId, made.batch)
      if (committed === 'conflict') {
        runtime.live.drop(runId)
        runtime.policies.forget()
        await runtime.rules.confirm()
        continue
      }
      runtime.live.put(made.next)
      runtime.published(made.next, entries)
      return { step, live: made.next, entries }
    }
    throw new Error(`run ${runId} was changed by others ${maxTries} times in a row`)
  })
}

/**
 * A run that an older engine left is taken over before its next event is reduced: one commit holds
 * both, so that no entry is ever of an engine that the history does not name (WF-36).
 */
function takeOver({ program, snapshot, differs }: LiveRun, at: number): Step | null {
  if (engineOf(snapshot) === engine) return null
  return reduceRun(program, snapshot, {
    type: 'engine_changed',
    at,
    by: systemActor,
    run: snapshot,
    ...(differs === undefined ? {} : { differs }),
  })
}

/** A commit that fails leaves memory behind the truth, so that the run is loaded again. */
async function commit(
  runtime: DispatchRuntime,
  runId: string,
  batch: Batch,
): Promise<'committed' | 'conflict'> {
  try {
    return (await runtime.store.runs.append(runId, batch)).kind
  } catch (fault) {
    runtime.live.drop(runId)
    throw fault
  }
}

function makeBatch(
  live: LiveRun,
  step: Step,
  event: RunEvent,
  extras: CommitExtras,
): { batch: Batch; next: LiveRun } {
  const { row } = live
  const entries = chainEntries({ seq: row.seq, hash: row.chain }, step.entries, sha256)
  const last = entries[entries.length - 1]
  const marks = changedMarks(row, step)
  const nextRow: RunRow = {
    ...row,
    ...rowFacts(row, step, event.at),
    ...marks,
    seq: last?.seq ?? row.seq,
    chain: last?.hash ?? row.chain,
  }
  const since = live.sinceSnapshot + entries.length
  const isDue = since >= entriesPerSnapshot || movesRun(step)
  const approvals = approvalsOf(row.runId, step, event, extras)
  const batch: Batch = {
    afterSeq: row.seq,
    entries,
    row: nextRow,
    ...(marks === undefined ? {} : { marks }),
    ...(isDue ? { snapshot: step.run } : {}),
    ...approvals,
    ...counterWrites(step, event, { ...extras, session: budgetOf(live) }),
    ...(extras.blobs === undefined ? {} : { blobs: extras.blobs }),
    ...(extras.policyEpoch === undefined ? {} : { policyEpoch: extras.policyEpoch }),
  }
  const next: LiveRun = {
    row: nextRow,
    program: live.program,
    snapshot: step.run,
    sinceSnapshot: isDue ? 0 : since,
  }
  return { batch, next }
}

/** What the step takes from rates and budgets, gives back to them and charges to them. */
function counterWrites(
  step: Step,
  event: RunEvent,
  extras: CommitExtras & { readonly session: string },
): Pick<Batch, 'takes' | 'settles' | 'charges'> {
  const { role, session } = extras
  const { at } = event
  const take = step.actions.find((action) => action.type === 'take_counters')
  const settle = step.actions.find((action) => action.type === 'settle_counters')
  const charges = chargesOf(step, event, extras)
  return {
    ...(take && { takes: { ...fieldsOf(take), role, session, at } }),
    ...(settle && { settles: { ...fieldsOf(settle), at } }),
    ...(charges && { charges: { role, session, at, ...charges } }),
  }
}

function fieldsOf<Action extends { readonly type: string }>({ type: _, ...fields }: Action) {
  return fields
}

/** What a cost is charged to: the budgets of the run, and those of policies that cover it. */
function chargesOf(
  step: Step,
  event: RunEvent,
  { charged = [] }: CommitExtras,
): { readonly takes: readonly BudgetTake[]; readonly costMicros: number } | undefined {
  const action = step.actions.find((one) => one.type === 'charge_counters')
  const found = action && { takes: action.takes, costMicros: action.costMicros }
  if (event.type !== 'cost_reported' || charged.length === 0) return found
  return { takes: [...(found?.takes ?? []), ...charged], costMicros: Math.max(0, event.costMicros) }
}

/** Whose session budgets a run draws on; one of before the budgets were shared has its own. */
export function budgetOf({ row, snapshot }: Pick<LiveRun, 'row' | 'snapshot'>): string {
  return snapshot.settings.budgetOf ?? row.runId
}

/** Numbers that lists show; the snapshot holds the truth, these only save a replay. */
export function rowFacts(
  row: Pick<RunRow, 'calls' | 'denials'>,
  step: Step,
  at: number,
): Batch['row'] {
  const { run } = step
  let { calls, denials } = row
  for (const entry of step.entries) {
    if (entry.type !== 'call_decided') continue
    if (entry.decision === 'allow') calls += 1
    else if (entry.decision === 'deny') denials += 1
  }
  return {
    status: run.status,
    state: stateOf(run),
    updatedAt: at,
    calls,
    denials,
    transitions: run.transitionCount,
    costMicros: run.costMicros,
  }
}

/** What lists show of a run that was not held, where the step changes it. */
function changedMarks(row: RunMarks, step: Step): RunMarks | undefined {
  const passes = step.entries.filter((entry) => entry.type === 'call_decided' && entry.would)
  const unguarded = isUnguarded(step.run)
  if (passes.length === 0 && unguarded === row.unguarded) return undefined
  return { passed: row.passed + passes.length, unguarded }
}

/** Of a forked run the states of all its branches: the state that forked was left by each. */
function stateOf(run: RunSnapshot): string {
  const lanes = run.fork?.branches.map(({ lane }) => lane) ?? [run.main]
  return lanes.map(({ frames }) => frames[frames.length - 1]?.state ?? '').join(' | ')
}

function movesRun(step: Step): boolean {
  return step.entries.some(
    (entry) => entry.type !== 'call_decided' && entry.type !== 'call_finished',
  )
}

export function sha256(text: string): string {
  return hash('sha256', text)
}
