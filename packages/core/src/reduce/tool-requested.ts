import { deniesWhenObserved, type ReasonFacts, shownReason } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { type CallShape, shapeOf } from '../decide/call-shape.ts'
import { type DecidedCall, decideToolCall } from '../decide/decide-tool-call.ts'
import { approvalArguments, approvalTool } from '../decide/judge-asks.ts'
import { newFiles } from '../decide/judge-edits.ts'
import { judgeLane, judgeStanding } from '../decide/judge-standing.ts'
import { planRun } from '../decide/plan-run.ts'
import type { Program } from '../machine/machine.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { Decision } from '../run/decision.ts'
import type { ToolRequested } from '../run/events.ts'
import { type LaneName, laneOf, stateOf, topFrame } from '../run/lanes.ts'
import { asItIs } from '../run/run-plan.ts'
import { type CallRecord, type Frame, hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { assumeFinished } from './assume-finished.ts'
import { laneOfCall } from './call-lane.ts'
import { type Draft, finish, record, startDraft } from './draft.ts'
import { startEdits, startEvidence } from './evidence.ts'
import { type NotedCall, noteCall } from './note-call.ts'
import { openAsk } from './open-ask.ts'
import { replaceTop } from './put-lane.ts'
import { findCall, rememberCall } from './remembered-calls.ts'

/** A tool call is judged, and counted when it is let through. */
export function onToolRequested(draft: Draft<ToolRequested>): Step {
  const { event } = draft
  const known = findCall(draft.run.calls, event.call.id)
  // Where the run as a whole says no, or nothing any more, a repeated call hears that instead.
  if (known !== undefined && speaksThroughState(draft, known)) return sameAnswer(draft, known)
  const notices = assumeFinished(draft, event.by.id)
  const { program, run } = draft
  const { call } = event
  const decided = decideToolCall({ program, run, ...event })
  const { shape } = decided
  // Our own tools leave their own entries; judging them would only count the agent's asking.
  if (shape.isOwn && draft.entries.length === 0) {
    draft.run = draft.before
    return answer(draft, decided.decision, notices)
  }
  const lane = laneFor(draft)
  if (passesObserved(draft, decided)) {
    record(draft, observedEntry(draft, decided, lane), lane)
    letThrough(draft, lane, shape, decided.spends)
    return answer(draft, { ...decided.decision, passes: true }, notices)
  }
  const decision =
    decided.decision.kind === 'ask'
      ? openAsk(draft, decided.decision, decided.reasons)
      : decided.decision
  record(draft, decidedEntry(draft, decision, decided.reasons, lane), lane)
  if (decision.kind === 'allow' && !shape.isOwn) letThrough(draft, lane, shape, decided.spends)
  if (decision.takes.length > 0) {
    const { capability } = shape
    const { takes } = decision
    draft.actions.push({ type: 'take_counters', callId: call.id, capability, takes })
  }
  return answer(draft, decision, notices)
}

function answer(draft: Draft, decision: Decision, notices: readonly string[]): Step {
  return finish(draft, { type: 'decided', decision, notices })
}

function speaksThroughState({ run, program }: Draft, known: CallRecord): boolean {
  const { holds, reasons } = judgeStanding(run, program)
  const lane = laneOfCall(run, known) ?? null
  return holds === 'all' && [...reasons, ...judgeLane(run, laneOf(run, lane), program)].length === 0
}

/**
 * A repeated id gets the same answer and counts once. The same id with other arguments, from
 * another caller, after its result or after its state was left is an attempt to ride on an earlier
 * allow, and so is one under way that a rule from outside forbids since.
 */
function sameAnswer(draft: Draft<ToolRequested>, known: CallRecord): Step {
  const { call, runner } = draft.event
  const frame = repeatedIn(draft, known)
  const forbidden = forbiddenSince(draft.event)
  if (frame !== undefined && forbidden.length === 0) {
    const state = stateOf(draft.program, frame)
    const isHeld = runner !== undefined || shapeOf(call).isShell
    const plan = isHeld ? planRun(state, frame.counters, runner) : asItIs
    return answer(draft, { ...plainAllow, allowedTools: state.toolNames, plan }, [])
  }
  const message = phrase('call_id_reused', { call: call.id.slice(0, 100) })
  const reused: ReasonFacts = { code: 'call_id_reused', message, path: '' }
  const reasons = frame === undefined ? [reused] : forbidden
  const shown = reasons.map(shownReason)
  const { code, message: text } = shown[0] ?? shownReason(reused)
  const decision: Decision = { ...plainAllow, kind: 'deny', code, message: text, reasons: shown }
  record(draft, decidedEntry(draft, decision, reasons, null))
  return answer(draft, decision, [])
}

/** What others deny of a repeated call. The call itself may have used a limit up. */
function forbiddenSince({ external = [] }: ToolRequested): readonly ReasonFacts[] {
  return external
    .flatMap(({ kind, reasons }) => (kind === 'deny' ? reasons : []))
    .filter(({ code }) => code !== 'rate_exceeded' && code !== 'budget_exceeded')
}

/** The frame in which a call is the very one that was let through before, or undefined. */
function repeatedIn({ run, event }: Draft<ToolRequested>, known: CallRecord): Frame | undefined {
  const { call, by } = event
  const isSame =
    known.status !== 'done' &&
    known.argsHash === call.argsHash &&
    known.tool === call.tool &&
    known.capability === shapeOf(call).capability &&
    known.caller === by.id
  const lane = isSame ? laneOfCall(run, known) : undefined
  if (lane === undefined) return undefined
  const frame = topFrame(laneOf(run, lane))
  return frame.counters.visit === known.visit ? frame : undefined
}

const plainAllow: Decision = {
  kind: 'allow',
  reasons: [],
  allowedTools: null,
  events: [],
  asks: [],
  takes: [],
  plan: asItIs,
}

function laneFor(draft: Draft<ToolRequested>): LaneName {
  const choice = chooseLane(draft.run, draft.event.by, draft.event.branch)
  return choice.kind === 'lane' ? choice.name : null
}

function decidedEntry(
  draft: Draft<ToolRequested>,
  decision: Decision,
  reasons: readonly ReasonFacts[],
  lane: LaneName,
  would?: 'ask' | 'deny',
) {
  const { call } = draft.event
  return {
    type: 'call_decided',
    call_id: call.id,
    tool: call.tool,
    state: topFrame(laneOf(draft.run, lane)).state,
    decision: would === undefined ? decision.kind : 'allow',
    ...(would === undefined ? {} : { would }),
    reasons,
    ...(decision.code === undefined ? {} : { code: decision.code }),
    ...(decision.approvalId === undefined ? {} : { approval_id: decision.approvalId }),
  } as const
}

/** Who only watches lets pass what would be denied, as it would without us, with few exceptions. */
function passesObserved({ event }: Draft<ToolRequested>, { decision }: DecidedCall): boolean {
  if (event.mode !== 'observe' || decision.kind === 'allow') return false
  return !decision.reasons.some(({ code }) => deniesWhenObserved(code))
}

/** The truth of it: the call passed, and what would have been decided instead. */
function observedEntry(draft: Draft<ToolRequested>, decided: DecidedCall, lane: LaneName) {
  const { decision, reasons } = decided
  const would: 'ask' | 'deny' = decision.kind === 'ask' ? 'ask' : 'deny'
  const { approvalId: _, ...unasked } = decision
  return decidedEntry(draft, unasked, reasons, lane, would)
}

/**
 * A call that an older engine let through, whatever this one would say of it: it was made, so that
 * it counts, and what a person approved for it is used up.
 */
export function takeAsAllowed(
  program: Program,
  run: RunSnapshot,
  event: ToolRequested,
): RunSnapshot {
  const draft = startDraft(program, run, event)
  letThroughAnyway(draft)
  return draft.run
}

/** The same for a call that was judged by other rules: it was made, or it was not (RP-3). */
export function takeAsHappened(
  program: Program,
  run: RunSnapshot,
  event: ToolRequested,
  wasMade: boolean,
): RunSnapshot {
  const draft = startDraft(program, run, event)
  assumeFinished(draft, event.by.id)
  if (wasMade) letThroughAnyway(draft)
  return draft.run
}

function letThroughAnyway(draft: Draft<ToolRequested>): void {
  const { run, event } = draft
  const [tool, argsHash] = [approvalTool(event.call), approvalArguments(event.call)]
  const spends = run.asks.filter((ask) => ask.tool === tool && ask.argsHash === argsHash)
  letThrough(
    draft,
    laneFor(draft),
    shapeOf(event.call),
    spends.filter((ask) => ask.status === 'approved').map((ask) => ask.id),
  )
}

/** Counts the call in its state and remembers it until its result comes (WF-8, WF-10). */
function letThrough(
  draft: Draft<ToolRequested>,
  lane: LaneName,
  shape: CallShape,
  spends: readonly string[],
): void {
  // An approval serves once, also where the state no longer counts.
  spend(draft, spends)
  const noted: NotedCall = noteCall(draft, lane, shape)
  const { run } = draft
  const { call, by, results } = draft.event
  // Where no state holds, none counts either; what the call costs is known by its end.
  if (hasEnded(run.status) || run.status === 'paused') {
    const seen = results === undefined ? {} : { results }
    const made: CallRecord = {
      ...{ id: call.id, tool: call.tool, argsHash: call.argsHash, caller: by.id, branch: null },
      ...{ visit: run.visits, status: 'open', files: [], shellFiles: [], counted: [] },
      ...{ evidence: [], mails: 0, capability: shape.capability, ...seen, free: true },
    }
    draft.run = { ...run, calls: rememberCall(run.calls, made) }
    return
  }
  const frame = topFrame(laneOf(run, lane))
  const counted = newFiles(frame.counters.files, shape)
  const counters = {
    visit: frame.counters.visit,
    iterations: frame.counters.iterations + 1,
    bytes: frame.counters.bytes,
    files: counted.length === 0 ? frame.counters.files : [...frame.counters.files, ...counted],
  }
  replaceTop(draft, lane, { ...frame, counters })
  const evidence = startEvidence(draft, lane, shape)
  startEdits(draft, call.id, [...shape.files, ...shape.shellFiles])
  const mails = call.mail?.messages.length ?? 0
  const made: CallRecord = {
    id: call.id,
    tool: call.tool,
    argsHash: call.argsHash,
    caller: by.id,
    branch: lane,
    visit: frame.counters.visit,
    status: 'open',
    files: shape.files,
    shellFiles: shape.shellFiles,
    counted,
    evidence,
    mails,
    capability: shape.capability,
    ...(results === undefined ? {} : { results }),
    ...noted,
  }
  const calls = rememberCall(draft.run.calls, made)
  draft.run = { ...draft.run, calls, mailsSent: draft.run.mailsSent + mails }
}

function spend(draft: Draft, spends: readonly string[]): void {
  if (spends.length === 0) return
  const asks = draft.run.asks.filter((one) => one.always || !spends.includes(one.id))
  draft.run = { ...draft.run, asks }
}
