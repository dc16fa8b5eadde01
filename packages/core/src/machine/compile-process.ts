import { compileCapability } from '../policy/capability.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { limitMicros } from '../policy/money.ts'
import type { BudgetTake } from '../policy/usage.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'
import type { Machine, MachineState, MachineTransition } from './machine.ts'

/** Compiles a process to the same machine as a workflow: its answers are the events (PR-2). */
export function compileProcess(definition: ProcessDefinition): Machine {
  const states = new Map(
    Object.entries(definition.states).map(([name, state]) => [name, compileQuestion(name, state)]),
  )
  return {
    kind: 'process',
    id: definition.name,
    initial: definition.initial,
    states,
    context: {},
    interrupts: [],
    evidence: new Map(),
    facts: [],
    marks: [],
    calls: [],
    policy: definition.policy
      ? compilePolicy(definition.policy, `process:${definition.name}`)
      : null,
    afterEnd: definition.after_end ?? null,
    output: [],
    approvalsWait: true,
    meta: typeof definition.meta?.locked === 'boolean' ? { locked: definition.meta.locked } : {},
    initialPrompt: definition.initial_prompt ?? null,
    sessionBudget: compileBudget(definition),
    gate: (definition.gate ?? []).map(compileCapability),
    email: definition.email_config ?? null,
    routineTools: definition.allowed_tools ?? null,
  }
}

function compileBudget({ name, session_budget_usd: usd }: ProcessDefinition): BudgetTake | null {
  if (usd === undefined) return null
  const key = JSON.stringify(['session_budget', name])
  const maxMicros = limitMicros(usd)
  return { kind: 'budget', key, period: 'session', maxMicros, reserveMicros: null }
}

type Question = ProcessDefinition['states'][string]

function compileQuestion(name: string, state: Question): MachineState {
  const transitions = new Map<string, MachineTransition>()
  for (const [answer, { next, action }] of Object.entries(state.answers ?? {})) {
    const path = `states.${name}.answers.${answer}`
    transitions.set(answer, { kind: 'answer', path, next, action: action ?? null })
  }
  return {
    name,
    // A state without answers is where a process ends (PR-3).
    isFinal: transitions.size === 0,
    succeeds: true,
    tools: null,
    toolNames: null,
    shell: openShell,
    mayRead: true,
    mayWrite: true,
    instructions: null,
    model: null,
    thinkingLevel: null,
    maxIterations: Number.POSITIVE_INFINITY,
    maxEditLines: Number.POSITIVE_INFINITY,
    maxFiles: Number.POSITIVE_INFINITY,
    contextBudgetBytes: Number.POSITIVE_INFINITY,
    safeNext: null,
    envOverrides: {},
    sandbox: null,
    calls: [],
    transitions,
    offersReturn: false,
    question: state.question,
  }
}

const openShell = {
  readOnly: false,
  allowedCommands: null,
  blockedEnv: [],
  background: true,
  onlyReading: false,
  listedMayChange: true,
  guarded: true,
  patterns: null,
} as const
