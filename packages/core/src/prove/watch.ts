import type { Simulated } from '../history/simulation.ts'
import type { Move } from './moves.ts'

/** One move of the search, as those who watch it see it. */
export interface Passage {
  readonly before: Simulated
  readonly move: Move
  readonly after: Simulated
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
