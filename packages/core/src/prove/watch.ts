import type { Simulated } from '../history/simulation.ts'
import type { Assumed } from './free-conditions.ts'
import type { Move } from './moves.ts'

/** One move of the search, as those who watch it see it. */
export interface Passage {
  readonly before: Simulated
  readonly move: Move
  readonly after: Simulated
  /** How conditions had to come out. */
  readonly assumed?: readonly Assumed[]
  /** The call stands for all of its kind, as conditions may read arguments of any of them. */
  readonly isOfKind?: boolean
  /** What was tried, in the words of the search. */
  readonly attempt?: string
}

/** What a claim remembers of a way, and what it objects to. */
export interface Watch {
  readonly start: (play: Simulated) => Noted
  readonly pass: (passage: Passage, memory: string) => Noted
}

export interface Noted {
  readonly memory: string
  /** What the claim says never happens has just happened. */
  readonly violated: boolean
}
