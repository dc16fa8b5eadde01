import type { Entry, RunStatus, RunView } from '@statewright/core'

/** Shapes of the wire, by the names they have there. */

export interface RunRow {
  readonly run_id: string
  readonly workflow: string
  readonly kind: 'workflow' | 'process'
  readonly program_hash: string
  readonly version: number | null
  readonly status: RunStatus
  readonly state: string
  readonly project: string | null
  readonly workspace: string | null
  readonly owner: string
  /** The agent that a person's run was handed to, by its token and that token's name. */
  readonly agent?: string | null
  readonly agent_name?: string
  readonly role: string
  readonly client: string | null
  readonly locked: boolean
  readonly seq: number
  readonly calls: number
  readonly denials: number
  /** Let pass by observe mode; an older server does not say. */
  readonly passed?: number
  readonly unguarded?: boolean
  readonly transitions: number
  readonly cost_usd: number
  readonly created_at: number
  readonly updated_at: number
}

export interface RunPage {
  readonly runs: readonly RunRow[]
  readonly next: string | null
}

export type RunNow = RunView & {
  readonly run_id: string
  readonly hash: string
  readonly program_hash: string
  readonly version: number | null
  readonly project: string | null
  readonly locked: boolean
  readonly created_at: number
  readonly updated_at: number
  readonly calls: number
  readonly denials: number
  readonly passed?: number
  readonly unguarded?: boolean
}

/** A line of history as the wire has it: flat, with its place in the chain. */
export type WireEntry = Entry & {
  readonly seq: number
  readonly hash: string
  readonly actor?: { readonly kind: string; readonly id: string }
}

/** What the feed tells: an entry and whose it is. */
export type FeedEntry = WireEntry & { readonly run_id: string }

export type ApprovalStatus =
  | 'waiting'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'withdrawn'
  | 'failed'

export interface Approval {
  readonly approval_id: string
  readonly run_id: string
  readonly kind: 'transition' | 'ask' | 'checkpoint'
  readonly status: ApprovalStatus
  readonly message: string
  readonly opened_at: number
  readonly expires_at?: number
  readonly event?: string
  readonly from?: string
  readonly to?: string | null
  readonly tool?: string
  /** Who asks: the name and the role of its token. */
  readonly agent?: string
  readonly role?: string
  /** Why an agent answered so, in its own words. */
  readonly rationale?: string
  readonly input?: unknown
  /** So many characters of a very long input were not kept. */
  readonly input_more?: number
  readonly data?: Readonly<Record<string, unknown>>
  /** What follows, as the server reads it in the definition; of what waits only. */
  readonly if_approved?: string
  readonly if_rejected?: string
  readonly if_expired?: string
  readonly if_always?: string
  /** The rules that asked, each with its place in the definition. */
  readonly rules?: readonly { readonly path: string; readonly message: string }[]
  readonly resolved_at?: number
  readonly resolved_by?: string | null
  readonly note?: string | null
}

/** A run whose agent gets the same denial again and again. */
export interface StuckRun {
  readonly run_id: string
  readonly tool: string
  readonly code: string
  readonly times: number
  readonly since: number
}
