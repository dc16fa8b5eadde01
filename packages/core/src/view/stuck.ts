import type { Code } from '../base/problem.ts'
import type { Entry } from '../run/entries.ts'

/** A denial that an agent ran into again and again. */
export interface Stuck {
  readonly tool: string
  readonly code: Code
  readonly times: number
  /** When the first of them was. */
  readonly since: number
}

/** The same denial this often, with nothing else in between, and the agent learns nothing. */
const stuckAfter = 3

/**
 * Whether the newest entries show an agent that is stuck: the same tool denied for the same reason
 * three times since it last got anywhere. A call that was let through, or a move, ends it.
 */
export function stuckOn(entries: readonly Entry[]): Stuck | null {
  const stuck = entries.reduce<Stuck | null>(after, null)
  return stuck !== null && stuck.times >= stuckAfter ? stuck : null
}

function after(before: Stuck | null, entry: Entry): Stuck | null {
  switch (entry.type) {
    case 'call_decided': {
      const { tool, code, decision, at } = entry
      if (decision !== 'deny' || code === undefined) return null
      const isSame = before?.tool === tool && before.code === code
      return isSame ? { ...before, times: before.times + 1 } : { tool, code, times: 1, since: at }
    }
    case 'transitioned':
    case 'returned':
    case 'forked':
    case 'invoked':
    case 'answered':
    case 'forced':
    case 'run_ended':
      return null
    default:
      return before
  }
}
