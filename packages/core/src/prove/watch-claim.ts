import { unreachable } from '../base/invariant.ts'
import { own } from '../base/own.ts'
import { digestsOf } from '../history/imagined-files.ts'
import type { Simulated } from '../history/simulation.ts'
import { lanesOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { evidenceState } from '../run/read-evidence.ts'
import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import type { CompiledMoment, CompiledNever, CompiledProof } from './compile-claim.ts'
import type { Move } from './moves.ts'
import {
  actingLane,
  approvedBy,
  framesOf,
  type Happening,
  happenings,
  type StateRef,
  sameState,
} from './passage.ts'
import type { Noted, Passage, Watch } from './watch.ts'

/** What a claim remembers: whether it holds now, and which of its proofs were seen. */
interface Memory {
  readonly isOn: boolean
  /** Indexes of proofs on what was visited or approved earlier. */
  readonly seen: readonly number[]
}

/** Watches a way for what a claim says never happens (PV-4). */
export function watchNever(claim: CompiledNever): Watch {
  return {
    start: (play) => {
      const first: Memory = { isOn: claim.from === null, seen: [] }
      const passage: Passage = { before: play, after: play, move: { kind: 'change', files: [] } }
      return note(claim, passage, first)
    },
    pass: (passage, memory) => note(claim, passage, read(memory)),
  }
}

/** The events that a claim begins or ends with. */
export function eventsOfClaim({ from, to }: CompiledNever): string[] {
  return [from, to].flatMap((moment) => (moment?.kind === 'event' ? [moment.event] : []))
}

/** The call that a claim is about, wherever it may be made. */
export function callsOfClaim(claim: CompiledNever): (play: Simulated) => readonly Move[] {
  const { call } = claim
  if (call === null) return () => []
  return ({ run, program }) => {
    const isOver = hasEnded(run.status)
    // After its end a run holds nothing but its policy: only whoever names an end asks about that.
    const isMeant = claim.in?.some(
      ({ machine, state }) => program.machines.get(machine)?.states.get(state)?.isFinal,
    )
    if (isOver && isMeant !== true) return []
    const branches = run.fork?.branches ?? []
    const open = branches.filter(({ status }) => status === 'pending' || status === 'running')
    const names = run.fork === null ? [undefined] : open.map(({ name }) => name)
    return names.map((branch): Move => ({ kind: 'call', ...call, branch, exit: 'success' }))
  }
}

function note(claim: CompiledNever, passage: Passage, before: Memory): Noted {
  const found = happenings(passage)
  const ends = claim.to !== null && found.some((one) => isMoment(one, claim.to))
  const begins = claim.from !== null && found.some((one) => isMoment(one, claim.from))
  let seen = before.seen
  let violated = false
  const isOn = before.isOn && !ends
  const approved = approvedBy(passage)?.event ?? null
  seen = addSeen(claim, seen, (proof) => {
    return proof.kind === 'approval' && proof.event !== null && proof.event === approved
  })
  for (const one of found) {
    if (one.kind !== 'enter') continue
    if (isOn && entersBadly(claim, passage, one, seen)) violated = true
    seen = addSeen(claim, seen, (proof) => {
      return proof.kind === 'visited' && sameState(proof.state, one.at)
    })
  }
  // A call is judged before anything comes of it: what it sets off neither ends nor excuses it.
  if (before.isOn && callsBadly(claim, passage, before.seen)) violated = true
  const after: Memory = { isOn: (before.isOn && !ends) || begins, seen }
  return { memory: write(after), violated }
}

function addSeen(
  { unless }: CompiledNever,
  seen: readonly number[],
  isSeen: (proof: CompiledProof) => boolean,
): readonly number[] {
  const more = unless.flatMap((proof, index) =>
    !seen.includes(index) && isSeen(proof) ? [index] : [],
  )
  return more.length === 0 ? seen : [...seen, ...more].sort((left, right) => left - right)
}

function isMoment(one: Happening, moment: CompiledMoment | null): boolean {
  switch (moment?.kind) {
    case 'enter':
      return one.kind === 'enter' && sameState(one.at, moment.state)
    case 'event':
      return one.kind === 'event' && one.event === moment.event
    case 'interrupt':
      return one.kind === 'interrupt' && one.name === moment.name
    default:
      return false
  }
}

type Entering = Extract<Happening, { kind: 'enter' }>

function entersBadly(
  claim: CompiledNever,
  passage: Passage,
  { at, branch }: Entering,
  seen: readonly number[],
): boolean {
  if (claim.enter === null || !sameState(claim.enter, at)) return false
  if (!standsIn(claim, passage)) return false
  return !isExcused(claim, (proof, index) => {
    if (proof.kind === 'approval' && proof.event === null) return approvedBy(passage) !== null
    return isProved(proof, passage.after, branch, seen.includes(index))
  })
}

function callsBadly(claim: CompiledNever, passage: Passage, seen: readonly number[]): boolean {
  const { before, move, after } = passage
  const { call } = claim
  if (call === null || move.kind !== 'call' || passage.isOfKind === true) return false
  if (move.tool !== call.tool || JSON.stringify(move.input) !== JSON.stringify(call.input))
    return false
  const { answer } = after.last
  if (answer.type !== 'decided' || answer.decision.kind !== 'allow') return false
  const mayBeOver = claim.in !== null
  if (hasEnded(before.run.status) && !mayBeOver) return false
  if (!standsIn(claim, passage)) return false
  return !isExcused(claim, (proof, index) => {
    if (proof.kind === 'approval' && proof.event === null)
      return usesApproval(before.run, after.run)
    return isProved(proof, before, move.branch ?? null, seen.includes(index))
  })
}

/** Whether every proof is there. A claim without any is never excused. */
function isExcused(
  { unless }: CompiledNever,
  isThere: (proof: CompiledProof, index: number) => boolean,
): boolean {
  return unless.length > 0 && unless.every(isThere)
}

/** Whether the call was let through because a person had approved it. */
function usesApproval(before: RunSnapshot, after: RunSnapshot): boolean {
  return before.asks.some(({ id, status, always }) => {
    return status === 'approved' && (always || !after.asks.some((one) => one.id === id))
  })
}

function standsIn({ in: states }: CompiledNever, passage: Passage): boolean {
  if (states === null) return true
  // Anyone who begins comes from nowhere.
  if (passage.before === passage.after) return false
  const { machine, state } = topFrame(actingLane(passage))
  const here: StateRef = { machine, state }
  return states.some((one) => sameState(one, here))
}

function isProved(
  proof: CompiledProof,
  play: Simulated,
  branch: string | null,
  wasSeen: boolean,
): boolean {
  switch (proof.kind) {
    case 'evidence':
      return isFresh(play, branch, proof.name)
    case 'fact':
      return isKnown(play, proof.name)
    case 'visited':
    case 'approval':
      return wasSeen
    default:
      return unreachable(proof)
  }
}

/** As the frame sees it whose definition has such evidence, the live one first. */
function isFresh(play: Simulated, branch: string | null, name: string): boolean {
  for (const frame of framesOf(play, branch)) {
    const machine = machineOf(play.program, frame)
    const fact = machine.evidence.get(name)
    if (fact === undefined) continue
    const now = own(digestsOf(machine, play.changedFiles), name)
    return evidenceState(fact, own(frame.evidence, name), now) === 'fresh'
  }
  return false
}

function isKnown({ run, program }: Simulated, name: string): boolean {
  return [...program.machines.keys()].some((machine) => {
    const values = own(own(run.facts, machine), name)?.values ?? {}
    return Object.keys(values).length > 0
  })
}

/** Whether a run stands where a claim wants it to come, or has ended where any end will do. */
export function hasArrived({ run, program }: Simulated, states: readonly StateRef[]): boolean {
  const lanes = lanesOf(run)
  if (states.length === 0) return hasEnded(run.status)
  return lanes.some(({ frames }) =>
    frames.some((frame) =>
      states.some((one) =>
        sameState(one, { machine: frame.machine, state: stateOf(program, frame).name }),
      ),
    ),
  )
}

function write({ isOn, seen }: Memory): string {
  return `${isOn ? 1 : 0} ${seen.join(' ')}`
}

function read(text: string): Memory {
  const [isOn, ...seen] = text.trim().split(' ').map(Number)
  return { isOn: isOn === 1, seen }
}
