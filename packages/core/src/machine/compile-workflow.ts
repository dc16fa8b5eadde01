import { compileGlob } from '../call/glob.ts'
import { capabilityOf, toolRef } from '../call/tool-names.ts'
import { compileToolList } from '../call/tool-pattern.ts'
import { type Condition, compileCondition, triggerScope } from '../condition/condition.ts'
import { compileCallRules, compileFacts, compileMarks, listOf } from '../condition/rules.ts'
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
    facts: compileFacts(definition.facts),
    marks: compileMarks(definition.marks, 'marks', 'call'),
    calls: compileCallRules(definition.calls, 'calls'),
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
  return Object.entries(definition.interrupts ?? {}).map(([name, { trigger, target }]) => {
    const { file_pattern: pattern, shell, tool, when } = trigger
    const path = `interrupts.${name}`
    return {
      name,
      path,
      pattern: pattern ?? null,
      matches: pattern === undefined ? null : compileGlob(pattern),
      shell: shell === true,
      tools: tool === undefined ? null : compileToolList(listOf(tool)),
      when: when === undefined ? null : compileTrigger(when, `${path}.trigger.when`),
      target,
    }
  })
}

/** A trigger may read what came of the call, and then nothing that is gone by that time. */
function compileTrigger(when: string, path: string): Condition {
  return compileCondition(when, path, triggerScope(when))
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
      files: JSON.stringify([fact.stale_after, fact.defined_by, fact.runner_files, fact.command]),
      patterns: { stale: fact.stale_after ?? [], defining: fact.defined_by ?? [] },
      takesRunnerFiles: fact.runner_files !== false,
      trustsReports: fact.trust === 'reported',
    })
  }
  return compiled
}
