/** What a counter says before a call: small, and stored with the event that it decides. */
export interface CounterUsage {
  /** Calls in the window, or micro-dollars spent and reserved in the period. */
  readonly used: number
  readonly max: number
  /** When there is room again (epoch milliseconds); null when there is room or none will come. */
  readonly resetsAt: number | null
  /** Whether this call still fits. */
  readonly free: boolean
  /** Money is left, but a call that nobody knows the cost of is still on its way (PO-6a). */
  readonly waits?: true
}

/** Usage by the keys of `CounterTake`. A rule whose usage is missing denies. */
export type UsageFacts = Readonly<Record<string, CounterUsage>>

/** `session` has no end: a person alone begins another one (PR-9). */
export type Period = 'hourly' | 'daily' | 'monthly' | 'session'

export interface RateTake {
  readonly kind: 'rate'
  readonly key: string
  readonly maxCalls: number
  readonly windowMs: number
}

export interface BudgetTake {
  readonly kind: 'budget'
  readonly key: string
  readonly period: Period
  readonly maxMicros: number
  /** Held back for a call whose cost is not known yet; null when the rule names nothing. */
  readonly reserveMicros: number | null
}

/**
 * A counter that a call uses when it is let through. The key names policy, list, capability and
 * window, not the version, so that saving a policy gives nobody a fresh allowance. Anyone who keeps
 * the counters adds the role, since a rate is shared by policy and role (PO-5).
 */
export type CounterTake = RateTake | BudgetTake
