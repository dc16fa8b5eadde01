import { defined } from '../base/defined.ts'
import { describeFor, type WorkspaceFacts } from '../decide/describe-call.ts'
import type { Program as CompiledProgram } from '../machine/machine.ts'
import type { UsageFacts } from '../policy/usage.ts'
import { machineOfCaller, stateOfCaller } from '../run/choose-lane.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'

/**
 * A tool call as an agent makes it.
 *
 * @example
 * import type { Call } from '@statewright/core'
 *
 * const call: Call = { tool: 'Bash', input: { command: 'git log -3' } }
 */
export interface Call {
  readonly tool: string
  readonly input: unknown
  /** The MCP server that it goes to. */
  readonly server?: string
}

/** What a decision depends on besides program, snapshot and call. */
export interface CallFacts {
  /** Which agent makes the call; agents that share a run have an id each. */
  readonly by?: Actor
  /** The branch of a fork that the call is made for. */
  readonly branch?: string
  /** Where the files lie. Without it paths are against the workspace, and absolute ones outside. */
  readonly workspace?: WorkspaceFacts
  /** What is left of the rates and budgets of the definition's policy; without it they deny. */
  readonly usage?: UsageFacts
  /** Digests of the files that evidence depends on, by its name. */
  readonly digests?: DigestFacts
}

export const anAgent: Actor = { kind: 'agent', id: 'agent' }

const nowhere: WorkspaceFacts = { root: '/workspace' }

export function describe(
  program: CompiledProgram,
  call: Call,
  id: string,
  workspace = nowhere,
): ToolCall {
  return describeFor(program, { ...call, id }, workspace)
}

/** What the decision and the event that asks for it have in common. */
export function factsOfCall(program: CompiledProgram, run: RunSnapshot, facts: CallFacts) {
  const { by = anAgent, branch, usage, digests } = facts
  const state = stateOfCaller(program, run, by, branch)
  const machine = state === null ? null : machineOfCaller(program, run, by, branch)
  // An approval serves the agent and the state that asked for it (PO-7c).
  const place = machine === null ? undefined : `${machine.id}/${state?.name}`
  return { by, ...defined({ branch, usage, digests, place }), asker: by.id }
}
