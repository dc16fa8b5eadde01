import { compileGlob } from '../call/glob.ts'
import { capabilityOf, toolRef } from '../call/tool-names.ts'
import type { EvidenceDefinition, WorkflowDefinition } from '../definition/workflow-schema.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { splitCommandWords } from '../shell/command-words.ts'
import { compileGuards } from './compile-guards.ts'
import { compileState } from './compile-state.ts'
import type { Machine, MachineEvidence, MachineInterrupt } from './machine.ts'

/** Compiles a workflow that was parsed and checked. */
export function compileWorkflow(definition: WorkflowDefinition): Machine {
  const guards = compileGuards(definition.guards ?? {})
  const states = new Map(
    Object.entries(definition.states).map(([name, state]) => [
      name,
      compileState(name, state, guards, definition.sandbox ?? null),
    ]),
  )
  const meta = definition.meta ?? {}
  return {
    kind: 'workflow',
    id: definition.id,
    initial: definition.initial,
    states,
    context: definition.context ?? {},
    interrupts: compileInterrupts(definition),
    evidence: compileEvidence(definition.evidence ?? {}),
    policy: definition.policy
      ? compilePolicy(definition.policy, `workflow:${definition.id}`)
      : null,
    afterEnd: definition.after_end ?? null,
    output: definition.output ?? [],
    approvalsWait: meta.approval_mode === 'ui',
    meta,
    initialPrompt: null,
    sessionBudget: null,
    gate: [],
    email: null,
    routineTools: null,
  }
}

function compileInterrupts(definition: WorkflowDefinition): MachineInterrupt[] {
  return Object.entries(definition.interrupts ?? {}).map(([name, interrupt]) => ({
    name,
    path: `interrupts.${name}`,
    pattern: interrupt.trigger.file_pattern,
    matches: compileGlob(interrupt.trigger.file_pattern),
    shell: interrupt.trigger.shell === true,
    target: interrupt.target,
  }))
}

function compileEvidence(
  evidence: Readonly<Record<string, EvidenceDefinition>>,
): Map<string, MachineEvidence> {
  const compiled = new Map<string, MachineEvidence>()
  for (const [name, fact] of Object.entries(evidence)) {
    compiled.set(name, {
      name,
      path: `evidence.${name}`,
      tool: fact.tool,
      capability: capabilityOf(toolRef(fact.tool)),
      command: fact.command === undefined ? null : splitCommandWords(fact.command),
      wantsSuccess: fact.exit !== 'failure',
      staleAfter: (fact.stale_after ?? []).map(compileGlob),
      definedBy: (fact.defined_by ?? []).map(compileGlob),
      takesRunnerFiles: fact.runner_files !== false,
      trustsReports: fact.trust === 'reported',
    })
  }
  return compiled
}
