import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { MachineState } from '../machine/machine.ts'
import type { RunnerFacts, RunPlan } from '../run/run-plan.ts'
import type { Counters } from '../run/snapshot.ts'

/** How a call may run in a state. Without a runner it is the one that can do everything. */
export function planRun(
  state: MachineState,
  { visit }: Pick<Counters, 'visit'>,
  runner: RunnerFacts | undefined,
): RunPlan {
  return {
    visit,
    blockedEnv: state.shell.blockedEnv,
    envOverrides: state.envOverrides,
    sandbox: isSandboxed(state, runner) ? (state.mayWrite ? 'writable' : 'read_only') : null,
  }
}

/**
 * What speaks against a shell call because its runner cannot keep to the plan (SH-12, SH-14). That
 * blocked variables stay in the environment is no reason: reading them is denied by SH-9.
 */
export function judgeRunner(state: MachineState, runner: RunnerFacts | undefined): ReasonFacts[] {
  if (runner === undefined) return []
  const reasons: ReasonFacts[] = []
  if (wantedSandbox(state, runner) === 'required' && runner.sandbox !== 'can') {
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
  const wanted = wantedSandbox(state, runner)
  if (wanted === 'off') return false
  return wanted === 'required' || runner?.sandbox === 'can'
}

/** The state's word counts before the workflow's, and that before the configuration's. */
function wantedSandbox(state: MachineState, runner: RunnerFacts | undefined) {
  return state.sandbox ?? runner?.sandboxDefault ?? 'off'
}
