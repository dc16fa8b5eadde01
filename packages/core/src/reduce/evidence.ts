import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { type CallShape, shapeOf } from '../decide/call-shape.ts'
import type { Machine, MachineEvidence, Program } from '../machine/machine.ts'
import type { ToolFinished, ToolRequested } from '../run/events.ts'
import { type LaneName, laneOf, machineOf, topFrame } from '../run/lanes.ts'
import type { CallRecord, EvidenceRecord, Frame, Lane } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { isWholeSimpleCommand } from '../shell/questions.ts'
import { type Draft, record } from './draft.ts'
import { replaceTop } from './put-lane.ts'

/** Notes that a call which could prove something has begun; returns what it could prove. */
export function startEvidence(
  draft: Draft<ToolRequested>,
  lane: LaneName,
  shape: CallShape,
): readonly string[] {
  const frame = topFrame(laneOf(draft.run, lane))
  const machine = machineOf(draft.program, frame)
  if (machine.evidence.size === 0) return []
  const { call, digests, at } = draft.event
  const facts = provableFacts(machine, call, shape)
  if (facts.length === 0) return []
  const evidence = { ...frame.evidence }
  for (const { name } of facts) {
    evidence[name] = {
      callId: call.id,
      outcome: 'running',
      source: 'reported',
      at,
      before: own(digests, name) ?? null,
      after: null,
      touched: false,
    }
  }
  replaceTop(draft, lane, { ...frame, evidence })
  return facts.map((fact) => fact.name)
}

/** What a call proves once it has ended as wanted. */
export function provableFacts(
  machine: Machine,
  call: ToolCall,
  shape: CallShape = shapeOf(call),
): MachineEvidence[] {
  return [...machine.evidence.values()].filter((fact) => couldProve(fact, call, shape))
}

/** The command must be that one simple command as a whole: `npm test || true` proves nothing. */
function couldProve(fact: MachineEvidence, call: ToolCall, shape: CallShape): boolean {
  if (shape.capability !== fact.capability) return false
  if (fact.command === null) return true
  if (call.shell === undefined || call.background === true) return false
  // In another directory the same words may do anything, and so may further words after them.
  if (call.elsewhere === true || call.shell.whole?.length !== fact.command.length) return false
  return isWholeSimpleCommand(call.shell, fact.command)
}

/** Settles what a finished call proves. Only the newest matching call counts. */
export function finishEvidence(draft: Draft<ToolFinished>, lane: LaneName, call: CallRecord): void {
  if (call.evidence.length === 0) return
  const { event } = draft
  const frame = topFrame(laneOf(draft.run, lane))
  const machine = machineOf(draft.program, frame)
  for (const name of call.evidence) {
    const fact = machine.evidence.get(name)
    const started = own(topFrame(laneOf(draft.run, lane)).evidence, name)
    if (fact === undefined || started === undefined || started.callId !== call.id) continue
    const wanted = fact.wantsSuccess ? 'success' : 'failure'
    const proved = event.exit === wanted
    const finished: EvidenceRecord = {
      ...started,
      outcome: proved ? 'proved' : 'refuted',
      source: event.source,
      at: event.at,
      after: own(event.digests, name) ?? null,
    }
    const current = topFrame(laneOf(draft.run, lane))
    replaceTop(draft, lane, { ...current, evidence: { ...current.evidence, [name]: finished } })
    const { source } = event
    record(draft, { type: 'evidence', name, proved, source, call_id: call.id }, lane)
  }
}

/** What a call proved counts no more, in whichever lane. */
export function voidEvidence(draft: Draft<ToolFinished>, { id, branch }: CallRecord): void {
  const names: string[] = []
  changeRecords(draft, (known, { name }) => {
    if (known.callId !== id || known.outcome !== 'proved') return known
    names.push(name)
    return { ...known, outcome: 'refuted', source: 'reported' }
  })
  for (const name of names) {
    record(
      draft,
      { type: 'evidence', name, proved: false, source: 'reported', call_id: id },
      branch,
    )
  }
}

/** An edit that is under way voids what depends on its files, in every lane of the run. */
export function startEdits(draft: Draft, callId: string, files: readonly string[]): void {
  if (files.length === 0) return
  changeRecords(draft, (known, fact) => {
    if (known.touched || !files.some((file) => fact.staleAfter.some((glob) => glob(file)))) {
      return known
    }
    const { edits = [], ...rest } = known
    // Results get lost: so many edits under way are as good as done.
    if (edits.length === limits.editsUnderWay) return { ...rest, touched: true }
    return { ...rest, edits: [...edits, callId] }
  })
}

/** One that failed has voided nothing; the digests tell should it have changed a file after all. */
export function finishEdits(draft: Draft<ToolFinished>, callId: string): void {
  const { exit, source } = draft.event
  changeRecords(draft, (known, fact) => {
    if (known.edits?.includes(callId) !== true) return known
    const { edits, ...rest } = known
    const others = edits.filter((id) => id !== callId)
    const open = others.length === 0 ? rest : { ...rest, edits: others }
    const isBelieved = source === 'observed' || fact.trustsReports
    return exit === 'failure' && isBelieved ? open : { ...rest, touched: true }
  })
}

type Change = (known: EvidenceRecord, fact: MachineEvidence) => EvidenceRecord

function changeRecords(draft: Draft, change: Change): void {
  const { run, program } = draft
  const main = changedLane(program, run.main, change)
  const branches = run.fork?.branches.map((branch) => {
    const lane = changedLane(program, branch.lane, change)
    return lane === branch.lane ? branch : { ...branch, lane }
  })
  const fork = run.fork === null ? null : { ...run.fork, branches: branches ?? [] }
  draft.run = { ...run, main, fork }
}

function changedLane(program: Program, lane: Lane, change: Change): Lane {
  const frames = lane.frames.map((frame) => changedFrame(program, frame, change))
  const isSame = frames.every((frame, index) => frame === lane.frames[index])
  return isSame ? lane : { ...lane, frames }
}

function changedFrame(program: Program, frame: Frame, change: Change): Frame {
  const machine = machineOf(program, frame)
  if (machine.evidence.size === 0) return frame
  const evidence = { ...frame.evidence }
  let hasChanged = false
  for (const [name, known] of Object.entries(evidence)) {
    const fact = machine.evidence.get(name)
    const after = fact === undefined ? known : change(known, fact)
    if (after === known) continue
    evidence[name] = after
    hasChanged = true
  }
  return hasChanged ? { ...frame, evidence } : frame
}
