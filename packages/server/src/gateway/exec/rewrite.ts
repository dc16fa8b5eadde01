import {
  describeCall,
  isJsonObject,
  type Json,
  judgedTool,
  shellInput,
  stateOfCaller,
  toolRef,
} from '@statewright/core'
import type { ClientAnswer, ClientEvent } from '../../clients/client.ts'
import { actorOf } from '../../runtime/caller.ts'
import { changedAsked } from '../../runtime/self-protection.ts'
import { type ShellPlace, shellPlace } from '../../runtime/shell-place.ts'
import { workspaceFacts } from '../../runtime/workspace-facts.ts'
import type { HookCall } from '../hook-call.ts'

type Requested = Extract<ClientEvent, { type: 'tool_requested' }>

/**
 * A shell call that was let through and needs another environment or a sandbox goes on through our
 * own `exec`, with a ticket for this one call (SH-15). Undefined: it may run as it is.
 */
export async function rewriteShellCall(
  hook: HookCall,
  event: Requested,
  runId: string | null,
): Promise<ClientAnswer | undefined> {
  const { parts, exec, client, caller, call } = hook
  const asked = shellInput(event.input)
  // What is only watched runs as it would without us.
  if (runId === null || parts.settings.mode === 'observe') return undefined
  if (asked === undefined || judgedTool(toolRef(event.tool, event.server)) !== 'Bash') {
    return undefined
  }
  const live = await parts.live.get(runId)
  if (live === undefined) return undefined
  const place = shellPlace(parts.settings, live, { caller, startedBy: 'client' })
  const hasCage = exec !== undefined && exec.sandbox.kind === 'bubblewrap'
  if (!needsExec(place, hasCage)) return undefined
  const state = stateOfCaller(live.program, live.snapshot, actorOf(caller))
  if (exec === undefined || state === null || !mayRewrite(hook)) {
    return place.sandbox === 'required' ? cannotCage(client.name) : undefined
  }
  const cwd = asked.cwd ?? call.cwd ?? place.workspace
  if (cwd === null) return place.sandbox === 'required' ? cannotCage(client.name) : undefined
  const root = place.workspace ?? cwd
  const words = exec.issue({
    runId,
    callId: event.callId,
    caller,
    state: state.name,
    place,
    command: asked.command,
    cwd,
    mayChange: changedAsked(parts.settings, {
      input: event.input,
      call: describeCall({ ...event, id: event.callId }, workspaceFacts(root, cwd)),
      root,
      cwd,
      ownPorts: parts.ownPorts,
    }),
  })
  return { kind: 'rewrite', input: withCommand(event.input, asked.field, words) }
}

function needsExec({ blockedEnv, envOverrides, sandbox }: ShellPlace, hasCage: boolean): boolean {
  if (blockedEnv.length > 0 || Object.keys(envOverrides).length > 0) return true
  return sandbox === 'required' || (sandbox === 'auto' && hasCage)
}

/** Some take another input only with an allow, which waives their own prompt (invariant 9). */
function mayRewrite({ client, parts }: HookCall): boolean {
  if (client.rewrites === 'freely') return true
  return client.rewrites === 'with_allow' && parts.settings.rewriteWithAllow
}

function cannotCage(client: string): ClientAnswer {
  const text = `Shell calls may run in a sandbox only, and ${client} runs them without one.`
  return { kind: 'deny', text: `sandbox_required: ${text} Use the shell tool of the gateway.` }
}

function withCommand(input: unknown, field: string | null, words: readonly string[]): Json {
  const line = words.map(quoted).join(' ')
  if (field === null || !isJsonObject(input)) return line
  return { ...input, [field]: Array.isArray(input[field]) ? [...words] : line }
}

/** In single quotes, so that no shell reads anything into it. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
