import type { JsonObject } from '../base/json.ts'
import type { Simulated } from '../history/simulation.ts'
import { stateOf, topFrame } from '../run/lanes.ts'
import { Attempts, BarrenMoves, type Spot } from './barren-moves.ts'
import { approvedCalls, DeniedCalls, keyOfCall, positionOf } from './call-effects.ts'
import { plainReadings } from './free-conditions.ts'
import { countsCalls } from './limits.ts'
import {
  type CallMove,
  callMoves,
  changesBesides,
  countedBytes,
  dataOf,
  idleMoves,
  type Move,
  makeMove,
  type OpenLane,
  openLanes,
  possibleMoves,
} from './moves.ts'
import { actingLane, happenings } from './passage.ts'
import type { ReachedSituation, SearchLimit, SearchOptions, Way } from './search-terms.ts'
import { type Situation, situation } from './situation.ts'
import type { Passage } from './watch.ts'

/** Tries moves and counts them. */
export class Trial {
  count = 0
  #isCut = false
  readonly #options: SearchOptions
  readonly #denied = new DeniedCalls()
  readonly #barren: BarrenMoves
  /** What need not be tried in the situation at hand. */
  #known: ReadonlyMap<string, boolean> = new Map()
  #attempts = new Attempts()
  readonly #changing: ReadonlySet<string>

  constructor(options: SearchOptions) {
    this.#options = options
    this.#barren = options.barren ?? new BarrenMoves()
    const changing = options.tried.filter(({ changesFiles }) => changesFiles)
    this.#changing = new Set(changing.map(({ key }) => key))
  }

  /** All that can happen from here, or what there is too much of. */
  passagesFrom(node: ReachedSituation, spot: Spot): Passage[] | SearchLimit {
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

  #passagesFrom(node: ReachedSituation): Passage[] | null {
    const { play } = node
    const { calls, alsoTry } = this.#options
    const made: Passage[] = []
    for (const move of possibleMoves(play, this.#options.events)) {
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
    const claimed = alsoTry?.(play) ?? []
    const lanes = openLanes(play)
    // Who asks about calls after the end asks about what other calls and files did by then, too.
    const isOver = lanes.length === 0
    if (isOver && claimed.length === 0) return made
    for (const lane of isOver ? [{ lane: play.run.main, branch: undefined }] : lanes) {
      made.push(...this.#callsIn(node, lane))
    }
    for (const move of claimed) made.push(...this.#pass(node, move, true))
    for (const move of changesBesides(play, calls)) {
      const attempt = move.kind === 'change' ? `change\n${move.files.join()}` : undefined
      if (attempt !== undefined && this.#known.has(attempt)) continue
      made.push(...this.#try(node, move, attempt))
    }
    return made
  }

  /** Whether somebody who is here can count on the move: there may be no call or file left. */
  isSure({ before, move }: Passage): boolean {
    const { limited } = this.#options
    if (move.kind !== 'call' || limited === undefined) return true
    const frame = topFrame(actingLane({ before, move }))
    const state = stateOf(limited, frame)
    if (countsCalls(state) && !countsCalls(stateOf(before.program, frame))) return false
    return !this.#changing.has(keyOfCall(move)) || !Number.isFinite(state.maxFiles)
  }

  /** What comes of a move, once for each way in which its conditions come out. */
  #pass({ play, depth }: ReachedSituation, move: Move, isItself = false): Passage[] {
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
  #try(node: ReachedSituation, move: Move, attempt: string | undefined): Passage[] {
    const passages = this.#pass(node, move)
    if (attempt === undefined) return passages
    this.#attempts.make(
      attempt,
      passages.some(({ after }) => isAllowed(after)),
    )
    return passages.map((passage) => ({ ...passage, attempt }))
  }

  #send(node: ReachedSituation, move: Extract<Move, { kind: 'send' }>): Passage[] | null {
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
  #callsIn(node: ReachedSituation, open: OpenLane): Passage[] {
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

  #firstOf(node: ReachedSituation, position: string, moves: readonly CallMove[]): Passage[] {
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
