import type { Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { readers } from '../readers/all.ts'
import { applyEntry } from './apply.ts'
import type { Call } from './call.ts'
import { asksForHelp, reaches } from './effects.ts'

/** Reads a program's arguments by its reader when it has one, else by its entry alone. */
export function readProgram(walk: Walk, given: Omit<Call, 'read'>): CommandKind {
  const call: Call = { ...given, read: readProgram }
  const { reach, reader: name } = call.program.entry
  // Here, so that no reader can forget it.
  if (reach !== undefined && !asksForHelp(call)) reaches(walk, call, reach)
  const reader = name === undefined ? undefined : readers.get(name)
  return reader === undefined ? applyEntry(walk, call) : reader(walk, call)
}
