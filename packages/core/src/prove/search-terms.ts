import type { Simulated } from '../history/simulation.ts'
import type { Program } from '../machine/machine.ts'
import type { BarrenMoves } from './barren-moves.ts'
import type { Bounds } from './bounds.ts'
import type { TriedCall } from './call-effects.ts'
import type { Assumed, Readings } from './free-conditions.ts'
import type { DataFields, Move } from './moves.ts'
import type { SampleCalls } from './sample-calls.ts'
import type { Watched } from './situation.ts'
import type { Watch } from './watch.ts'

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

export type SearchLimit = keyof Bounds | 'data' | 'conditions'

export interface ReachedSituation {
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

export interface SearchResult {
  readonly reached: readonly ReachedSituation[]
  /** Of each situation those that it leads to; only where ways are kept. */
  readonly ways: readonly (readonly Way[])[]
  /** Situations whose every move was tried: the first so many. */
  readonly expanded: number
  /** The bound that ended the search before it had seen everything. */
  readonly bound: SearchLimit | null
  /** The way to what the claim says never happens. */
  readonly violation: readonly WayStep[] | null
}
