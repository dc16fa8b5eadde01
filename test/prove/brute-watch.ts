import type { Claim, Program, RunEvent, RunSnapshot, Step } from '@statewright/core/internal'
import type { WorldCall } from './random-worlds.ts'

/** What brute force remembers of a run for a claim. */
export interface Memory {
  readonly isOn: boolean
  readonly visited: readonly string[]
  readonly approved: readonly string[]
}

interface Seen {
  readonly before: RunSnapshot
  readonly step: Step
  readonly event: RunEvent | null
  readonly at: number
  readonly program: Program
  readonly made?: WorldCall | undefined
  /** Of a call that has ended, where it was made: what it brings about happens there. */
  readonly branch?: string | undefined
}

/** What a claim makes of one event, by reading what the reducer wrote. */
export function note(
  claim: Claim,
  memory: Memory,
  seen: Seen,
): { memory: Memory; violated: boolean } {
  if (claim.can_always_reach !== undefined) return { memory, violated: false }
  const { before, step, event } = seen
  const entered: string[] = []
  const sent: string[] = []
  const fired: string[] = []
  for (const entry of step.entries) {
    if (entry.type === 'run_started') entered.push(entry.state)
    if (entry.type === 'transitioned') {
      sent.push(entry.event)
      if (!entry.event.startsWith('BRANCH_FAIL')) entered.push(entry.to)
    }
    if (entry.type === 'interrupted') {
      fired.push(entry.name)
      entered.push(entry.to)
    }
    if (entry.type === 'returned') entered.push(entry.to)
    if (entry.type === 'joined' || entry.type === 'invoke_ended') entered.push(entry.to ?? '')
    if (entry.type === 'invoked') {
      sent.push(entry.event)
      entered.push(entry.state)
    }
    if (entry.type === 'forked') {
      sent.push(entry.event)
      entered.push(...initials(seen, entry.event))
    }
  }
  const is = (moment: typeof claim.from) =>
    moment !== undefined &&
    (entered.includes(moment.enter ?? '-') ||
      sent.includes(moment.event ?? '-') ||
      fired.includes(moment.interrupt ?? '-'))
  const approval = approvedIn(before, step, event)
  const isNamed = [claim.unless ?? []].flat().some((one) => one.approval === approval)
  const approved =
    approval === null || !isNamed
      ? memory.approved
      : [...new Set([...memory.approved, approval])].sort()
  const isOn = memory.isOn && !is(claim.to)
  // A call may fire a detour of an earlier one before it is judged.
  const judged = step.entries.find((entry) => entry.type === 'call_decided')
  const here = judged?.type === 'call_decided' ? judged.state : standsAt(before, event, seen.branch)
  const isStart = event === null && step.run === before
  const isIn = claim.in === undefined || (!isStart && claim.in.includes(here))
  let visited = memory.visited
  let violated = false
  const proved = (isApproved: boolean, run: RunSnapshot) =>
    claim.unless !== undefined &&
    [claim.unless].flat().every((proof) => {
      if (proof.evidence !== undefined) return isFresh(seen.program, run, event, seen.branch)
      if (proof.fact !== undefined) return isKnown(seen, run)
      if (proof.visited !== undefined) return visited.includes(proof.visited)
      return proof.approval === true ? isApproved : approved.includes(`${proof.approval}`)
    })
  for (const state of entered) {
    const isMeant = claim.never?.enter === state
    if (isMeant && isOn && isIn && !proved(approval !== null, step.run)) violated = true
    const isAsked = [claim.unless ?? []].flat().some((one) => one.visited === state)
    if (isAsked && !visited.includes(state)) visited = [...visited, state].sort()
  }
  if (isOn && isIn && isBadCall(claim, seen) && !proved(isSpent(before, step.run), before))
    violated = true
  return { memory: { isOn: isOn || is(claim.from), visited, approved }, violated }
}

function isBadCall(claim: Claim, { before, step, event, made }: Seen): boolean {
  // The claims of a world name its own calls.
  if (made === undefined || claim.never?.call !== made) return false
  if (event?.type !== 'tool_requested') return false
  const isOver = before.status !== 'running' && before.status !== 'waiting'
  if (isOver && claim.in === undefined) return false
  return step.answer.type === 'decided' && step.answer.decision.kind === 'allow'
}

function initials({ before, program }: Seen, event: string): string[] {
  const frame = before.main.frames.at(-1)
  const state = program.machines.get(frame?.machine ?? '')?.states.get(frame?.state ?? '')
  const fork = state?.transitions.get(event)
  return fork?.kind === 'fork' ? fork.branches.map(({ initial }) => initial) : []
}

function approvedIn(before: RunSnapshot, step: Step, event: RunEvent | null): string | null {
  if (event?.type !== 'approval_resolved' || event.verdict !== 'approve') return null
  if (step.answer.type !== 'moved') return null
  const lanes = [before.main, ...(before.fork?.branches.map(({ lane }) => lane) ?? [])]
  return lanes.find(({ approval }) => approval?.id === event.approvalId)?.approval?.event ?? null
}

function isSpent(before: RunSnapshot, after: RunSnapshot): boolean {
  const left = new Set(after.asks.map(({ id }) => id))
  return before.asks.some(({ id, status }) => status === 'approved' && !left.has(id))
}

function laneFor(run: RunSnapshot, event: RunEvent | null, ended: string | undefined) {
  const named = event !== null && 'branch' in event ? event.branch : ended
  const sentTo = event?.type === 'transition_requested' ? event.event.split(':')[1] : undefined
  const asked = event?.type === 'approval_resolved' ? event.approvalId : undefined
  const branch = run.fork?.branches.find(
    ({ name, lane }) =>
      name === (named ?? sentTo) || (asked !== undefined && lane.approval?.id === asked),
  )
  return branch?.lane ?? run.main
}

function standsAt(before: RunSnapshot, event: RunEvent | null, ended: string | undefined): string {
  return laneFor(before, event, ended).frames.at(-1)?.state ?? ''
}

function isKnown({ program, at }: Seen, run: RunSnapshot): boolean {
  const { expiresMs } = program.root.facts.find(({ name }) => name === 'r') ?? { expiresMs: null }
  const seen = Object.values(run.facts?.small?.r?.values ?? {})
  return seen.some((value) => expiresMs === null || at < value.at + expiresMs)
}

function isFresh(
  program: Program,
  run: RunSnapshot,
  event: RunEvent | null,
  ended: string | undefined,
): boolean {
  const lane = laneFor(run, event, ended)
  const frames = [...lane.frames.toReversed(), ...run.main.frames.toReversed()]
  const record = frames.find(({ machine }) => machine === 'small')?.evidence.t
  if (record === undefined || record.outcome !== 'proved') return false
  if (program.root.evidence.get('t')?.staleAfter.length === 0) return true
  if (record.before?.stale !== record.after?.stale) return false
  const given = event !== null && 'digests' in event ? event.digests?.t?.stale : undefined
  const isNow = given === undefined || given === record.after?.stale
  return record.touched !== true && record.edits === undefined && isNow
}
