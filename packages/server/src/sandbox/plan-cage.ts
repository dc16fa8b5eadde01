import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { type Cage, type CageWishes, makeCage } from './cage.ts'
import type { SandboxFound } from './find-sandbox.ts'

export type SandboxMode = 'off' | 'auto' | 'required'

/** The cage that a call has to run in; null where it may do without one (SH-14). */
export function planCage(
  mode: SandboxMode,
  found: SandboxFound,
  wishes: CageWishes,
): Result<Cage | null, Problem> {
  if (mode === 'off') return ok(null)
  if (found.kind === 'bubblewrap') return ok(makeCage(wishes))
  if (mode === 'auto') return ok(null)
  return err({
    code: 'sandbox_required',
    message: `Shell calls may only run in a sandbox here. ${found.why}`,
    next: 'install bubblewrap, or set "sandbox: auto".',
  })
}
