import type { ReplayRules } from './rules.ts'

/** What a report is about. */
export interface ReportTitle {
  readonly rules: Pick<ReplayRules, 'name' | 'file' | 'lineOf'>
  /** What was replayed, such as a client. */
  readonly source: string
  readonly folders?: readonly string[]
  readonly since: number
  /** What one run of it is called. */
  readonly unit: 'session' | 'run'
  /** Somebody stopped the replay: so many of them were not looked at. */
  readonly stopped?: { readonly left: number }
  /** What the reader has to know of such a replay. */
  readonly foot: readonly string[]
}
