import type { JsonObject } from '../base/json.ts'
import { filesChanged, type Simulated, simulateMove } from '../history/simulation.ts'
import type { Program } from '../machine/machine.ts'
import { stateOf, topFrame } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { Attempts, BarrenMoves, isLess, type Spot } from './barren-moves.ts'
import {
  approvedCalls,
  DeniedCalls,
  keyOfCall,
  positionOf,
  type TriedCall,
} from './call-effects.ts'
import { type Assumed, plainReadings, type Readings } from './free-conditions.ts'
import {
  type CallMove,
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
import { actingLane, happenings } from './passage.ts'
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
  /** Events that the claim speaks of, which `safe_next` may catch. */
  readonly events?: readonly string[]
  /** Whether ways between situations are kept, for claims on what can still be reached. */
  readonly keepsWays?: boolean
  readonly bounds: Bounds
  /** The rules whose limits on files the search passes over: nobody can count on an edit there. */
  readonly limited?: Program
  /** What earlier searches of the same kind have found to lead nowhere. */
  readonly barren?: BarrenMoves
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
    const spot = known.spotOf(index)
    const passages = trial.passagesFrom(node, spot)
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
      const way = { to, isSure: trial.isSure(passage), isAssumed: assumed.length > 0 }
      trial.noteLed(passage, way, index)
      if (options.keepsWays === true) next.push(way)
    }
    trial.noteBarren(spot)
    ways.push(next)
    if (reached.length > bounds.situations) return found({ bound: 'situations' })
    if (trial.count > bounds.moves) return found({ bound: 'moves' })
  }
  return found({})
}

/** Situations by their keys. */
class Known {
  readonly reached: Reached[] = []
  readonly #spots: Spot[] = []
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
    const { key, base, counted, used } = situation(one.play, this.#watched)
    const whole = `${key}\n${one.memory}`
    const alike = this.#byKey.get(whole) ?? []
    const same = alike.find((other) => isLess(other.used, used))
    if (same !== undefined) return same.index
    const index = this.reached.push(one) - 1
    const kept = alike.filter((other) => !isLess(used, other.used))
    this.#byKey.set(whole, [...kept, { used, index }])
    this.#spots.push({ base, counts: [...counted, ...used] })
    return index
  }

