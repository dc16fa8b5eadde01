import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { phrase, textOf } from '../base/text/phrase.ts'
import type { ToolFinished } from '../run/events.ts'
import { type LaneName, laneOf, stateOf, topFrame } from '../run/lanes.ts'
import { type CallRecord, hasEnded } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { laneOfCall } from './call-lane.ts'
import { type Draft, finish, record, refuse } from './draft.ts'
import { finishEdits, finishEvidence, voidEvidence } from './evidence.ts'
import { type ChangedFiles, fireInterrupt } from './interrupt.ts'
import { learn } from './learn.ts'
import { replaceTop } from './put-lane.ts'

/** A call that was let through has ended. A second result changes nothing but what it voids. */
export function onToolFinished(draft: Draft<ToolFinished>): Step {
  const { event, run } = draft
  const call = run.calls.find((one) => one.id === event.callId)
  if (call === undefined) {
    const message = phrase('unknown_call', { call: event.callId.slice(0, 100) })
    return refuse(draft, 'unknown_call', message)
  }
  if (call.status === 'done') {
    if (event.voids === true) voidEvidence(draft, call)
    return finish(draft, { type: 'recorded', notices: [] })
  }
  recordFinished(draft, call)
  const failed = event.exit === 'failure'
  draft.run = {
    ...run,
    calls: run.calls.map((one) => (one === call ? ended(call) : one)),
    costMicros: run.costMicros + Math.max(0, event.costMicros ?? 0),
    // Mail counts when it is let through; what was not sent is given back. An agent could say so
    // of mail that is just leaving: only someone who saw it fail is believed (PR-10).
    mailsSent: run.mailsSent - (failed && event.source === 'observed' ? call.mails : 0),
  }
  const { capability } = call
  const costMicros = event.costMicros ?? null
  draft.actions.push({ type: 'settle_counters', callId: call.id, capability, costMicros })
  learn(draft, call)
  if (hasEnded(run.status) || call.free === true)
    return finish(draft, { type: 'recorded', notices: [] })
  finishEdits(draft, call.id)
  const lane = laneOfCall(draft.run, call)
  if (lane === undefined) return finish(draft, { type: 'recorded', notices: [] })
  const notices = [...countResult(draft, lane, call, failed)]
  finishEvidence(draft, lane, call)
  if (run.status !== 'paused') {
    const notice = fireInterrupt(draft, lane, changedFiles(event, call))
    if (notice !== null) notices.push(notice)
  }
  return finish(draft, { type: 'recorded', notices })
}

/**
 * What a call says it changes counts unless it failed; what a command was seen to change counts
 * all the same, or `; false` would keep every interrupt from firing. Of a call that was assumed to
 * be done, what it says has been dealt with.
 */
function changedFiles(event: ToolFinished, call: CallRecord): ChangedFiles {
  const { exit, changed } = event
  const isOpen = call.status === 'open'
  const isNamed = isOpen && exit !== 'failure'
  const seen = (changed?.files ?? []).filter((file) => isOpen || !call.shellFiles.includes(file))
  return {
    byTool: isNamed ? call.files : [],
    byShell: isNamed ? [...call.shellFiles, ...seen] : seen,
    tool: call.tool,
    // The call was made, however it ended.
    fires: bothFires(isOpen ? (call.fires ?? {}) : {}, call, event),
  }
}

/** What it was asked with serves its result alone. */
function ended({ args: _args, teaches: _teaches, mayFire: _may, ...rest }: CallRecord): CallRecord {
  return { ...rest, status: 'done' }
}

/**
 * Interrupts by the call itself, and those that whoever saw the result says it fires. Where nobody
 * of ours saw it, its condition is not known to be false (FC-6).
 */
function bothFires(
  fires: NonNullable<CallRecord['fires']>,
  { mayFire = {} }: CallRecord,
  { fired: seen = {}, source }: ToolFinished,
): Readonly<Record<string, readonly string[]>> {
  const fired = source === 'observed' ? seen : mayFire
  if (Object.keys(fired).length === 0) return fires
  const machines = [...new Set([...Object.keys(fires), ...Object.keys(fired)])]
  return Object.fromEntries(
    machines.map((machine) => [
      machine,
      [...(own(fires, machine) ?? []), ...(own(fired, machine) ?? [])],
    ]),
  )
}

function recordFinished(draft: Draft<ToolFinished>, call: CallRecord): void {
  const { event } = draft
  record(
    draft,
    {
      type: 'call_finished',
      call_id: call.id,
      tool: call.tool,
      bytes: event.bytes,
      exit: event.exit,
      ...(event.costMicros === undefined ? {} : { cost_micros: event.costMicros }),
      ...(event.durationMs === undefined ? {} : { duration_ms: event.durationMs }),
    },
    call.branch,
  )
}

/** Counts bytes and files; a failed call gives back those it did not change (not the iteration). */
function countResult(
  draft: Draft<ToolFinished>,
  lane: LaneName,
  call: CallRecord,
  failed: boolean,
): string[] {
  const frame = topFrame(laneOf(draft.run, lane))
  const state = stateOf(draft.program, frame)
  const { counters } = frame
  const bytes = counters.bytes + Math.max(0, draft.event.bytes)
  const givesBack = failed && call.counted.length > 0 && counters.visit === call.visit
  const kept = givesBack
    ? counters.files.filter((file) => !call.counted.includes(file))
    : counters.files
  const { changed } = draft.event
  const seen = changed?.counts === true && counters.visit === call.visit ? changed.files : []
  const files = [...new Set([...kept, ...seen])].slice(0, limits.filesPerState)
  replaceTop(draft, lane, { ...frame, counters: { ...counters, bytes, files } })
  const mark = state.contextBudgetBytes * 0.9
  if (bytes < mark || counters.bytes >= mark) return []
  const { name, contextBudgetBytes: most } = state
  const about = { state: name, used: bytes, most }
  const isUsed = bytes >= most
  const text = phrase(isUsed ? 'context_budget_used' : 'context_budget_near', about)
  record(draft, { type: 'notice', text }, lane)
  return [textOf(text)]
}
