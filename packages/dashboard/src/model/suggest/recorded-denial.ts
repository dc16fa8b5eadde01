import {
  compileProgram,
  definitionIn,
  machineOfCaller,
  type Program,
  parseDefinition,
  type RunSnapshot,
  shownReason,
} from '@statewright/core/internal'
import type { ReadProgram } from '../history/program-text.ts'
import type { PlacedEntry } from '../history/recorded-run.ts'
import type { DeniedCall } from './suggest-change.ts'

/** A denial from a history, and the definition whose rules it met. */
export interface RecordedDenial {
  readonly denied: DeniedCall
  readonly machine: string
}

export function recordedDenial(
  { program }: ReadProgram,
  entry: PlacedEntry,
  before: RunSnapshot | undefined,
): RecordedDenial | null {
  if (entry.type !== 'call_decided' || entry.decision !== 'deny') return null
  const { cause } = entry
  if (cause?.type !== 'tool_requested' || before === undefined) return null
  const { call, by, at, branch, external } = cause
  try {
    const machine = machineOfCaller(program, before, by, branch).id
    const reasons = entry.reasons.map(shownReason)
    return { denied: { run: before, call, by, at, branch, external, reasons }, machine }
  } catch {
    // A history from a file may name states that its definitions do not have.
    return null
  }
}

/** Compiles the run's definitions with another text in the place of one of them. */
export function compileWith(
  { program, definitions }: ReadProgram,
  machine: string,
  text: string,
): Program | null {
  const changed = definitionIn(parseDefinition(text))
  if (changed === undefined) return null
  const find = (name: string) => (name === machine ? changed : definitions.get(name))
  const root = find(program.root.id)
  const compiled = root === undefined ? null : compileProgram(root, find)
  return compiled?.ok === true ? compiled.value : null
}
