import type { JsonObject } from '../base/json.ts'
import { filesChanged, type Simulated, simulateMove } from '../history/simulation.ts'
import { stateOf, topFrame } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import {
  approvedCalls,
  DeniedCalls,
  keyOfCall,
  positionOf,
  type TriedCall,
} from './call-effects.ts'
import { type Assumed, plainReadings, type Readings } from './free-conditions.ts'
import {
  callMoves,
  changesBesides,
  countedBytes,
  type DataFields,
  dataOf,
  idleMoves,
  type Move,
  type OpenLane,
  openLanes,
  possibleMoves,
} from './moves.ts'
import { actingLane } from './passage.ts'
import type { SampleCalls } from './sample-calls.ts'
import { type Situation, situation, type Watched } from './situation.ts'
import { afterWaiting } from './waiting.ts'
import type { Passage, Watch } from './watch.ts'

export interface SearchOptions {
  readonly start: Simulated
  readonly readings: Readings
  readonly calls: SampleCalls
  readonly tried: readonly TriedCall[]
  /** Whether limits are used up on purpose. */
  readonly usesLimits: boolean
  readonly data: DataFields
  readonly watched: Watched
  readonly watch: Watch
  /** More moves from a situation, such as the call that a claim is about. */
  readonly alsoTry?: (play: Simulated) => readonly Move[]
  /** Whether ways between situations are kept, for claims on what can still be reached. */
  readonly keepsWays?: boolean
  readonly bounds: Bounds
}

export interface Bounds {
  readonly situations: number
  /** Moves tried, whatever came of them. */
  readonly moves: number
}

export const usualBounds: Bounds = { situations: 200_000, moves: 4_000_000 }

export type Bound = keyof Bounds | 'data' | 'conditions'

export interface Reached {
  readonly play: Simulated
  readonly memory: string
  readonly from: number
  readonly move: Move | null
  readonly assumed: readonly Assumed[]
  readonly depth: number
}

/** A move of a way and what came of it. */
export interface WayStep {
  readonly move: Move
  readonly after: Simulated
  readonly assumed: readonly Assumed[]
}

/** Where a situation leads, and whether all that it stands for can go there. */
export interface Way {
  readonly to: number
  readonly isSure: boolean
  /** Conditions have to come out so. */
  readonly isAssumed: boolean
}

export interface Found {
  readonly reached: readonly Reached[]
  /** Of each situation those that it leads to; only where ways are kept. */
  readonly ways: readonly (readonly Way[])[]
  /** Situations whose every move was tried: the first so many. */
  readonly expanded: number
  /** The bound that ended the search before it had seen everything. */
  readonly bound: Bound | null
  /** The way to what the claim says never happens. */
  readonly violation: readonly WayStep[] | null
}

/** Looks at every situation that a run can come into, nearest first (PV-2). */
export function search(options: SearchOptions): Found {
  const { start, watch, bounds } = options
  const first = watch.start(start)
  const known = new Known(options.watched)
  const { reached } = known
  const ways: Way[][] = []
  const found = (rest: Partial<Found>): Found => ({
    ...{ reached, ways, expanded: ways.length, bound: null, violation: null },
    ...rest,
  })
  if (first.violated) return found({ violation: [] })
  const begun = { play: lean(start), memory: first.memory, from: -1, move: null }
  known.add({ ...begun, assumed: [], depth: 0 })
  const trial = new Trial(options)
  for (let index = 0; index < reached.length; index++) {
    const node = reached[index]
    if (node === undefined) break
    const passages = trial.passagesFrom(node)
    if (typeof passages === 'string') return found({ bound: passages })
    const next: Way[] = []
    for (const passage of passages) {
      const noted = watch.pass(passage, node.memory)
      const { after, move, assumed = [] } = passage
      if (noted.violated) {
        return found({ violation: [...wayTo(reached, index), { move, after, assumed }] })
      }
      if (isSame(passage) && noted.memory === node.memory) continue
      const depth = node.depth + 1
      const { memory } = noted
      const to = known.add({ play: lean(after), memory, from: index, move, assumed, depth })
      if (options.keepsWays !== true) continue
      next.push({ to, isSure: trial.isSure(passage), isAssumed: assumed.length > 0 })
    }
    ways.push(next)
    if (reached.length > bounds.situations) return found({ bound: 'situations' })
    if (trial.count > bounds.moves) return found({ bound: 'moves' })
  }
  return found({})
}

