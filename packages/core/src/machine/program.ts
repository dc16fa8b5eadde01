import { limits } from '../base/limits.ts'
import { err, ok, type Result } from '../base/result.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { canonicalText, definitionHash, hashText } from '../definition/hash.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'
import { compileProcess } from './compile-process.ts'
import { compileWorkflow } from './compile-workflow.ts'
import type { Machine, Program } from './machine.ts'

/** A definition of either kind, as it was parsed. */
export type Definition =
  | { readonly kind: 'workflow'; readonly definition: WorkflowDefinition }
  | { readonly kind: 'process'; readonly definition: ProcessDefinition }

/** Finds a definition by the name another one invokes. */
export type FindDefinition = (name: string) => Definition | undefined

/**
 * Compiles a definition with everything it invokes. The hash covers all of them: an invoked
 * workflow that is edited later must not change a live run (WF-4).
 */
export function compileProgram(
  definition: Definition,
  find: FindDefinition = () => undefined,
): Result<Program, Finding[]> {
  const root = compileOne(definition)
  const machines = new Map<string, Machine>([[root.id, root]])
  const texts = new Map<string, string>([[root.id, textOf(definition)]])
  const findings: Finding[] = []
  const waiting = [root]
  for (let machine = waiting.pop(); machine !== undefined; machine = waiting.pop()) {
    for (const { name, path } of invokedBy(machine)) {
      if (machines.has(name)) continue
      const found = find(name)
      if (found === undefined) {
        findings.push(
          finding('unknown_workflow', path, `No workflow or process is called "${name}".`),
        )
        continue
      }
      if (machines.size >= limits.closure) {
        const message = `More than ${limits.closure} definitions are invoked from here.`
        return err([finding('closure_too_large', path, message)])
      }
      const compiled = compileOne(found)
      machines.set(name, compiled)
      texts.set(name, textOf(found))
      waiting.push(compiled)
    }
  }
  if (findings.length > 0) return err(findings)
  const rootHash = definitionHash(definition.definition)
  return ok({ hash: closureHash(root.id, texts), rootHash, root, machines })
}

function compileOne(definition: Definition): Machine {
  return definition.kind === 'workflow'
    ? compileWorkflow(definition.definition)
    : compileProcess(definition.definition)
}

function textOf(definition: Definition): string {
  return `${definition.kind}\n${canonicalText(definition.definition)}`
}

function closureHash(root: string, texts: ReadonlyMap<string, string>): string {
  const others = [...texts.keys()].filter((name) => name !== root).sort()
  const hashes = [root, ...others].map((name) => [name, hashText(texts.get(name) ?? '')])
  return hashText(JSON.stringify(hashes))
}

function invokedBy(machine: Machine): { name: string; path: string[] }[] {
  const found: { name: string; path: string[] }[] = []
  for (const state of machine.states.values()) {
    for (const [event, transition] of state.transitions) {
      if (transition.kind !== 'invoke') continue
      found.push({ name: transition.machine, path: ['states', state.name, 'on', event, 'invoke'] })
    }
  }
  return found
}
