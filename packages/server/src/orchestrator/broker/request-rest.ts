import { brief, type JsonObject, stateOfCaller } from '@statewright/core'
import { actorOf, type Caller } from '../../runtime/caller.ts'
import { activeOfSession } from '../../runtime/find-run.ts'
import type { Harness, ToolDefinition, TurnRequest } from '../ports.ts'
import type { BrokerParts } from './parts.ts'

/** What goes into a request beside the conversation: the brief, the tools, the model (SE-11). */
export async function requestRest(asked: {
  readonly broker: BrokerParts
  readonly caller: Caller
  readonly harness: Harness
  readonly sessionId: string
  readonly projectPath: string
  readonly options: JsonObject
}): Promise<Pick<TurnRequest, 'brief' | 'tools' | 'model' | 'thinkingLevel'>> {
  const { broker, caller, harness, sessionId, projectPath, options } = asked
  const { runtime, tools, ownTools } = broker
  const live = await activeOfSession(runtime, caller, sessionId)
  const text =
    live === undefined
      ? null
      : brief(live.program, live.snapshot, actorOf(caller), { tellOverrides: true })
  const state =
    live === undefined ? null : stateOfCaller(live.program, live.snapshot, actorOf(caller))
  const definitions: ToolDefinition[] = []
  if (!harness.runsOwnTools) {
    definitions.push(...(await tools.definitions(projectPath)))
    if (live !== undefined) definitions.push(...ownTools.definitions)
  }
  return {
    brief: text === null ? null : `[STATEWRIGHT] ${text}`,
    tools: definitions,
    model: state?.model ?? textOf(options, 'model'),
    thinkingLevel: state?.thinkingLevel ?? textOf(options, 'thinkingLevel'),
  }
}

function textOf(options: JsonObject, key: string): string | null {
  const value = Object.hasOwn(options, key) ? options[key] : undefined
  return typeof value === 'string' ? value : null
}
