import type { Period } from '@statewright/core/internal'
import { type KeyedTake, readBudget } from '../counters/keys.ts'
import type { BudgetState, CounterStates, CounterWrites } from '../counters/plan.ts'
import type { RateLog } from '../counters/rate-log.ts'
import type { NamedStatement } from './connections.ts'

/** A result may be later than its reservation; after this time none is waited for. */
const forgottenAfterMs = 31 * 24 * 3_600_000

export interface CounterQuestion {
  readonly takes: readonly KeyedTake[]
  /** The call whose reservations are settled. */
  readonly callKey: string | null
  /** Set by tests; otherwise the clock of the database counts, which all nodes share. */
  readonly now: number | null
  readonly lock: boolean
}

export function countersStatement(question: CounterQuestion): NamedStatement {
  const { takes, callKey, now, lock } = question
  return {
    name: 'statewright_counters',
    text: 'SELECT * FROM statewright_counters($1, $2, $3, $4, $5, $6)',
    values: [
      takes.map(({ key }) => key),
      takes.map(({ take }) => (take.kind === 'rate' ? take.windowMs : null)),
      takes.map(({ take }) => (take.kind === 'rate' ? take.maxCalls : null)),
      callKey,
      now,
      lock,
    ],
  }
}

export interface CounterRow {
  readonly key: string | null
  readonly now_at: number
  readonly last_number: number
  readonly last_at: number
  readonly period: Period | null
  readonly budget: string | null
  readonly first_number: number | null
  readonly leaver_at: number | null
}

export function toStates(rows: readonly CounterRow[], at: number): CounterStates {
  const rates = new Map<string, RateLog>()
  const budgets = new Map<string, BudgetState>()
  for (const row of rows) {
    if (row.key === null) continue
    if (row.period !== null && row.budget !== null) {
      budgets.set(row.key, { period: row.period, counter: readBudget(row.budget) })
    } else {
      rates.set(row.key, {
        lastNumber: row.last_number,
        lastAt: row.last_at,
        firstNumber: row.first_number,
        leaverAt: row.leaver_at,
      })
    }
  }
  return { now: rows[0]?.now_at ?? at, rates, budgets }
}

/** The part of a batch that `statewright_write_more` writes to counters. */
export function counterFields(writes: CounterWrites): object {
  return {
    rates: writes.rates.map(({ key, number, at, deadUntil }) => ({
      key,
      number,
      at,
      dead_until: deadUntil,
    })),
    budgets: writes.budgets.map(({ key, period, counter }) => ({
      key,
      period,
      at: counter.at,
      budget: JSON.stringify(counter),
    })),
    settled: writes.settled,
    forgotten: writes.now - forgottenAfterMs,
    reserved: writes.reserved.map(({ callKey, key, expiresAt }) => ({
      call_key: callKey,
      key,
      expires_at: expiresAt,
    })),
  }
}
