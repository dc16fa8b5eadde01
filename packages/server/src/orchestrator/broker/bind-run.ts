import { ok, type Result } from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { RuntimeProblem } from '../../base/problem.ts'
import { startRun } from '../../runtime/runs/start-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { SpawnRequest } from './broker-options.ts'

/** A run for the session, so that every call is judged by it. */
export async function bindRun(
  runtime: Runtime,
  caller: Caller,
  sessionId: string,
  { workflow, process, context, projectPath }: Omit<SpawnRequest, 'harness' | 'options'>,
): Promise<Result<string | null, RuntimeProblem>> {
  if (workflow === undefined && process === undefined) return ok(null)
  const started = await startRun(runtime, caller, {
    ...(workflow === undefined ? {} : { workflow }),
    ...(process === undefined ? {} : { process }),
    ...(context === undefined ? {} : { context }),
    session: sessionId,
    inSession: true,
    project: projectPath,
    workspace: projectPath,
  })
  return started.ok ? ok(started.value.live.row.runId) : started
}
