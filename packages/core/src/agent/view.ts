import type { AgentStateKind } from './kinds.ts'
import type { AgentError, CompactionMethod, ContextUse, TurnUsage } from './records.ts'
import type { AgentStateEvent } from './state-event.ts'
import type { OutputEvent, StreamEvent } from './stream-event.ts'

/** What a person sees of a session, line by line. */
export type AgentViewItem =
  | {
      readonly kind: 'input'
      readonly id: string
      readonly text: string
      /** It waits for the end of the turn. */
      readonly isQueued?: true
    }
  | {
      readonly kind: 'answer'
      readonly id: string
      readonly text: string
      readonly thinking: string
      readonly isDone: boolean
    }
  | {
      readonly kind: 'tool'
      /** The call's id; attempts of one call are one line. */
      readonly id: string
      readonly runId?: string
      readonly name: string
      /** The arguments, where the stream told them. */
      readonly input?: unknown
      readonly status: AgentToolLineStatus
      readonly attempt: number
      readonly durationMs?: number
      readonly isError?: boolean
      readonly error?: string
      /** The beginning of its result; the conversation has all of it. */
      readonly output?: string
    }
  | {
      readonly kind: 'hook'
      readonly id: string
      readonly name: string
      readonly status: Exclude<AgentToolLineStatus, 'requested'>
      readonly attempt: number
      readonly durationMs?: number
      readonly error?: string
      readonly exitCode?: number
      /** What it printed, bounded. */
      readonly output?: string
    }
  | {
      readonly kind: 'compaction'
      readonly id: string
      readonly how: CompactionMethod
      readonly summary: string
      readonly tokensBefore: number
      readonly tokensAfter: number
    }
  | { readonly kind: 'error'; readonly id: string; readonly error: AgentError }
  | { readonly kind: 'status'; readonly id: string; readonly text: string }
  | {
      /** The end of a turn, with what it took. */
      readonly kind: 'turn'
      readonly id: string
      readonly usage: TurnUsage
      readonly endedAtMs: number
    }

export type AgentToolLineStatus =
  | 'requested'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'canceled'

/** What a running command has printed so far, as far as it is kept. */
export interface LiveOutput {
  /** The end of it, in whole lines. */
  readonly text: string
  /** All characters so far, those that were left out included. */
  readonly total: number
  /** Those that were left out before the newest ones. */
  readonly skipped: number
}

export interface AgentView {
  readonly sessionId: string
  readonly state: AgentStateKind
  readonly streamId: string | null
  /** The newest piece of the stream that was folded in. */
  readonly seq: number
  readonly items: readonly AgentViewItem[]
  readonly lastError: AgentError | null
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly model: string | null
  /** What commands that run now have printed, by their runs. */
  readonly live: Readonly<Record<string, LiveOutput>>
  /** How full the window of the model is, since the last turn or compaction. */
  readonly context: ContextUse | null
}

/** An update as the feed of a session sends it, by the name of its channel. */
export type AgentUpdate =
  | { readonly channel: 'agent:state_event'; readonly event: AgentStateEvent }
  | { readonly channel: 'agent:stream_event'; readonly event: StreamEvent }
  | { readonly channel: 'agent:output_event'; readonly event: OutputEvent }

export function emptyAgentView(sessionId: string): AgentView {
  return {
    sessionId,
    state: 'idle',
    streamId: null,
    seq: 0,
    items: [],
    lastError: null,
    costUsd: 0,
    inputTokens: 0,
    outputTokens: 0,
    model: null,
    live: {},
    context: null,
  }
}
