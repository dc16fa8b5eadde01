/** What the server tells of activity, by the names on the wire. */

export interface ActivitySlot {
  readonly at: number
  readonly allowed: number
  readonly asked: number
  readonly denied: number
  readonly transitioned: number
  readonly refused: number
  readonly cost_usd: number
  readonly approval_wait_ms: number | null
}

interface Ranked {
  readonly count: number
  readonly run_id: string
}

export interface Activity {
  readonly from: number
  readonly to: number
  readonly slot_ms: number
  readonly slots: readonly ActivitySlot[]
  readonly denials: {
    readonly rules: readonly (Ranked & {
      readonly workflow: string
      readonly rule: string
      readonly code: string
    })[]
    readonly codes: readonly (Ranked & { readonly code: string })[]
    readonly places: readonly (Ranked & { readonly workflow: string; readonly state: string })[]
    readonly tools: readonly (Ranked & { readonly tool: string; readonly code: string })[]
  }
  readonly approvals: {
    readonly opened: number
    readonly approved: number
    readonly rejected: number
    readonly expired: number
    readonly waiting: number
    readonly median_ms: number | null
    readonly slow_ms: number | null
  }
}
