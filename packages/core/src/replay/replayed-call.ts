import type { Code, DecisionKind } from '../base/problem.ts'

/** One call, as it was judged when it was made and as the changed rules would judge it. */
export interface ReplayedCall {
  readonly run: string
  /** Its position in the run or transcript. */
  readonly index: number
  readonly at: number
  readonly tool: string
  /** The first program of a shell command, else the tool. */
  readonly program: string
  /** One line, without secrets, bounded. */
  readonly shown: string
  /** Null: nobody judged it, it was simply made. */
  readonly before: DecisionKind | null
  readonly after: DecisionKind | 'undecided'
  readonly code?: Code
  /** The rule's place in the definition or policy. */
  readonly path?: string
  readonly message?: string
  readonly state?: string
  /** Of an undecided call: the inputs that were never recorded. */
  readonly missing?: readonly string[]
  readonly link?: string
}

export type DifferenceKind = 'newly_denied' | 'newly_asked' | 'newly_allowed' | 'no_longer_asked'

/** How a call would be decided differently; null where it would not. */
export function differenceOf({ before, after }: ReplayedCall): DifferenceKind | null {
  const then = before ?? 'allow'
  if (after === then || after === 'undecided') return null
  if (after === 'deny') return 'newly_denied'
  if (after === 'ask') return 'newly_asked'
  return then === 'ask' ? 'no_longer_asked' : 'newly_allowed'
}
