import type { Policy, ReplayReport } from '@statewright/core/internal'

/** Rules that are to be tried on what was recorded. */
export type TriedRules =
  | {
      readonly kind: 'definition'
      /** Whose runs are played. */
      readonly name: string
      /** The definition with all it invokes, as `Programs` writes it. */
      readonly program: string
    }
  | {
      readonly kind: 'policy'
      readonly name: string
      readonly project: string | null
      readonly policy: Policy
    }

export interface ReplayRequest {
  readonly rules: TriedRules
  /** Only runs in which something happened since, in epoch milliseconds. */
  readonly since: number | null
  readonly workflow: string | null
  readonly project: string | null
  /** Folders by which the server's own project is known. */
  readonly ownProject: string | null
  /** Recorded commands are read with the tables of today. */
  readonly reanalyse: boolean
}

export interface ReplayProgress {
  readonly entries: number
  readonly of: number
}

/** Where the recorded runs lie. */
export interface ReplaySource {
  readonly databaseUrl?: string | undefined
  readonly folder: string
}

export interface ReplayWork {
  readonly source: ReplaySource
  readonly request: ReplayRequest
}

export type ReplayMessage =
  | { readonly type: 'progress'; readonly progress: ReplayProgress }
  | { readonly type: 'done'; readonly report: ReplayReport }
