import type { Arg, Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import type { Value } from '../scope.ts'

/** An assignment among the arguments of declare, export and their kin. */
export interface Declared {
  readonly name: string
  readonly value: Value
  /** Written as a list, whose words were read where they stand. */
  readonly isList: boolean
  readonly at: Span
}

export interface BuiltinCall {
  readonly name: string
  readonly args: readonly Arg[]
  readonly declared: readonly Declared[]
  readonly at: Span
}

export type Builtin = (walk: Walk, call: BuiltinCall) => CommandKind
