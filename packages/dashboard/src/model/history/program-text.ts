import { compileProgram, type Definition, type Program } from '@statewright/core/internal'

/** A program with the definitions it was compiled from, which pictures are drawn of. */
export interface ReadProgram {
  readonly program: Program
  readonly definitions: ReadonlyMap<string, Definition>
}

interface ProgramText {
  readonly root: Definition
  readonly others: readonly (readonly [string, Definition])[]
}

/**
 * Reads the definitions that a run is bound to, as the server or an export gives them. A file from
 * outside may hold anything: whatever breaks in here is the file's fault.
 */
export function readProgram(value: unknown): ReadProgram | null {
  try {
    const { root, others } = value as ProgramText // Whatever it is instead, it throws below.
    const found = new Map(others)
    const compiled = compileProgram(root, (name) => found.get(name))
    if (!compiled.ok) return null
    return {
      program: compiled.value,
      definitions: new Map([...found, [compiled.value.root.id, root]]),
    }
  } catch {
    return null
  }
}
