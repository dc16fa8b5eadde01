import type { JsonObject } from '@statewright/core'

/** Guarded runs for an agent loop of your own, embedded or on a server. */
export interface Statewright {
  /** Saves a workflow or process: an object, or its text in JSON or YAML. */
  save(definition: object | string): Promise<{ readonly name: string; readonly version: number }>
  start(run: StartOptions): Promise<GuardedRun>
  /** A run that exists already. */
  run(runId: string): GuardedRun
  /** What waits for a person. */
  approvals(): Promise<readonly WaitingApproval[]>
  approve(approvalId: string, note?: string): Promise<void>
  reject(approvalId: string, reason: string): Promise<void>
  close(): Promise<void>
}

export interface StartOptions {
  readonly workflow?: string
  readonly process?: string
  readonly context?: JsonObject
  /** Where relative paths lead and evidence is read; omitted, no file is looked at. */
  readonly workspace?: string
}

export interface GuardedRun {
  readonly id: string
  /** Judges a call before it is made. Nothing but `allow` may run. */
  check(call: ToolRequest): Promise<ToolDecision>
  /** Says what became of a call that was let through; it moves counters and interrupts. */
  finish(result: ToolOutcome): Promise<{ readonly notices: readonly string[] }>
  transition(event: string, data?: JsonObject, branch?: string): Promise<Moved>
  /** Answers the question at which a process stands. */
  answer(answer: string, rationale?: string): Promise<Moved>
  /** Where it stands: state, tools, transitions, limits, and the brief for the agent. */
  state(branch?: string): Promise<RunStanding>
  /** What became of an approval. */
  approval(approvalId: string): Promise<'waiting' | 'approved' | 'rejected' | 'ended'>
}

export interface ToolRequest {
  readonly tool: string
  readonly input: unknown
  readonly callId?: string
  readonly server?: string
  readonly branch?: string
}

export interface ToolDecision {
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly callId: string
  readonly code?: string
  readonly message?: string
  readonly approvalId?: string
  /** Everything an agent should be told of a denial, as text. */
  readonly text: string
}

export interface ToolOutcome {
  readonly callId: string
  readonly exit: 'success' | 'failure'
  readonly bytes?: number
  readonly costUsd?: number
  readonly branch?: string
  /** What the model reads of it, for a workflow with `capture_output`. */
  readonly output?: string
}

export type Moved =
  | { readonly status: 'moved'; readonly state: string; readonly brief: string }
  | { readonly status: 'waits'; readonly approvalId: string }

export interface RunStanding {
  readonly status: string
  readonly state: string
  readonly brief: string
  readonly allowedTools: readonly string[] | null
  readonly context: JsonObject
}

export interface WaitingApproval {
  readonly approvalId: string
  readonly runId: string
  readonly kind: string
  readonly message: string
}

/** The rules said no, or something could not be done; `code` says which. */
export class StatewrightError extends Error {
  readonly code: string
  /** Where it went wrong, such as the address of the server. */
  readonly where?: string
  /** What helps on. */
  readonly next?: string

  constructor(code: string, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.name = 'StatewrightError'
    this.code = code
    if (more.where !== undefined) this.where = more.where
    if (more.next !== undefined) this.next = more.next
  }
}

export interface ErrorDetails {
  readonly where?: string | undefined
  readonly next?: string | undefined
  readonly cause?: unknown
}
