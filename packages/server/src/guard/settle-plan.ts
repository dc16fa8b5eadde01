import { err, isAsItIs, ok, type Result, type RunPlan } from '@statewright/core/internal'
import { type Adapter, factsOf } from './adapter.ts'
import { type Denial, plainDenial } from './denial.ts'
import type { Guard } from './guard.ts'
import type { AllowedCall } from './judge-call.ts'

/**
 * The plan that the adapter has to keep to. Core denies what a runner cannot hold before anything
 * is recorded; should an allow reach one that cannot all the same, the call does not run
 * (invariant 11).
 */
export function settlePlan(
  guard: Guard,
  adapter: Adapter,
  allowed: AllowedCall,
): Result<RunPlan, Denial> {
  const { plan } = allowed
  if (adapter.runs === 'itself') {
    return plan.visit === null ? planWithoutState(guard, adapter, allowed) : ok(plan)
  }
  // That blocked variables stay where they are is made good by SH-9, which denies reading them.
  if (adapter.runs === 'rewritten' || isAsItIs({ ...plan, blockedEnv: [] })) return ok(plan)
  const message = `${adapter.name} cannot run this call the way its state requires.`
  return err(plainDenial('sandbox_required', message, allowed))
}

/** What we run ourselves is held by the configuration where no state speaks. */
function planWithoutState(
  { runtime, sandbox }: Guard,
  adapter: Adapter,
  allowed: AllowedCall,
): Result<RunPlan, Denial> {
  const { runner } = factsOf(adapter, runtime.settings, sandbox)
  if (runner.sandboxDefault === 'off') return ok(allowed.plan)
  if (runner.sandbox === 'can') return ok({ ...allowed.plan, sandbox: 'writable' })
  if (runner.sandboxDefault === 'auto') return ok(allowed.plan)
  const message = 'Calls may only run in a sandbox, and this machine has none.'
  return err(plainDenial('sandbox_required', message, allowed))
}
