import { brief, isJsonObject, toMicros, unreachable } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import type { ClientAnswer, ClientEvent } from '../clients/client.ts'
import { denialText } from '../guard/denial.ts'
import { canRewrite, rewriteCall } from '../guard/exec/exec-tickets.ts'
import { finishCall, noticesOf } from '../guard/finish-call.ts'
import { type Adapter, type CallRequest, openCall } from '../guard/guarded-call.ts'
import { autostart } from '../guard/which-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import { giveTask } from '../runtime/runs/change-run.ts'
import { activeOfSession } from '../runtime/runs/find-run.ts'
import { clientAdapter } from './client-adapter.ts'
import { projectOf } from './git-root.ts'
import type { HookCall } from './hook-call.ts'
import { judgedPaths, noteSwapped } from './judged-paths.ts'
import type { ToolUse } from './tool-use.ts'
import { callMark } from './tool-use.ts'
import { countTranscripts } from './transcripts/transcript-cost.ts'
import { noteUnjudged } from './unjudged-calls.ts'

const nothing: ClientAnswer = { kind: 'nothing' }
const neverAborted = new AbortController().signal

/** What a client is told after one of its events, in our own words. */
export async function answerEvent(hook: HookCall): Promise<ClientAnswer> {
  const { event } = hook.call
  switch (event.type) {
    case 'tool_requested':
      return onRequested(hook, event)
    case 'tool_finished':
      return onFinished(hook, event)
    case 'batch_finished':
      // Of a call to our own server a batch does not say whether it ran or a person turned it away.
      await noteUnjudged(
        hook,
        event.calls.filter(({ toUs }) => !toUs),
      )
      await countCost(hook)
      return tellBrief(hook, await activeRun(hook))
    case 'prompt_given':
      return onPrompt(hook, event)
    case 'session_started':
      return tellBrief(hook, await activeRun(hook))
    case 'settings_changed':
      return onSettingsChanged(hook, event)
    case 'agent_ended':
    case 'session_ended':
    case 'turn_ended':
      await countCost(hook)
      return nothing
    case 'other':
      return nothing
    default:
      return unreachable(event)
  }
}

/** What a person writes is what the agent is asked for; the word of an agent for it is not. */
async function onPrompt(
  hook: HookCall,
  { text }: Extract<ClientEvent, { type: 'prompt_given' }>,
): Promise<ClientAnswer> {
  const { runtime, caller, call } = hook
  const live = (await activeRun(hook)) ?? (await autostarted(hook))
  const isPersons = sourceOf(caller) === 'observed' && call.agentId === undefined
  if (live !== undefined && text !== undefined && isPersons) {
    await giveTask(runtime, caller, live, text)
  }
  return tellBrief(hook, live)
}

/** A transcript that cannot be read must not keep the client from its answer. */
async function countCost(hook: HookCall): Promise<void> {
  const { runtime, client, caller, call, onFault } = hook
  const { session, transcriptPaths: paths = [] } = call
  try {
    const live = paths.length === 0 ? undefined : await activeRun(hook)
    if (live !== undefined)
      await countTranscripts({ runtime, client, caller, session, paths }, live)
  } catch (fault) {
    onFault?.(fault)
  }
}

async function onRequested(
  hook: HookCall,
  event: Extract<ClientEvent, { type: 'tool_requested' }>,
): Promise<ClientAnswer> {
  const { guard, exec, toolUses, client, caller, call } = hook
  const { session, agentId } = call
  const project = projectOf(call.cwd)
  const use = {
    client: client.name,
    session,
    ...(agentId === undefined ? {} : { agentId }),
    ...(project === undefined ? {} : { project }),
  }
  toolUses.announce(caller, event.callId, use, { toUs: event.toUs })
  // Judged once, at our own server, which finds its session by what was announced.
  if (event.toUs) {
    toolUses.allow(caller, event.callId)
    await toolUses.shared?.announced(caller, event.callId, use)
    return announceOwn(hook, event, use)
  }
  const request: CallRequest = {
    session,
    tool: event.tool,
    ...(event.server === undefined ? {} : { server: event.server }),
    input: event.input,
    callId: event.callId,
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    ...(hook.home === undefined ? {} : { home: hook.home }),
    ...(project === undefined ? {} : { project, workspace: project }),
  }
  const adapter = adapterFor(hook, request)
  const { signal = neverAborted } = hook
  const opened = await openCall(guard, adapter, caller, request, { signal })
  if (!opened.ok) return { kind: 'deny', text: denialText(opened.error) }
  toolUses.allow(caller, event.callId)
  toolUses.judge(caller, event.callId, judgedPaths(request))
  const reported = tell(opened.value.notices)
  if (exec === undefined || adapter.runs !== 'rewritten') return reported
  const input = rewriteCall(exec, request, opened.value, hook.process)
  if (input === undefined) return reported
  return { kind: 'rewrite', input, ...(reported.kind === 'tell' ? { text: reported.text } : {}) }
}

