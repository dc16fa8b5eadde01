import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { MachineState } from '../machine/machine.ts'
import type { AskRule } from '../run/decision.ts'
import type { RunnerFacts, RunPlan } from '../run/run-plan.ts'
import type { Counters } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { type CurrentState, toolNotAllowed } from './current-state.ts'
import type { ShellDoubt } from './judge-shell-call.ts'

/** How a call may run in a state. Without a runner it is the one that can do everything. */
export function planRun(
  state: MachineState,
  { visit }: Pick<Counters, 'visit'>,
  runner: RunnerFacts | undefined,
  contain: Containment['contain'] = null,
): RunPlan {
  const { blockedEnv } = state.shell
  const held = { visit, blockedEnv, envOverrides: state.envOverrides }
  if (contain != null) return { ...held, sandbox: 'read_only', contain }
  const sandbox = isSandboxed(state, runner) ? (state.mayWrite ? 'writable' : 'read_only') : null
  return { ...held, sandbox }
}

/** What becomes of a command that nobody knows. */
export interface Containment {
  readonly contain: RunPlan['contain'] | null
  readonly reasons: readonly ReasonFacts[]
  readonly asks: readonly AskRule[]
}

const uncontained: Containment = { contain: null, reasons: [], asks: [] }

/**
 * It runs contained where its runner can do that. Where nothing can, a state that lists a shell
 * asks a person about this very command, and one without a shell denies it (SH-6, SH-10).
 */
export function judgeContainment(
  current: CurrentState,
  call: ToolCall,
  doubt: ShellDoubt | null,
  runner: RunnerFacts | undefined,
): Containment {
  if (doubt === null) return uncontained
  if (runner === undefined || runner.sandbox === 'can') {
    return { ...uncontained, contain: doubt.isFavour ? 'files' : 'shell' }
  }
  if (doubt.isFavour) {
    return { ...uncontained, reasons: [toolNotAllowed(current, [call.tool]), ...doubt.reasons] }
  }
  const [first] = doubt.reasons
  const message = phrase('ask_uncontained', {
    finding: first?.message ?? '',
    runner: runner.name,
  })
  const path = `states.${current.state.name}.allowed_tools`
  // The rule is this command alone, so that "always" frees nothing else.
  const rule = `unproven:${call.argsHash.slice(0, 16)}`
  return { ...uncontained, asks: [{ rule, reason: { code: 'approval_required', message, path } }] }
}

/**
 * What speaks against a shell call because its runner cannot keep to the plan (SH-12, SH-14). That
 * blocked variables stay in the environment is no reason: reading them is denied by SH-9.
 */
export function judgeRunner(state: MachineState, runner: RunnerFacts | undefined): ReasonFacts[] {
  if (runner === undefined) return []
  const reasons: ReasonFacts[] = []
  if (requestedSandbox(state, runner) === 'required' && runner.sandbox !== 'can') {
    reasons.push(sandboxRequired(state, runner))
  }
  const names = Object.keys(state.envOverrides)
  if (names.length > 0 && !runner.environment) {
    const about = { state: state.name, variables: names, runner: runner.name }
    const message = phrase('environment_required', about)
    const path = `states.${state.name}.env_overrides`
    reasons.push({ code: 'environment_required', message, path })
  }
  return reasons
}

function sandboxRequired(state: MachineState, { name, sandbox }: RunnerFacts): ReasonFacts {
  const message =
    sandbox === 'missing'
      ? phrase('sandbox_missing_here', { state: state.name })
      : phrase('sandbox_not_by_runner', { state: state.name, runner: name })
  const path = state.sandbox === null ? 'sandbox' : `states.${state.name}.sandbox`
  return { code: 'sandbox_required', message, path }
}

function isSandboxed(state: MachineState, runner: RunnerFacts | undefined): boolean {
  const wanted = requestedSandbox(state, runner)
  if (wanted === 'off') return false
  return wanted === 'required' || runner?.sandbox === 'can'
}

/** The state's word counts before the workflow's, and that before the configuration's. */
function requestedSandbox(state: MachineState, runner: RunnerFacts | undefined) {
  return state.sandbox ?? runner?.sandboxDefault ?? 'off'
}
