import { type Json, type JsonObject, phrase } from '@statewright/core/internal'
import { actorOf, type Caller } from '../../base/caller.ts'
import { dispatch } from '../../runtime/dispatch.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { BrokerOptions, SpawnRequest } from './broker-options.ts'

const maxLength = 1000

/** Writes down who started a session, and with it the program that they named, if they did. */
export async function recordStart(
  { runtime, observer }: Pick<BrokerOptions, 'runtime' | 'observer'>,
  caller: Caller,
  session: Pick<SpawnRequest, 'harness' | 'projectPath' | 'options'> & {
    readonly sessionId: string
    readonly runId: string | null
  },
): Promise<void> {
  const { sessionId, harness, projectPath, options, runId } = session
  const command = commandOf(options)
  observer.started({ sessionId, harness, projectPath, runId, by: caller.name, command })
  if (runId === null || command === null) return
  await noteCommand(runtime, caller, { runId, sessionId, command })
}

/** The program that was named for a session when it was started. */
function commandOf(options: JsonObject): Json | null {
  return Object.hasOwn(options, 'command') ? (options.command ?? null) : null
}

/** Any program can be named, so that the history of the run says which one was. */
async function noteCommand(
  runtime: Runtime,
  caller: Caller,
  { runId, sessionId, command }: { runId: string; sessionId: string; command: Json },
): Promise<void> {
  // Any program with any arguments: what is kept of them is bounded.
  const kept = JSON.stringify(command).slice(0, maxLength)
  const text = phrase('session_command', { session: sessionId, command: kept })
  await dispatch(runtime, runId, () => ({
    event: {
      type: 'noted',
      at: runtime.clock.now(),
      by: actorOf(caller),
      entry: 'notice',
      text,
    },
    extras: { role: caller.role },
  }))
}