/** Situations by their keys. */
class Known {
  readonly reached: Reached[] = []
  readonly #watched: Watched
  readonly #byKey = new Map<
    string,
    { readonly used: readonly number[]; readonly index: number }[]
  >()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** The number of the situation, which may have been there before. */
  add(one: Reached): number {
    const { key, used } = situation(one.play, this.#watched)
    const whole = `${key}\n${one.memory}`
    const alike = this.#byKey.get(whole) ?? []
    const same = alike.find((other) => isLess(other.used, used))
    if (same !== undefined) return same.index
    const index = this.reached.push(one) - 1
    const kept = alike.filter((other) => !isLess(used, other.used))
    this.#byKey.set(whole, [...kept, { used, index }])
    return index
  }
}

/** The moves that led to a situation. */
export function wayTo(reached: readonly Reached[], index: number): WayStep[] {
  const way: WayStep[] = []
  for (let one = reached[index]; one !== undefined; one = reached[one.from]) {
    const { move, play: after, assumed } = one
    if (move !== null) way.unshift({ move, after, assumed })
  }
  return way
}

/** Makes a move, each a moment after the last one. */
export function makeMove(before: Simulated, move: Move, at: number): Simulated {
  const play = { ...before, entries: [] }
  if (move.kind === 'change') return { ...filesChanged(play, move.files) }
  if (move.kind === 'wait') return { ...play, run: afterWaiting(play.program, play.run, move.ms) }
  return simulateMove(play, move, at)
}

/** Tries moves and counts them. */
class Trial {
  count = 0
  #isCut = false
  readonly #options: SearchOptions
  readonly #denied = new DeniedCalls()
  readonly #changing: ReadonlySet<string>
  readonly #rejected: ReadonlySet<string>

  constructor(options: SearchOptions) {
    this.#options = options
    const changing = options.tried.filter(({ changesFiles }) => changesFiles)
    this.#changing = new Set(changing.map(({ key }) => key))
    const { usesLimits, watched, tried } = options
    // A no only closes: it matters where something has to stay within reach.
    const closing = tried.filter(({ tells }) => usesLimits && (tells || watched.files === 'exact'))
    this.#rejected = new Set(closing.map(({ request }) => request))
  }

