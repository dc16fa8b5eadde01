import type { Arg, Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import type { Program } from './table.ts'

/** A program with its arguments, as its entry or its reader sees them. */
export interface Call {
  readonly program: Program
  /** How it is called in messages: `git push`. */
  readonly title: string
  readonly args: readonly Arg[]
  readonly at: Span
  readonly read: ReadProgram
}

export type Reader = (walk: Walk, call: Call) => CommandKind
export type ReadProgram = (walk: Walk, call: Omit<Call, 'read'>) => CommandKind
