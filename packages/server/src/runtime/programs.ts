import {
  type Code,
  compileProgram,
  type Definition,
  err,
  type Finding,
  ok,
  type Program,
  parseProcess,
  parseWorkflow,
  type Result,
} from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { DefinitionRow, Store } from '../store/store.ts'

/** Compiled definitions by their hash. A live run keeps the one it was started with (WF-4). */
export class Programs {
  readonly #store: Store
  readonly #byHash = new Map<string, Program>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Compiles the newest version of a definition with all it invokes, and keeps their texts. */
  async compile(root: Definition): Promise<Result<Program, RuntimeProblem>> {
    const found = await this.#closure(root)
    const program = compileProgram(root, (name) => found.get(name))
    if (!program.ok) return err(notCompiled(program.error))
    if (!this.#byHash.has(program.value.hash)) {
      await this.#store.definitions.saveProgram(program.value.hash, programText(root, found))
      this.#byHash.set(program.value.hash, program.value)
    }
    return program
  }

  /** The same without keeping anything: its text, from which another thread makes it again. */
  async textOf(root: Definition): Promise<Result<string, RuntimeProblem>> {
    const found = await this.#closure(root)
    const program = compileProgram(root, (name) => found.get(name))
    return program.ok ? ok(programText(root, found)) : err(notCompiled(program.error))
  }

  /** The program a run is bound to, whatever became of its definitions since. */
  async byHash(hash: string): Promise<Program> {
    const known = this.#byHash.get(hash)
    if (known !== undefined) return known
    const text = await this.#store.definitions.program(hash)
    if (text === undefined) throw new Error(`bug: the program ${hash} of a run is not stored`)
    const program = readProgram(text)
    if (program.hash !== hash) throw new Error(`bug: the program ${hash} does not match its hash`)
    this.#byHash.set(hash, program)
    return program
  }

  async #closure(root: Definition): Promise<Map<string, Definition>> {
    const found = new Map<string, Definition>()
    const waiting = [...invokedNames(root)]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name) || found.size > 200) continue
      const row = await this.#store.definitions.newest(name)
      if (row === undefined) continue
      const definition = readDefinition(row)
      found.set(name, definition)
      waiting.push(...invokedNames(definition))
    }
    return found
  }
}

const invalid: Code = 'definition_invalid'

function notCompiled(findings: readonly Finding[]): RuntimeProblem {
  const message = findings.map((finding) => finding.message).join(' ')
  const code = findings[0]?.code === 'unknown_workflow' ? 'unknown_workflow' : invalid
  return problem(code, message, { next: 'save the invoked definitions first.' })
}

/** A stored definition was checked when it was saved, so that it parses again. */
export function readDefinition(row: Pick<DefinitionRow, 'kind' | 'text' | 'name'>): Definition {
  if (row.kind === 'workflow') {
    const { definition } = parseWorkflow(row.text)
    if (definition !== undefined) return { kind: 'workflow', definition }
  } else {
    const { definition } = parseProcess(row.text)
    if (definition !== undefined) return { kind: 'process', definition }
  }
  throw new Error(`bug: the stored definition ${row.name} does not parse`)
}

/** Definitions that this one invokes by name. */
export function invokedNames(definition: Definition): string[] {
  if (definition.kind === 'process') return []
  const names: string[] = []
  for (const state of Object.values(definition.definition.states)) {
    for (const transition of Object.values(state.on ?? {})) {
      if (typeof transition === 'object' && 'invoke' in transition) names.push(transition.invoke)
    }
  }
  return names
}

interface ProgramText {
  readonly root: Definition
  readonly others: readonly (readonly [string, Definition])[]
}

function programText(root: Definition, found: ReadonlyMap<string, Definition>): string {
  const text: ProgramText = { root, others: [...found] }
  return JSON.stringify(text)
}

export function readProgram(text: string): Program {
  const { root, others } = JSON.parse(text) as ProgramText // Written by `programText` alone.
  const found = new Map(others)
  const program = compileProgram(root, (name) => found.get(name))
  if (!program.ok) throw new Error('bug: a stored program does not compile')
  return program.value
}