  /** All that can happen from here, or what there is too much of. */
  passagesFrom(node: Reached): Passage[] | Bound {
    const made = this.#passagesFrom(node)
    if (made === null) return 'data'
    if (this.#isCut) return 'conditions'
    // A way that needs no answer says more than one that does.
    return made.toSorted((left, right) => countOf(left) - countOf(right))
  }

  #passagesFrom(node: Reached): Passage[] | null {
    const { play } = node
    const { calls, alsoTry } = this.#options
    const made: Passage[] = []
    for (const move of possibleMoves(play, (request) => this.#rejected.has(request))) {
      if (move.kind !== 'send') {
        made.push(...this.#pass(node, move))
        continue
      }
      const sent = this.#send(node, move)
      if (sent === null) return null
      made.push(...sent)
    }
    const { asks } = play.run
    if (asks.some(({ status }) => status === 'waiting')) return made
    for (const lane of openLanes(play)) made.push(...this.#callsIn(node, lane))
    for (const move of alsoTry?.(play) ?? []) made.push(...this.#pass(node, move, true))
    for (const move of changesBesides(play, calls)) made.push(...this.#pass(node, move))
    return made
  }

  /**
   * Whether somebody who is here can count on the move. Where the least use of files stands for
   * all, another may have no file left to change.
   */
  isSure({ before, move }: Passage): boolean {
    if (move.kind !== 'call' || this.#options.watched.files !== 'least') return true
    if (!this.#changing.has(keyOfCall(move))) return true
    const { maxFiles } = stateOf(before.program, topFrame(actingLane({ before, move })))
    return !Number.isFinite(maxFiles)
  }

  /** What comes of a move, once for each way in which its conditions come out. */
  #pass({ play, depth }: Reached, move: Move, isItself = false): Passage[] {
    const { readings } = this.#options
    const isOfKind = readings !== plainReadings && !isItself
    const outcomes = readings(isItself, () => {
      this.count++
      return makeMove(play, move, firstMoment + depth)
    })
    if (outcomes === null) this.#isCut = true
    return (outcomes ?? []).map(({ made: after, assumed }) => ({
      before: play,
      move,
      after,
      assumed,
      isOfKind,
    }))
  }

  #send(node: Reached, move: Extract<Move, { kind: 'send' }>): Passage[] | null {
    const plain = this.#pass(node, move)
    if (plain.every(({ after }) => after.run === node.play.run)) return plain
    const made = new Map<string, Passage[]>()
    const keyWith = (data: JsonObject) => {
      const passages = isEmpty(data) ? plain : this.#pass(node, { ...move, data })
      made.set(JSON.stringify(data), passages)
      return passages.map(({ after }) => keyOf(after, this.#options)).join('\n\n')
    }
    const data = dataOf(this.#options.data, keyWith)
    if (data === null) return null
    return data.flatMap(
      (one) => made.get(JSON.stringify(one)) ?? this.#pass(node, { ...move, data: one }),
    )
  }

  /** Calls in one lane: of those that do the same, one that is let through is enough. */
  #callsIn(node: Reached, open: OpenLane): Passage[] {
    const { tried, usesLimits, calls, watched } = this.#options
    const { run } = node.play
    const position = positionOf(run, open.lane)
    const made: Passage[] = []
    const done = new Set<string>()
    const approved = approvedCalls(run)
    const bytes = usesLimits ? countedBytes(node.play, open) : null
    for (const call of tried) {
      const effect = watched.files === 'exact' ? call.exactEffect : call.effect
      if (approved.length > 0 && !approved.includes(call.request)) continue
      if (done.has(effect) || this.#denied.isDenied(position, call.key)) continue
      for (const move of callMoves(call, open.branch, bytes)) {
        for (const passage of this.#pass(node, move)) {
          made.push(passage)
          if (isAllowed(passage.after)) done.add(effect)
          else this.#denied.note(position, call.key, passage.after)
        }
      }
    }
    if (!usesLimits || approved.length > 0) return made
    for (const moves of idleMoves(node.play, open, calls)) made.push(...this.#firstOf(node, moves))
    return made
  }

  #firstOf(node: Reached, moves: readonly Move[]): Passage[] {
    for (const move of moves) {
      const passages = this.#pass(node, move)
      if (passages.some(({ after }) => isAllowed(after))) return passages
    }
    return []
  }
}

function countOf({ assumed = [] }: Passage): number {
  return assumed.length
}

function isEmpty(data: JsonObject): boolean {
  return Object.keys(data).length === 0
}

function isAllowed({ last: { answer } }: Simulated): boolean {
  return answer.type === 'decided' && answer.decision.kind === 'allow'
}

const firstMoment = 1001

function keyOf(play: Simulated, { watched }: SearchOptions): string {
  const { key, used }: Situation = situation(play, watched)
  return `${key}\n${used.join()}`
}

function isSame({ before, after }: Passage): boolean {
  return after.run === before.run && after.changedFiles === before.changedFiles
}

/** Whether nothing is used more of. */
function isLess(left: readonly number[], right: readonly number[]): boolean {
  return left.every((used, index) => used <= (right[index] ?? 0))
}

/** Calls that are done, entries and the last step are not needed any more. */
function lean(play: Simulated): Simulated {
  const { run, last } = play
  const calls = run.calls.filter(({ status }) => status !== 'done')
  const kept: RunSnapshot = calls.length === run.calls.length ? run : { ...run, calls }
  return { ...play, run: kept, entries: [], last: { ...last, entries: [], run: kept } }
}
