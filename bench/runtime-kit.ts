import type { Caller } from '../packages/server/src/base/caller.ts'
import { type Clock, systemClock } from '../packages/server/src/base/clock.ts'
import { createGuard, type Guard } from '../packages/server/src/guard/guard.ts'
import { type CallRequest, openCall } from '../packages/server/src/guard/guarded-call.ts'
import { createRuntime } from '../packages/server/src/runtime/create-runtime.ts'
import { saveDefinition } from '../packages/server/src/runtime/rules/definitions.ts'
import { startRun } from '../packages/server/src/runtime/runs/start-run.ts'
import type { Runtime } from '../packages/server/src/runtime/runtime.ts'
import { defaultSettings } from '../packages/server/src/runtime/settings.ts'
import { openStore } from '../packages/server/src/store/open.ts'
import { benchWorkflow } from './server-kit.ts'

export const caller: Caller = {
  tokenId: 'person_bench',
  kind: 'person',
  role: 'agent',
  name: 'bench',
}

export interface BenchRuntime {
  readonly runtime: Runtime
  readonly guard: Guard
  close(): Promise<void>
}

/** The runtime on a real SQLite store, without HTTP around it. */
export async function startRuntime(
  folder: string,
  durability: 'crash' | 'power',
  clock: Clock = systemClock,
): Promise<BenchRuntime> {
  const store = await openStore({ folder, durability })
  const runtime = createRuntime({ store, clock, settings: defaultSettings })
  const saved = await saveDefinition(runtime, caller, benchWorkflow, {})
  if (!saved.ok) throw new Error(saved.error.message)
  return { runtime, guard: createGuard({ runtime: runtime }), close: () => store.close() }
}

const benchAdapter = {
  name: 'bench',
  runs: 'as_it_is',
  waitsMs: 0,
  readsByShell: false,
  results: 'reported',
} as const

export function check(guard: Guard, by: Caller, request: CallRequest) {
  return openCall(guard, benchAdapter, by, request)
}

export async function newRun(runtime: Runtime): Promise<string> {
  const started = await startRun(runtime, caller, { workflow: 'bench' })
  if (!started.ok) throw new Error(started.error.message)
  return started.value.live.row.runId
}
