import {
  type AgentState,
  brief,
  budgetsOfRun,
  type JsonObject,
  modelCapability,
  sessionTimeouts,
  stateOfCaller,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../../base/caller.ts'
import { judgeModel } from '../../guard/guarded-call.ts'
import { shieldOf } from '../../guard/run-command.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { activeOfSession } from '../../runtime/runs/find-run.ts'
import { systemPrompt } from '../harness/system-prompt.ts'
import type { Harness, ToolDefinition, TurnRequest } from '../ports.ts'
import { offeredTools, toolNamesLine } from '../tools/offered-tools.ts'
import type { BrokerOptions } from './broker-options.ts'
import { windowOf } from './session-settings.ts'

/** What a request is made of beside the conversation, or why none is made. */
export type RequestRest = Pick<
  TurnRequest,
  'system' | 'brief' | 'tools' | 'model' | 'thinkingLevel' | 'silenceMs'
> & {
  /** The model is not asked: what its run may cost is spent (PR-9b), or a policy says so (PO-9). */
  readonly closed?: { readonly code: string; readonly message: string }
  /** How much the model takes, where the conversation is ours. */
  readonly contextTokens: number | undefined
  /** The model in the words of policies. */
  readonly capability: string
}

export interface RequestFacts {
  readonly broker: BrokerOptions
  readonly caller: Caller
  readonly harness: Harness
  readonly sessionId: string
  readonly projectPath: string
  readonly options: JsonObject
  readonly state: AgentState
}

/** What goes into a request beside the conversation: the brief, the tools, the model (SE-11). */
export async function requestRest(request: RequestFacts): Promise<RequestRest> {
  const { broker, caller, harness, sessionId, projectPath, options } = request
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
    const all = await tools.definitions(projectPath)
    definitions.push(...offeredTools(all, state?.tools ?? null))
    if (live !== undefined) definitions.push(...ownTools.definitions)
  }
  const model = state?.model ?? request.state.chosenModel ?? textOf(options, 'model')
  const { provider, name } = harness.modelOf?.(options, model) ?? {}
  const capability = modelCapability(provider ?? harness.name, name ?? model ?? 'usual')
  const closed = await whyClosed(request, { live, capability })
  return {
    ...(closed === undefined ? {} : { closed }),
    capability,
    contextTokens: windowOf(harness, model ?? undefined, {
      ...runtime.settings.sessions,
      ...request.state.settings?.limits,
    }),
    system: harness.runsOwnTools ? null : await systemOf(request),
    brief: text === null ? null : briefText(text, harness.runsOwnTools ? [] : definitions),
    tools: definitions,
    model,
    silenceMs: request.state.settings?.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs,
    thinkingLevel: state?.thinkingLevel ?? textOf(options, 'thinking_level'),
  }
}

/** The rules speak of tools by the names of definitions; a model knows its own. */
function briefText(text: string, tools: readonly ToolDefinition[]): string {
  const names = toolNamesLine(tools)
  return `[STATEWRIGHT] ${text}${names === '' ? '' : `\n${names}`}`
}

function systemOf(request: {
  readonly broker: BrokerOptions
  readonly projectPath: string
  readonly options: JsonObject
}): Promise<string> {
  const { broker, projectPath, options } = request
  return systemPrompt({
    projectPath,
    shield: shieldOf(broker.guard, { workspace: projectPath }),
    now: broker.runtime.clock.now(),
    platform: process.platform,
    words: textOf(options, 'system'),
  })
}

async function whyClosed(
  { broker: { runtime }, caller, projectPath }: RequestFacts,
  { live, capability }: { readonly live: LiveRun | undefined; readonly capability: string },
): Promise<RequestRest['closed']> {
  if (live !== undefined && isSpent(live)) {
    return { code: 'session_budget_exhausted', message: spentNotice }
  }
  const { denial } = await judgeModel(runtime, caller, { capability, projectPath, live })
  return denial === undefined ? undefined : { code: 'model_denied', message: denial }
}

const spentNotice =
  'The budget of the run that guards this session is used up. The model was not asked. ' +
  'A person may start another run.'

function isSpent({ program, snapshot }: LiveRun): boolean {
  return budgetsOfRun(program, snapshot).some(({ maxMicros }) => snapshot.costMicros >= maxMicros)
}

function textOf(options: JsonObject, key: string): string | null {
  const value = Object.hasOwn(options, key) ? options[key] : undefined
  return typeof value === 'string' ? value : null
}
