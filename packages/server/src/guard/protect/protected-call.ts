import type { ToolCall } from '@statewright/core/internal'
import type { Looks } from '../../base/looks.ts'

/** A call with all that says what it would touch. */
export interface ProtectedCall {
  readonly input: unknown
  readonly call: ToolCall
  readonly root: string
  /** Where it would run; the root when nobody says. */
  readonly cwd?: string | undefined
  /** Where this server listens. */
  readonly ownPorts: ReadonlySet<number>
  /** Anyone who runs it leaves out of a search what is ours. */
  readonly isShielded?: boolean | undefined
  /** What was looked up for it already. */
  readonly looks?: Looks
}
