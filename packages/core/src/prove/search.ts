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
import type { Passage, Watch } from './watch.ts'

export interface SearchOptions {
  readonly start: Simulated
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

export type Bound = keyof Bounds | 'data'

export interface Reached {
  readonly play: Simulated
  readonly memory: string
  readonly from: number
  readonly move: Move | null
  readonly depth: number
}

/** Where a situation leads, and whether all that it stands for can go there. */
export interface Way {
  readonly to: number
  readonly isSure: boolean
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
  readonly violation: readonly Move[] | null
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
  known.add({ play: lean(start), memory: first.memory, from: -1, move: null, depth: 0 })
  const trial = new Trial(options)
  for (let index = 0; index < reached.length; index++) {
    const node = reached[index]
    if (node === undefined) break
    const passages = trial.passagesFrom(node)
    if (passages === null) return found({ bound: 'data' })
    const next: Way[] = []
    for (const passage of passages) {
      const noted = watch.pass(passage, node.memory)
      const { after, move } = passage
      if (noted.violated) return found({ violation: [...wayTo(reached, index), move] })
      if (isSame(passage) && noted.memory === node.memory) continue
      const depth = node.depth + 1
      const to = known.add({ play: lean(after), memory: noted.memory, from: index, move, depth })
      if (options.keepsWays === true) next.push({ to, isSure: trial.isSure(passage) })
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
export function wayTo(reached: readonly Reached[], index: number): Move[] {
  const way: Move[] = []
  for (let at = index; at >= 0; at = reached[at]?.from ?? -1) {
    const move = reached[at]?.move
    if (move) way.unshift(move)
  }
  return way
}

/** Makes a move, each a moment after the last one. */
export function makeMove(before: Simulated, move: Move, at: number): Simulated {
  const play = { ...before, entries: [] }
  if (move.kind === 'change') return { ...filesChanged(play, move.files) }
  return simulateMove(play, move, at)
}

/** Tries moves and counts them. */
class Trial {
  count = 0
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

  /** All that can happen from here; null when there is too much of it. */
  passagesFrom(node: Reached): Passage[] | null {
    const { play } = node
    const { calls, alsoTry } = this.#options
    const made: Passage[] = []
    for (const move of possibleMoves(play, (request) => this.#rejected.has(request))) {
      if (move.kind !== 'send') {
        made.push(this.#pass(node, move))
        continue
      }
      const sent = this.#send(node, move)
      if (sent === null) return null
      made.push(...sent)
    }
    const { asks } = play.run
    if (asks.some(({ status }) => status === 'waiting')) return made
    for (const lane of openLanes(play)) made.push(...this.#callsIn(node, lane))
    const last = [...(alsoTry?.(play) ?? []), ...changesBesides(play, calls)]
    for (const move of last) made.push(this.#pass(node, move))
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

  #pass({ play, depth }: Reached, move: Move): Passage {
    this.count++
    return { before: play, move, after: makeMove(play, move, firstMoment + depth) }
  }

  #send(node: Reached, move: Extract<Move, { kind: 'send' }>): Passage[] | null {
    const plain = this.#pass(node, move)
    if (plain.after.run === node.play.run) return [plain]
    const made = new Map<string, Passage>()
    const keyWith = (data: JsonObject) => {
      const passage = isEmpty(data) ? plain : this.#pass(node, { ...move, data })
      made.set(JSON.stringify(data), passage)
      return keyOf(passage.after, this.#options)
    }
    const data = dataOf(this.#options.data, keyWith)
    if (data === null) return null
    return data.map(
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
        const passage = this.#pass(node, move)
        made.push(passage)
        if (isAllowed(passage.after)) done.add(effect)
        else this.#denied.note(position, call.key, passage.after)
      }
    }
    if (!usesLimits || approved.length > 0) return made
    for (const moves of idleMoves(node.play, open, calls)) made.push(...this.#firstOf(node, moves))
    return made
  }

  #firstOf(node: Reached, moves: readonly Move[]): Passage[] {
    for (const move of moves) {
      const passage = this.#pass(node, move)
      if (isAllowed(passage.after)) return [passage]
    }
    return []
  }
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
