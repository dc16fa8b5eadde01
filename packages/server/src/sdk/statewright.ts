import { type Code, codes, type JsonObject } from '@statewright/core/internal'
import type { Approval, Run } from '@statewright/core/wire'

/** Guarded runs for an agent loop of your own, embedded or on a server. */
export interface Statewright {
  start(run: StartOptions): Promise<GuardedRun>
  /** A run that exists already. */
  run(runId: string): GuardedRun
  close(): Promise<void>
}

/** What no agent may do. On a server it takes the token of a person. */
export interface People {
  /** Saves a workflow or process: an object, or its text in JSON or YAML. */
  save(definition: object | string): Promise<{ readonly name: string; readonly version: number }>
  /** What waits for a person. */
  approvals(): Promise<readonly WaitingApproval[]>
  approve(approvalId: string, note?: string): Promise<void>
  /** The note is what the agent reads. */
  reject(approvalId: string, note: string): Promise<void>
}

export interface StartOptions {
  /** A workflow or a process that was saved, by its name. */
  readonly workflow?: string
  readonly process?: string
  /** Or one of its own, which nobody saved; on a server a person's token is needed for it. */
  readonly definition?: object | string
  readonly context?: JsonObject
  /** What a person asks for, for conditions that read it. */
  readonly task?: string
  /** Where relative paths lead and evidence is read; omitted, no file is looked at. */
  readonly workspace?: string
}

export interface GuardedRun {
  readonly id: string
  /** Judges a call before it is made. Nothing but `allow` may run. */
  check(call: ToolRequest): Promise<ToolDecision>
  /** Says what became of a call that was let through; it moves counters and interrupts. */
  finish(result: ToolOutcome): Promise<{ readonly notices: readonly string[] }>
  transition(event: string, data?: JsonObject, branch?: string): Promise<MoveResult>
  /** Answers the question at which a process stands. */
  answer(answer: string, rationale?: string): Promise<MoveResult>
  /** Where it stands: state, tools, transitions, limits, and the brief for the agent. */
  state(branch?: string): Promise<RunStanding>
  /** What became of an approval. */
  approval(approvalId: string): Promise<ApprovalStatus>
  /** Waits until a person answered; still `waiting` when the time is over or the signal came. */
  waitForApproval(approvalId: string, options?: WaitOptions): Promise<ApprovalStatus>
}

/** `waiting`, or how it ended: `approved`, `rejected`, `expired`, `withdrawn` or `failed`. */
export type ApprovalStatus = Approval['status']

export interface WaitOptions {
  /** How long at most; five minutes when it is not given. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
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
  readonly code?: Code
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

/** Where an event or an answer led to, in the words of the API; or that a person is asked first. */
export type MoveResult =
  | { readonly status: Run['status']; readonly state: string; readonly brief: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly message: string }

export interface RunStanding {
  readonly status: Run['status']
  readonly state: string
  readonly brief: string
  readonly allowedTools: readonly string[] | null
  readonly context: JsonObject
}

export interface WaitingApproval {
  readonly approvalId: string
  readonly runId: string
  readonly kind: Approval['kind']
  readonly message: string
}

/** The rules said no, or something could not be done; `code` says which. */
export class StatewrightError extends Error {
  readonly code: Code
  /** Where it went wrong, such as the address of the server. */
  readonly where?: string
  /** What helps on. */
  readonly next?: string

  constructor(code: Code, message: string, more: ErrorDetails = {}) {
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

/** A server may be newer than this library, and know more codes. */
export function knownCode(code: string): Code {
  return Object.hasOwn(codes, code) ? (code as Code) : 'internal' // Looked up in the table.
}
