import {
  compileProgram,
  type Definition,
  type Finding,
  hasErrors,
  type JsonObject,
  type ProcessDefinition,
  type Program,
  parseProcess,
  parseWorkflow,
  type WorkflowDefinition,
} from '@statewright/core/internal'
import fc from 'fast-check'
import { checkProcess } from '../../packages/core/src/check/check-process.ts'
import { checkWorkflow } from '../../packages/core/src/check/check-workflow.ts'
import { choice, deepFreeze } from './pick.ts'
import { process } from './processes.ts'
import { workflow } from './workflows.ts'

/** A program with the definitions it was compiled from. */
export interface World {
  readonly program: Program
  /** What was written, the root first. */
  readonly written: readonly JsonObject[]
  readonly workflows: ReadonlyMap<string, WorkflowDefinition>
  readonly processes: ReadonlyMap<string, ProcessDefinition>
}

const invokes = ['w1', 'w0', 'p0', 'w2']

/** Three workflows and a process that invoke one another, in rings as well; the root is first. */
export const writtenWorld: fc.Arbitrary<readonly JsonObject[]> = fc
  .record({
    root: choice,
    w0: workflow('w0', invokes),
    w1: workflow('w1', invokes),
    w2: workflow('w2', invokes),
    p0: process('p0'),
  })
  .map(({ root, w0, w1, w2, p0 }) => (root % 7 < 6 ? [w0, w1, w2, p0] : [p0, w0, w1, w2]))

/** Compiles written definitions. One that does not check is a fault of the generators. */
export function build(written: readonly JsonObject[]): World {
  const workflows = new Map<string, WorkflowDefinition>()
  const processes = new Map<string, ProcessDefinition>()
  const known = new Map<string, Definition>()
  for (const one of written) {
    if ('name' in one) {
      const definition = whole(parseProcess(one), checkProcess)
      processes.set(definition.name, definition)
      known.set(definition.name, { kind: 'process', definition })
    } else {
      const definition = whole(parseWorkflow(one), checkWorkflow)
      workflows.set(definition.id, definition)
      known.set(definition.id, { kind: 'workflow', definition })
    }
  }
  const root = known.get(String(written[0]?.id ?? written[0]?.name))
  if (root === undefined) throw new Error('a world needs a root')
  const compiled = compileProgram(root, (name) => known.get(name))
  if (!compiled.ok) throw new Error(`does not compile: ${JSON.stringify(compiled.error)}`)
  for (const machine of compiled.value.machines.values()) deepFreeze(machine)
  return { program: compiled.value, written, workflows, processes }
}

function whole<Value extends object>(
  parsed: { readonly definition?: Value; readonly findings: readonly Finding[] },
  check: (definition: Value) => readonly Finding[],
): Value {
  if (parsed.definition === undefined) {
    throw new Error(`does not parse: ${JSON.stringify(parsed.findings)}`)
  }
  const findings = check(parsed.definition)
  if (hasErrors(findings)) throw new Error(`does not check: ${JSON.stringify(findings)}`)
  return deepFreeze(parsed.definition)
}
