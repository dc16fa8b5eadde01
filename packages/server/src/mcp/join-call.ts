import { err, isJsonObject, ok, type Result } from '@statewright/core/internal'
import { type Caller, connectionKey } from '../base/caller.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import { toolUseNamed } from '../clients/coding-clients.ts'
import type { Guard } from '../guard/guard.ts'
import { callMark, type ToolUse } from '../hooks/tool-use.ts'
import type { ToolUses } from '../hooks/tool-uses.ts'
import type { Match, OwnCall } from '../hooks/waiting-calls.ts'
import type { ConnectionRef } from '../runtime/runs/find-run.ts'
import { speaksFor } from '../runtime/runs/scope.ts'
import type { ToolCaller } from './tool-caller.ts'

/** The argument by which a model names the run of a call to a tool that has none for it. */
export const runArgument = 'statewright_run'

/** What came over a connection, beside the call itself. */
export interface Connection {
  readonly caller: Caller
  /** The client session that the connection says it speaks for. */
  readonly session?: string | undefined
  /** What tells it from others of its token, where it has a name. */
  readonly id?: string | undefined
  /** Processes from the one at the other end upwards; found only when asked for. */
  readonly ancestors: () => readonly string[]
}

export interface JoinedCall {
  readonly from: ToolCaller
  /** What the tool gets: the mark is for us alone. */
  readonly args: unknown
}

/**
 * Joins an MCP call with what its client hook announced: the session, and the sub-agent in it. By
 * the id that the client puts beside the call, by the one its plugin put into it, else by what the
 * call says.
 */
export async function joinCall(
  { guard, toolUses }: { readonly guard: Guard; readonly toolUses: ToolUses },
  connection: Connection,
  call: OwnCall & { readonly meta: Readonly<Record<string, unknown>> },
): Promise<Result<JoinedCall, RuntimeProblem>> {
  const { caller } = connection
  const { mark, run, args } = unmarked(call.input)
  const named = toolUseNamed(call.meta) ?? mark
  if (named !== undefined) await arrive(toolUses, caller, named)
  const use = named === undefined ? undefined : await announcedUse(toolUses, caller, named)
  if (use !== undefined) return ok({ from: fromUse(guard, caller, use), args })
  const match = await waitingCall(toolUses, connection, { tool: call.tool, input: args })
  if (match.kind === 'found') {
    await arrive(toolUses, caller, match.callId)
    return ok({ from: fromUse(guard, caller, match.use), args })
  }
  if (match.kind === 'several') {
    // Which of them it is nobody knows, but none of them went to another server.
    for (const callId of match.callIds) await arrive(toolUses, caller, callId)
    if (run === undefined && !namesRun(args)) return err(severalSessions)
  }
  const from = await connectedCaller(guard, connection)
  return ok({ from: run === undefined ? from : { ...from, run }, args })
}

/** Told to other nodes as well: the client's word that the call has ended may come there. */
async function arrive(toolUses: ToolUses, caller: Caller, callId: string): Promise<void> {
  toolUses.arrive(caller, callId)
  await toolUses.shared?.arrived(caller, callId)
}

async function announcedUse(
  toolUses: ToolUses,
  caller: Caller,
  callId: string,
): Promise<ToolUse | undefined> {
  const known = toolUses.find(caller, callId)
  if (known !== undefined || toolUses.shared === undefined) return known
  await toolUses.shared.learn(caller, callId)
  return toolUses.find(caller, callId)
}

async function waitingCall(
  { waiting, shared }: ToolUses,
  { caller, ancestors }: Connection,
  call: OwnCall,
): Promise<Match> {
  const known = waiting.take(caller, call, ancestors)
  if (shared === undefined) return known
  if (known.kind === 'none') await shared.learnAlike(caller, call)
  const match = known.kind === 'none' ? waiting.take(caller, call, ancestors) : known
  if (match.kind === 'found') await shared.joined(caller, call, match.callId)
  return match
}

/** Who calls over a connection, as far as the connection itself says. */
export async function connectedCaller(
  guard: Guard,
  { caller, session: named, id, ancestors }: Connection,
): Promise<ToolCaller> {
  const { runtime } = guard
  const isSpokenFor = named !== undefined && (await speaksFor(runtime, caller, named))
  if (isSpokenFor) return { guard, runtime, caller, session: named }
  // What is nobody's session yet is a name for the connection: no way out of the token's runs.
  const name = id ?? (named === undefined ? undefined : `session ${named}`)
  const connection: ConnectionRef = {
    key: name === undefined ? undefined : connectionKey(caller, name),
    process: () => ancestors()[0],
  }
  return { guard, runtime, caller, connection }
}

const severalSessions = problem(
  'usage',
  'Several sessions of this client made the same call, and they cannot be told apart.',
  { where: 'run', next: 'name the run.' },
)

function namesRun(args: unknown): boolean {
  return isJsonObject(args) && typeof args.run === 'string'
}

function unmarked(input: unknown): { mark?: string; run?: string; args: unknown } {
  if (!isJsonObject(input)) return { args: input }
  if (!Object.hasOwn(input, callMark) && !Object.hasOwn(input, runArgument)) return { args: input }
  const { [callMark]: mark, [runArgument]: run, ...args } = input
  return {
    args,
    ...(typeof mark === 'string' ? { mark } : {}),
    ...(typeof run === 'string' ? { run } : {}),
  }
}

function fromUse(guard: Guard, caller: Caller, use: ToolUse): ToolCaller {
  const { client, session, agentId, project } = use
  return {
    guard,
    runtime: guard.runtime,
    caller: { ...caller, client, ...(agentId === undefined ? {} : { agentId }) },
    // What an agent that we started says of another session counts for nothing.
    session: caller.session ?? session,
    ...(project === undefined ? {} : { project }),
  }
}
