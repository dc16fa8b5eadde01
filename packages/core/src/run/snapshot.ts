import type { Json, JsonObject } from '../base/json.ts'
import type { Words } from '../base/text/phrase.ts'
import type { Allowance, Verdict } from './verdict.ts'

/** Words for lists of runs (WF-33). */
export type RunStatus =
  | 'running'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'blocked'
  | 'stopped'

/**
 * Where a run stands: plain JSON that a store keeps and that replaying the history gives again,
 * byte for byte. It is never changed in place. Outside of core `view` tells what it holds: only
 * `status` keeps its shape.
 *
 * @example
 * import type { Snapshot } from '@statewright/core'
 *
 * const runs = new Map<string, Snapshot>()
 * const restored = (text: string): Snapshot => JSON.parse(text)
 */
export interface RunSnapshot {
  /** The engine that the run is on; the first one wrote none (WF-36). */
  readonly engine?: number
  readonly status: RunStatus
  /** Paused by a person: everything but our own tools is denied until a person resumes it. */
  readonly held?: true
  /** How the run is held, fixed when it starts. */
  readonly settings: RunSettings
  readonly main: Lane
  readonly fork: ForkSnapshot | null
  /** The agent's own events that moved the run; interrupts, joins and forces do not count. */
  readonly transitionCount: number
  /** Counts every entering of a state: a late result knows by it whether its state is still on. */
  readonly visits: number
  readonly calls: readonly CallRecord[]
  readonly asks: readonly AskRecord[]
  /** Ids of the approvals resolved last, so that a second verdict is told apart from a wrong id. */
  readonly resolved: readonly string[]
  /** Branches that the last fork completed: saying so once more is no mistake (WF-24). */
  readonly lastBranches: readonly string[]
  readonly costMicros: number
  readonly mailsSent: number
  /** What results taught, by definition and fact; missing where no definition has facts (FC-1). */
  readonly facts?: Readonly<Record<string, Readonly<Record<string, FactRecord>>>>
  /** What calls did, by definition (or policy) and mark. */
  readonly marks?: Readonly<Record<string, Readonly<Record<string, MarkRecord>>>>
  /** What people asked for, the newest last, where a condition reads it (FC-11). */
  readonly task?: string
}

export interface FactRecord {
  /** By key; a fact without one has the empty key. */
  readonly values: Readonly<Record<string, FactValue>>
  /** Counts the calls that made it be forgotten: who asked before one of them teaches nothing. */
  readonly epoch: number
  /** Such calls that are still under way. */
  readonly open?: readonly OpenForget[]
}

export interface FactValue {
  readonly value: Json
  readonly at: number
  readonly callId: string
}

export interface OpenForget {
  readonly callId: string
  readonly at: number
}

export interface MarkRecord {
  readonly callId: string
  readonly at: number
}

export interface RunSettings {
  /** No tool list means no tools, no match in a policy means no, a paused run keeps denying. */
  readonly strict: boolean
  /** The agent may not pause, stop, force or replace the run. */
  readonly locked: boolean
  /** The run belongs to a session of ours: after its end nothing runs until the next one. */
  readonly inSession?: true
  /** Whose session budgets it draws on, together with other runs of that session (PR-9c). */
  readonly budgetOf?: string
}

/** One place of execution: the run itself, or a branch of its fork. */
export interface Lane {
  /** Invoked children stand on their parents; the last frame is the live one. */
  readonly frames: readonly Frame[]
  readonly approval: PendingApproval | null
}

export interface Frame {
  /** Name of the machine in the program. */
  readonly machine: string
  readonly state: string
  readonly context: JsonObject
  readonly counters: Counters
  readonly interrupt: ActiveInterrupt | null
  readonly evidence: Readonly<Record<string, EvidenceRecord>>
  /** Digests of `defined_by` files as the run began, by evidence (WF-31). */
  readonly baseline: Readonly<Record<string, string | null>>
  /** A verdict that kept the frame where it is: told to the agent until it moves on (WF-22). */
  readonly rejected: Rejected | null
  /** What a person wrote with the verdict that led here, told until the frame moves on (WF-22). */
  readonly word?: PersonsWord
  /** How the parent goes on when this child ends; null at the bottom of a lane. */
  readonly invoked: InvokedBy | null
}

/** What was used in this state; entering a state resets it, `$return` continues it. */
export interface Counters {
  readonly visit: number
  readonly iterations: number
  readonly bytes: number
  readonly files: readonly string[]
}

export interface ActiveInterrupt {
  readonly name: string
  readonly file: string
  readonly returnTo: string
  readonly counters: Counters
}

export interface Rejected {
  readonly event: string
  readonly verdict: Exclude<Verdict, 'approved' | 'withdrawn'>
  /** The reason as it was given; empty when there was none. */
  readonly note: Words
}

