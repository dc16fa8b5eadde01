import type { Builtin } from './builtin.ts'
import { codeBuiltins } from './code.ts'
import { plainBuiltins } from './plain.ts'
import { variableBuiltins } from './variables.ts'

const table = new Map<string, Builtin>([...plainBuiltins, ...variableBuiltins, ...codeBuiltins])

/** The shell's own commands, which run in the shell and so can change it. */
export function findBuiltin(name: string): Builtin | undefined {
  return table.get(name)
}