function adapterFor({ client, exec, runtime, caller }: HookCall, request: CallRequest): Adapter {
  const isRewritable = exec !== undefined && canRewrite(request)
  return {
    ...clientAdapter(client, runtime.settings, { canRewrite: isRewritable }),
    // A client gives up on us after some seconds; one that we started does not.
    waitsMs: caller.session === undefined ? 0 : Number.POSITIVE_INFINITY,
    results: sourceOf(caller),
  }
}

/** Seen by the client's own hook (WF-31), unless it comes with the agent's own token. */
function sourceOf({ kind }: Caller): Adapter['results'] {
  return kind === 'agent' ? 'reported' : 'observed'
}

/** How the call will be known again when it comes to our own server. */
async function announceOwn(
  { toolUses, client, caller, process }: HookCall,
  { tool, input, callId }: Extract<ClientEvent, { type: 'tool_requested' }>,
  use: ToolUse,
): Promise<ClientAnswer> {
  if (client.marksOwnCalls === true) {
    return { kind: 'rewrite', input: { ...(isJsonObject(input) ? input : {}), [callMark]: callId } }
  }
  if (client.namesCalls === false) {
    toolUses.waiting.add(caller, { tool, input }, { callId, use, process })
    await toolUses.shared?.waits(caller, { tool, input }, callId, use)
  }
  return nothing
}

/** Results move counters and interrupts; an interrupt is told beside the result. */
async function onFinished(
  hook: HookCall,
  event: Extract<ClientEvent, { type: 'tool_finished' }>,
): Promise<ClientAnswer> {
  const { runtime, caller, call, toolUses } = hook
  const { callId, tool, toUs } = event
  await noteUnjudged(hook, [{ callId, tool, toUs, ran: true }])
  await noteSwapped(hook, callId, tool)
  // What our own server offers may have changed since the call was announced.
  if (toolUses.standing(caller, callId).toUs ?? toUs) return nothing
  // A command that ran through us was seen to end; what the client says of it is old news.
  const seen = hook.exec?.resultOf(caller, event.callId)
  if (seen !== undefined && seen !== null) {
    await hook.exec?.clientSaw(caller, callId, event.exit)
    return withBrief(hook, tell(seen), await activeRun(hook))
  }
  const done = await finishCall(runtime, caller, {
    session: call.session,
    callId: event.callId,
    bytes: event.bytes,
    exit: event.exit,
    // A command that was to run through us and did not is only said to have ended.
    source: seen === null ? 'reported' : sourceOf(caller),
    ...(event.output === undefined ? {} : { output: event.output }),
    ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
    ...(event.costUsd === undefined ? {} : { costMicros: toMicros(event.costUsd) }),
  })
  // A call from before the run began has no place in its history.
  if (!done.ok) return nothing
  return withBrief(hook, tell(noticesOf(done.value)), done.value.live)
}

function withBrief(
  hook: HookCall,
  reported: ClientAnswer,
  live: LiveRun | undefined,
): ClientAnswer {
  return hook.client.briefsAfterEachTool === true
    ? beside(reported, tellBrief(hook, live))
    : reported
}

function beside(one: ClientAnswer, other: ClientAnswer): ClientAnswer {
  if (one.kind !== 'tell') return other
  return other.kind === 'tell' ? { kind: 'tell', text: `${one.text}\n${other.text}` } : one
}

function tell(notices: readonly string[]): ClientAnswer {
  return notices.length === 0 ? nothing : { kind: 'tell', text: notices.join('\n') }
}

/** While a run holds the session, its guard may not be switched off under it. */
async function onSettingsChanged(
  hook: HookCall,
  { file }: Extract<ClientEvent, { type: 'settings_changed' }>,
): Promise<ClientAnswer> {
  // One that we started keeps the settings of its start: they are what makes it ask us.
  const isOurs = hook.caller.session !== undefined
  if (!isOurs && !hook.runtime.settings.strict && (await activeRun(hook)) === undefined) {
    return nothing
  }
  const what = file || 'The settings'
  const text = `${what} changed while a run is active. It takes effect in the next session.`
  return { kind: 'deny', text: `self_protection: ${text}` }
}

function activeRun({ runtime, caller, call }: HookCall): Promise<LiveRun | undefined> {
  return activeOfSession(runtime, caller, call.session)
}

async function autostarted({ runtime, caller, call }: HookCall): Promise<LiveRun | undefined> {
  if (runtime.settings.autostart === 'off') return undefined
  const project = projectOf(call.cwd)
  return autostart(runtime, caller, {
    session: call.session,
    ...(project === undefined ? {} : { project, workspace: project }),
  })
}

/** The brief of every turn (WF-13). */
function tellBrief({ caller, client, runtime }: HookCall, live: LiveRun | undefined): ClientAnswer {
  if (live === undefined) return nothing
  const { namesAgents = false } = client
  const how = { tellOverrides: true, hasWorkers: namesAgents, at: runtime.clock.now() }
  const text = brief(live.program, live.snapshot, actorOf(caller), how)
  return { kind: 'tell', text: `[STATEWRIGHT] ${text}` }
}
