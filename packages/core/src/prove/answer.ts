import { type Bounds, maxCombinations, maxOutcomes } from './bounds.ts'
import type { Counterexample } from './counterexample.ts'
import type { SearchResult } from './search-terms.ts'

/** What the search has to say of a claim. Nothing else passes for "proved" (PV-1). */
export type ProofAnswer =
  | { readonly verdict: 'proved'; readonly situations: number; readonly assumes: readonly string[] }
  | {
      readonly verdict: 'refuted'
      readonly situations: number
      /** The shortest way to it; a claim that something can happen has none to show. */
      readonly counterexample?: Counterexample
      readonly why?: string
    }
  | {
      readonly verdict: 'refuted_if'
      readonly situations: number
      readonly conditions: readonly string[]
      readonly counterexample: Counterexample
    }
  | { readonly verdict: 'not_decided'; readonly situations: number; readonly why: string }

/** The bound that was met, in words. */
export function boundOf({ bound }: SearchResult, bounds: Bounds): string[] {
  switch (bound) {
    case null:
      return []
    case 'data':
      return [`An event can be sent with more than ${maxCombinations} kinds of data.`]
    case 'conditions':
      return [`The conditions of a move come out in more than ${maxOutcomes} ways.`]
    default: {
      const max = bounds[bound].toLocaleString('en-US')
      return [`There are more than ${max} ${bound === 'moves' ? 'moves to try' : 'situations'}.`]
    }
  }
}
