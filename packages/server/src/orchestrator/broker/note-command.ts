import type { Json, JsonObject } from '@statewright/core'
import { actorOf, type Caller } from '../../runtime/caller.ts'
import { dispatch } from '../../runtime/dispatch.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

const mostLength = 1000

/** The program that whoever started a session has named for it. */
export function commandOf(options: JsonObject): Json | null {
  return Object.hasOwn(options, 'command') ? (options.command ?? null) : null
}

/** Any program can be named, so that the history of the run says which one was. */
export async function noteCommand(
  parts: RuntimeParts,
  caller: Caller,
  { runId, sessionId, command }: { runId: string; sessionId: string; command: Json },
): Promise<void> {
  const text = `${sessionId} was started with the command ${JSON.stringify(command)}`
  await dispatch(parts, runId, () => ({
    event: {
      type: 'noted',
      at: parts.clock.now(),
      by: actorOf(caller),
      entry: 'notice',
      text: text.slice(0, mostLength),
    },
    baggage: { role: caller.role },
  }))
}
