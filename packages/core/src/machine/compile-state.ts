import { phrase } from '../base/text/phrase.ts'
import { allowsTool, compileToolList, shellPatterns, type ToolList } from '../call/tool-pattern.ts'
import { compileCallRules } from '../condition/rules.ts'
import type {
  GuardedTransition,
  SandboxMode,
  StateDefinition,
  TransitionDefinition,
} from '../definition/workflow-schema.ts'
import { splitCommandWords } from '../shell/command-words.ts'
import type { ShellRules } from '../shell/rules.ts'
import { guardsOf } from './compile-guards.ts'
import {
  type MachineCandidate,
  type MachineGuard,
  type MachineState,
  type MachineTransition,
  returnTarget,
} from './machine.ts'

type Guards = ReadonlyMap<string, MachineGuard>

export function compileState(
  name: string,
  state: StateDefinition,
  guards: Guards,
  sandbox: SandboxMode | null,
): MachineState {
  const tools = state.allowed_tools ? compileToolList(state.allowed_tools) : null
  const mayWrite = tools === null || allows(tools, 'Edit') || allows(tools, 'Write')
  const transitions = new Map<string, MachineTransition>()
  for (const [event, transition] of Object.entries(state.on ?? {})) {
    const path = `states.${name}.on.${event}`
    transitions.set(event, compileTransition(transition, path, state, guards))
  }
  return {
    name,
    isFinal: state.type === 'final',
    succeeds: state.outcome ? state.outcome === 'success' : !failureNames.has(name.toLowerCase()),
    tools,
    toolNames: state.allowed_tools ?? null,
    shell: shellRules(state, tools, mayWrite),
    mayRead: tools === null || ['Read', 'Grep', 'Glob'].some((tool) => allows(tools, tool)),
    mayWrite,
    instructions: state.instructions ?? null,
    model: state.model ?? null,
    thinkingLevel: state.thinking_level ?? null,
    maxIterations: state.max_iterations ?? Number.POSITIVE_INFINITY,
    maxEditLines: state.max_edit_lines ?? Number.POSITIVE_INFINITY,
    maxFiles: state.max_files_per_state ?? Number.POSITIVE_INFINITY,
    contextBudgetBytes: state.context_budget_bytes ?? Number.POSITIVE_INFINITY,
    safeNext: state.safe_next ?? null,
    envOverrides: state.env_overrides ?? state.env ?? {},
    sandbox: state.sandbox ?? sandbox,
    calls: compileCallRules(state.calls, `states.${name}.calls`),
    transitions,
    offersReturn: [...transitions.values()].some(leadsToReturn),
    question: null,
  }
}

function allows(tools: ToolList, tool: string): boolean {
  return allowsTool(tools, { tool })
}

function shellRules(state: StateDefinition, tools: ToolList | null, mayWrite: boolean): ShellRules {
  const patterns = tools === null ? [] : shellPatterns(tools)
  const hasWholeShell = tools === null || allows(tools, 'Bash')
  return {
    readOnly: !mayWrite,
    allowedCommands: state.allowed_commands?.map(splitCommandWords) ?? null,
    blockedEnv: state.blocked_env ?? state.deny_env ?? [],
    background: state.background === true,
    onlyReading: false,
    listedMayChange: true,
    guarded: true,
    patterns: hasWholeShell || patterns.length === 0 ? null : patterns,
  }
}

function compileTransition(
  transition: TransitionDefinition,
  path: string,
  state: StateDefinition,
  guards: Guards,
): MachineTransition {
  if (typeof transition === 'string') {
    return { kind: 'move', path, isList: false, candidates: [plain(transition, path)] }
  }
  if (Array.isArray(transition)) {
    const candidates = transition.map((candidate, index) =>
      compileCandidate(candidate, `${path}.${index}`, state, guards),
    )
    return { kind: 'move', path, isList: true, candidates }
  }
  if ('fork' in transition) {
    const { branches, join, on_complete, on_fail } = transition.fork
    return {
      kind: 'fork',
      path,
      join: join ?? 'all',
      branches: Object.entries(branches).map(([name, branch]) => ({ name, ...branch })),
      onComplete: on_complete,
      onFail: on_fail ?? null,
    }
  }
  if ('invoke' in transition) {
    return {
      kind: 'invoke',
      path,
      machine: transition.invoke,
      onComplete: transition.on_complete,
      onFail: transition.on_fail ?? null,
      input: transition.input ?? {},
    }
  }
  const candidates = [compileCandidate(transition, path, state, guards)]
  return { kind: 'move', path, isList: false, candidates }
}

function plain(target: string, path: string): MachineCandidate {
  return { path, target, guards: [], approval: null }
}

function compileCandidate(
  written: GuardedTransition,
  path: string,
  state: StateDefinition,
  guards: Guards,
): MachineCandidate {
  const timeoutMs = written.approval_timeout_ms ?? state.approval_timeout_ms ?? null
  const message = written.approval_message ?? phrase('approve_move', { target: written.target })
  return {
    path,
    target: written.target,
    guards: guardsOf(written, guards),
    approval: written.requires_approval === true ? { message, timeoutMs } : null,
  }
}

function leadsToReturn(transition: MachineTransition): boolean {
  if (transition.kind !== 'move') return false
  return transition.candidates.some((candidate) => candidate.target === returnTarget)
}

/** Words that mean failure when a final state says nothing else (WF-15). */
const failureNames: ReadonlySet<string> = new Set([
  'failed',
  'failure',
  'error',
  'blocked',
  'rejected',
  'aborted',
  'cancelled',
])
