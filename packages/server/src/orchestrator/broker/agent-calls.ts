import type { Caller } from '../../base/caller.ts'
import { denialText } from '../../guard/denial.ts'
import type { Guard } from '../../guard/guard.ts'
import { type Adapter, type OpenCall, openCall } from '../../guard/guarded-call.ts'
import type { AgentCallGuard } from '../ports.ts'

export interface AgentCallsOptions {
  readonly guard: Guard
  readonly caller: Caller
  readonly sessionId: string
  readonly projectPath: string
  readonly signal: AbortSignal
  /** Resolves when the run knows what the session has cost so far. */
  readonly costReported: () => Promise<void>
}

/** An agent runs by itself what it was allowed, and takes no other input for it from us. */
const agentTools: Adapter = {
  name: 'the agent',
  runs: 'as_it_is',
  waitsMs: Number.POSITIVE_INFINITY,
  readsByShell: false,
  // By the program that we started, over its own connection: not by the model (WF-31).
  results: 'observed',
}

/**
 * The calls of an agent that asks us before it uses tools of its own: judged before they run, and
 * their results told to the run, since limits, interrupts and evidence are made of them (SE-11).
 */
export class AgentCalls implements AgentCallGuard {
  readonly #options: AgentCallsOptions
  readonly #open = new Map<string, OpenCall>()

  constructor(options: AgentCallsOptions) {
    this.#options = options
  }

  async judge({ callId, name, arguments: input }: Parameters<AgentCallGuard['judge']>[0]) {
    const { guard, caller, sessionId, projectPath, signal, costReported } = this.#options
    await costReported()
    const request = {
      session: sessionId,
      project: projectPath,
      workspace: projectPath,
      tool: name,
      input,
    }
    // The id is ours: an agent that counts its calls again in each turn would use one twice.
    const opened = await openCall(guard, agentTools, caller, request, { signal })
    if (!opened.ok) return { isAllowed: false, message: denialText(opened.error) }
    this.#open.set(callId, opened.value)
    return { isAllowed: true, message: '' }
  }

  /** What the model must hear of it. A result of what was not let through counts for nothing. */
  async finished({ callId, ...outcome }: Parameters<AgentCallGuard['finished']>[0]) {
    const open = this.#open.get(callId)
    if (open === undefined) return []
    this.#open.delete(callId)
    const reported = await open.finish(outcome)
    return reported.ok ? [...open.notices, ...reported.value] : open.notices
  }

  /** A new request begins: what was open before it was broken off and has no result. */
  forget(): void {
    this.#open.clear()
  }
}
