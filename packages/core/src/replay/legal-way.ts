import { defined } from '../base/defined.ts'
import type { JsonObject } from '../base/json.ts'
import type { Machine, MachineTransition, Program } from '../machine/machine.ts'
import { targetsOf } from '../machine/way.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { chooseLane, machineOfCaller, stateOfCaller } from '../run/choose-lane.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import { laneOf, lanesOf } from '../run/lanes.ts'
import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { claimsFor } from './claims.ts'

/** Where a run stands after legal moves, and what they took. */
export interface LegalPosition {
  readonly run: RunSnapshot
  readonly events: readonly string[]
  /** Questions that a person answered with yes on the way. */
  readonly approvals: number
  /** Fields that the agent reported on the way. */
  readonly claims: readonly string[]
  /** Evidence, a condition or a person let a move pass: not every agent gets here. */
  readonly isEarned: boolean
}

/** A move that would have led on, and why it is refused now. */
export interface ClosedMove {
  readonly event: string
  readonly message: string
}

export interface LegalWay {
  readonly reached?: LegalPosition
  /** Where the call is denied for less: a state that has its tool, say. */
  readonly nearer?: LegalPosition
  /** The first move that only evidence keeps shut. */
  readonly closed?: ClosedMove
}

export interface Walk {
  readonly program: Program
  readonly at: number
  readonly by: Actor
  readonly digests: (machine: Machine) => DigestFacts
}

const person: Actor = { kind: 'person', id: 'person' }
const maxPositions = 64
const maxMoves = 8

/** What a state would say of the call: yes, no for less than the first one said, or no. */
export type Look = 'fits' | 'nearer' | 'no'

/**
 * The shortest sequence of legal events after which the run fits, breadth first over the reducer
 * itself. Coming back to the same state is no way, only a way round its limits. Ending the run is
 * none either, unless the end was earned: without that, anyone who says DONE would be free.
 */
export function legalWay(
  walk: Walk,
  from: RunSnapshot,
  look: (run: RunSnapshot) => Look,
  options: { readonly mayEnd: boolean },
): LegalWay {
  const start = { run: from, events: [], approvals: 0, claims: [], isEarned: false }
  const startPosition = positionOf(walk, from)
  const seen = new Set<string>()
  const queue: LegalPosition[] = [start]
  const ends: LegalPosition[] = []
  let closed: ClosedMove | undefined
  let nearer: LegalPosition | undefined
  for (let index = 0; index < queue.length && seen.size < maxPositions; index++) {
    const here = queue[index]
    if (here === undefined || here.events.length >= maxMoves) continue
    for (const move of movesFrom(walk, here)) {
      const made = makeMove(walk, here, move)
      if ('closed' in made) closed ??= made.closed
      if (!('next' in made)) continue
      const { next } = made
      const position = positionOf(walk, next.run)
      const key = `${position} ${[...new Set(next.claims)].toSorted().join(' ')}`
      if (position === startPosition || seen.has(key)) continue
      seen.add(key)
      if (hasEnded(next.run.status)) {
        ends.push(next)
        continue
      }
      const seenThere = look(next.run)
      if (seenThere === 'fits') return { reached: next }
      if (seenThere === 'nearer') nearer ??= next
      queue.push(next)
    }
  }
  const earned = ends.filter(({ run, isEarned }) => isEarned && run.status === 'completed')
  const end = options.mayEnd ? earned.find(({ run }) => look(run) === 'fits') : undefined
  return defined({ reached: end, nearer, closed })
}

type Move =
  | { readonly kind: 'approve'; readonly approvalId: string }
  | {
      readonly kind: 'send'
      readonly event: string
      readonly transition: MachineTransition
      readonly data: JsonObject
    }

function movesFrom(walk: Walk, { run }: LegalPosition): Move[] {
  const { program, by } = walk
  const choice = chooseLane(run, by, undefined)
  const waiting = choice.kind === 'lane' ? laneOf(run, choice.name).approval : null
  if (waiting !== null) return [{ kind: 'approve', approvalId: waiting.id }]
  const state = stateOfCaller(program, run, by)
  if (state === null) return []
  const machine = machineOfCaller(program, run, by)
  return [...state.transitions].flatMap(([event, transition]) =>
    claimsFor(machine, targetsOf(transition, null)).map((data): Move => {
      return { kind: 'send', event, transition, data }
    }),
  )
}

type MoveResult =
  | { readonly next: LegalPosition }
  | { readonly closed: ClosedMove }
  | Record<never, never>

function makeMove(walk: Walk, here: LegalPosition, move: Move): MoveResult {
  const asked = move.kind === 'approve' ? undefined : send(walk, here, move)
  if (asked?.refusal !== undefined) {
    const { code, message } = asked.refusal
    const isShut = code === 'evidence_missing' || code === 'no_candidate'
    return move.kind === 'send' && isShut ? { closed: { event: move.event, message } } : {}
  }
  const waits = asked?.answer.type === 'pending_approval' ? asked.answer.approvalId : undefined
  const approvalId = move.kind === 'approve' ? move.approvalId : waits
  const run = asked?.run ?? here.run
  const approved = approvalId === undefined ? undefined : approve(walk, run, approvalId)
  if (approved?.refusal !== undefined) return {}
  const moved = approved?.run ?? run
  return {
    next: {
      run: moved,
      events: move.kind === 'send' ? [...here.events, move.event] : here.events,
      approvals: here.approvals + (approved === undefined ? 0 : 1),
      claims: move.kind === 'send' ? [...here.claims, ...Object.keys(move.data)] : here.claims,
      isEarned: here.isEarned || approved !== undefined || isGuarded(move),
    },
  }
}

function send(
  { program, at, by, digests }: Walk,
  { run, events }: LegalPosition,
  { event, transition, data }: Extract<Move, { kind: 'send' }>,
): Step {
  const approvalId = `way-${events.length}`
  if (transition.kind === 'answer') {
    const rationale = 'replay'
    return reduceRun(program, run, {
      type: 'answer_given',
      at,
      by,
      answer: event,
      rationale,
      approvalId,
    })
  }
  const facts = digests(machineOfCaller(program, run, by))
  return reduceRun(program, run, {
    ...{ type: 'transition_requested', at, by, event, approvalId, digests: facts },
    ...(Object.keys(data).length === 0 ? {} : { data }),
  })
}

function approve({ program, at, by, digests }: Walk, run: RunSnapshot, approvalId: string): Step {
  const facts = digests(machineOfCaller(program, run, by))
  const verdict = 'approve'
  return reduceRun(program, run, {
    ...{ type: 'approval_resolved', at, by: person, approvalId, verdict, digests: facts },
  })
}

/** What an agent merely reports is no proof. */
function isGuarded(move: Move): boolean {
  if (move.kind !== 'send' || move.transition.kind !== 'move') return false
  return move.transition.candidates.every(({ guards }) =>
    guards.some(({ kind }) => kind === 'evidence' || kind === 'condition'),
  )
}

/** Counters differ by how one came there. */
function positionOf({ program, by }: Walk, run: RunSnapshot): string {
  const lanes = lanesOf(run)
  const frames = lanes.flatMap((lane) =>
    lane.frames.map(({ machine, state, interrupt }) => [machine, state, interrupt?.name]),
  )
  const waits = lanes.map(({ approval }) => approval !== null)
  const state = stateOfCaller(program, run, by)?.name
  return JSON.stringify([run.status, frames, waits, state])
}