export interface PersonsWord {
  readonly event: string
  readonly verdict: Extract<Verdict, 'approved' | 'rejected'>
  readonly note: string
}

export interface InvokedBy {
  readonly key: string
  readonly onComplete: string
  readonly onFail: string | null
}

export interface PendingApproval {
  readonly id: string
  /** A guarded move of a workflow, or an answer of a process that a person must confirm. */
  readonly kind: 'transition' | 'checkpoint'
  readonly by: string
  readonly event: string
  readonly candidate: number
  readonly from: string
  readonly to: string | null
  readonly message: Words
  readonly data: JsonObject
  readonly openedAt: number
  readonly expiresAt: number | null
}

export interface EvidenceRecord {
  readonly callId: string
  readonly outcome: 'running' | 'proved' | 'refuted'
  readonly source: EvidenceSource
  readonly at: number
  readonly before: FileDigests | null
  readonly after: FileDigests | null
  /** A matching file was seen to change after the call. */
  readonly touched: boolean
  /** Calls under way that change a matching file. */
  readonly edits?: readonly string[]
}

export type EvidenceSource = 'observed' | 'reported'

/** Digests of the files that a fact depends on, as the caller found them. */
export interface FileDigests {
  readonly stale: string | null
  readonly definedBy: string | null
  /**
   * Of numbers and times of change of all these files: one that was swapped and swapped back has
   * the same content and another stamp. Absent in what was written before anybody looked.
   */
  readonly stamp?: string
}

export type BranchStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface ForkSnapshot {
  readonly event: string
  readonly join: 'all' | 'any'
  readonly onComplete: string
  readonly onFail: string | null
  readonly branches: readonly BranchSnapshot[]
}

export interface BranchSnapshot {
  readonly name: string
  readonly initial: string
  readonly terminal: string
  readonly status: BranchStatus
  /** The caller that works this branch, once one was bound to it. */
  readonly boundTo: string | null
  readonly lane: Lane
}

/** A call that was let through. */
export interface CallRecord {
  readonly id: string
  readonly tool: string
  readonly argsHash: string
  readonly caller: string
  readonly branch: string | null
  readonly visit: number
  /** Open: no result yet. Assumed: no result came before its caller's next call. Done: it came. */
  readonly status: 'open' | 'assumed' | 'done'
  /** Files an edit tool changes. */
  readonly files: readonly string[]
  /** Files a shell command visibly changes. */
  readonly shellFiles: readonly string[]
  /** Files that this call was the first to count in its state. */
  readonly counted: readonly string[]
  readonly evidence: readonly string[]
  readonly mails: number
  readonly capability: string
  /** Somebody of ours sees how it ends, so that nobody else may say so. */
  readonly results?: 'observed'
  /** Arguments that what its result teaches is read with (FC-3); gone once it has ended. */
  readonly args?: JsonObject | null
  /** What it may teach, by definition and fact, with the epoch in which it was asked (FC-4). */
  readonly teaches?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Interrupts that fire by its end, by definition. */
  readonly fires?: Readonly<Record<string, readonly string[]>>
  /** Interrupts that its result decides, by definition. */
  readonly mayFire?: Readonly<Record<string, readonly string[]>>
  /** Made while no state held, after the end or during a pause: it moves nothing but its cost. */
  readonly free?: true
}

/** A policy's question to a person about one call, bound to its exact arguments (PO-7). */
export interface AskRecord {
  readonly id: string
  readonly rule: string
  readonly tool: string
  readonly argsHash: string
  readonly status: 'waiting' | 'approved' | 'rejected'
  readonly always: boolean
  readonly expiresAt: number
  /** The state it was asked in, where it alone serves; missing in runs of before. */
  readonly place?: string
  /** The agent that asked, whom alone it serves; missing in runs of before. */
  readonly asker?: string
  /** With `always`: what of the rule is free; missing where it is all of it (PO-7e). */
  readonly allowance?: Allowance
}

/**
 * Whether a pause denies everything but our own tools. Else it has switched the rules off: the
 * agent of a run that is not locked may do that, and people are shown so (WF-27).
 */
export function isPauseStrict({ held, settings }: RunSnapshot): boolean {
  return held === true || settings.locked || settings.strict
}

export function isUnguarded(run: RunSnapshot): boolean {
  return run.status === 'paused' && !isPauseStrict(run)
}

/** Statuses in which a run denies or allows the calls of its agents. */
export const unfinishedStatuses: readonly RunStatus[] = ['running', 'waiting', 'paused', 'blocked']

export function isUnfinishedStatus(status: RunStatus): boolean {
  return unfinishedStatuses.includes(status)
}

/** Ended runs take no more events; a blocked one keeps denying all the same. */
export function hasEnded(status: RunStatus): boolean {
  return (
    status === 'completed' || status === 'failed' || status === 'blocked' || status === 'stopped'
  )
}