  spotOf(index: number): Spot {
    return this.#spots[index] ?? { base: '', counts: [] }
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
  readonly #barren: BarrenMoves
  /** What need not be tried in the situation at hand. */
  #known: ReadonlyMap<string, boolean> = new Map()
  #attempts = new Attempts()
  readonly #changing: ReadonlySet<string>
  readonly #rejected: ReadonlySet<string>

  constructor(options: SearchOptions) {
    this.#options = options
    this.#barren = options.barren ?? new BarrenMoves()
    const changing = options.tried.filter(({ changesFiles }) => changesFiles)
    this.#changing = new Set(changing.map(({ key }) => key))
    const { usesLimits, watched, tried } = options
    // A no only closes: it matters where something has to stay within reach.
    const closing = tried.filter(({ tells }) => usesLimits && (tells || watched.files === 'exact'))
    this.#rejected = new Set(closing.map(({ request }) => request))
  }

  /** All that can happen from here, or what there is too much of. */
  passagesFrom(node: Reached, spot: Spot): Passage[] | Bound {
    this.#known = this.#barren.at(spot)
    this.#attempts = new Attempts()
    const made = this.#passagesFrom(node)
    if (made === null) return 'data'
    if (this.#isCut) return 'conditions'
    // A way that needs no answer says more than one that does.
    return made.toSorted((left, right) => countOf(left) - countOf(right))
  }

  /** Where a passage of the situation at hand led. */
  noteLed(passage: Passage, { to, isSure, isAssumed }: Way, index: number): void {
    const { attempt, move } = passage
    if (attempt === undefined) return
    if (move.kind === 'send' || happenings(passage).length > 0) this.#attempts.bear(attempt)
    else if (to !== index) this.#attempts.lead(attempt, `${to} ${isSure} ${isAssumed}`)
  }

  /** After all its passages were looked at. */
  noteBarren(spot: Spot): void {
    this.#barren.note(spot, new Map([...this.#known, ...this.#attempts.barren()]))
  }

  #passagesFrom(node: Reached): Passage[] | null {
    const { play } = node
    const { calls, alsoTry } = this.#options
    const made: Passage[] = []
    const rejects = (request: string) => this.#rejected.has(request)
    for (const move of possibleMoves(play, rejects, this.#options.events)) {
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
    for (const move of changesBesides(play, calls)) {
      const attempt = move.kind === 'change' ? `change\n${move.files.join()}` : undefined
      if (attempt !== undefined && this.#known.has(attempt)) continue
      made.push(...this.#try(node, move, attempt))
    }
    return made
  }

  /** Whether somebody who is here can count on the move: there may be no file left to change. */
  isSure({ before, move }: Passage): boolean {
    const { limited } = this.#options
    if (move.kind !== 'call' || limited === undefined) return true
    if (!this.#changing.has(keyOfCall(move))) return true
    const { maxFiles } = stateOf(limited, topFrame(actingLane({ before, move })))
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

  /** The same as an attempt of that name. */
  #try(node: Reached, move: Move, attempt: string | undefined): Passage[] {
    const passages = this.#pass(node, move)
    if (attempt === undefined) return passages
    this.#attempts.make(
      attempt,
      passages.some(({ after }) => isAllowed(after)),
    )
    return passages.map((passage) => ({ ...passage, attempt }))
  }

  #send(node: Reached, move: Extract<Move, { kind: 'send' }>): Passage[] | null {
    const attempt = `send ${move.branch ?? ''}\n${move.event}`
    if (this.#known.has(attempt)) return []
    const plain = this.#try(node, move, attempt)
    if (plain.every(({ after }) => after.run === node.play.run)) return plain
    const made = new Map<string, Passage[]>()
    const keyWith = (data: JsonObject) => {
      const passages = isEmpty(data) ? plain : this.#try(node, { ...move, data }, attempt)
      made.set(JSON.stringify(data), passages)
      return passages.map(({ after }) => keyOf(after, this.#options)).join('\n\n')
    }
    const data = dataOf(this.#options.data, keyWith)
    if (data === null) return null
    return data.flatMap(
      (one) => made.get(JSON.stringify(one)) ?? this.#try(node, { ...move, data: one }, attempt),
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
      const attempt = `call ${open.branch ?? ''}\n${call.key} ${bytes ?? ''}`
      const wasLet = this.#known.get(attempt)
      if (wasLet === true) done.add(effect)
      if (wasLet !== undefined) continue
      for (const move of callMoves(call, open.branch, bytes)) {
        const passages = this.#try(node, move, attempt)
        made.push(...passages)
        for (const { after } of passages) this.#denied.note(position, call.key, after)
        // One that is denied does not end.
        if (!passages.some(({ after }) => isAllowed(after))) break
        done.add(effect)
      }
    }
    if (!usesLimits || approved.length > 0) return made
    for (const moves of idleMoves(node.play, open, calls)) {
      made.push(...this.#firstOf(node, position, moves))
    }
    return made
  }

  #firstOf(node: Reached, position: string, moves: readonly CallMove[]): Passage[] {
    for (const move of moves) {
      const key = keyOfCall(move)
      if (this.#denied.isDenied(position, key)) continue
      const passages = this.#pass(node, move)
      if (passages.some(({ after }) => isAllowed(after))) return passages
      for (const { after } of passages) this.#denied.note(position, key, after)
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

/** Calls that are done, entries and the last step are not needed any more. */
function lean(play: Simulated): Simulated {
  const { run, last } = play
  const calls = run.calls.filter(({ status }) => status !== 'done')
  const kept: RunSnapshot = calls.length === run.calls.length ? run : { ...run, calls }
  return { ...play, run: kept, entries: [], last: { ...last, entries: [], run: kept } }
}
