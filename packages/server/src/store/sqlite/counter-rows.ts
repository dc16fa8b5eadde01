import { callKeyOf, type Period } from '@statewright/core/internal'
import type { CounterSettles } from '../counter-store.ts'
import { type KeyedTake, readBudget } from '../counters/keys.ts'
import type { BudgetState, CounterStates, CounterWrites } from '../counters/plan.ts'
import { callsInWindow, type RateBound, type RateLog, windowStart } from '../counters/rate-log.ts'
import type { Database } from './database.ts'

/** A result may be later than its reservation; after this time none is waited for. */
const forgottenAfterMs = 31 * 24 * 3_600_000

export interface CounterQuestion {
  readonly takes: readonly KeyedTake[]
  readonly now: number
  readonly settles?: { readonly runId: string; readonly of: CounterSettles } | undefined
}

export function readCounters(db: Database, question: CounterQuestion): CounterStates {
  const { takes, now, settles } = question
  const rates = new Map<string, RateLog>()
  const budgets = new Map<string, BudgetState>()
  for (const { take, key } of takes) {
    if (take.kind === 'rate') rates.set(key, readRate(db, key, take, now))
    else addBudget(key)
  }
  if (settles !== undefined) {
    const callKey = callKeyOf(settles.runId, settles.of.callId)
    const sql = 'SELECT key FROM reservations WHERE call_key = ?'
    for (const { key } of db.all<{ key: string }>(sql, callKey)) addBudget(key)
  }
  return { now, rates, budgets }

  function addBudget(key: string): void {
    const row = counterRow(db, key)
    if (row === undefined || row.budget === null || row.period === null) return
    budgets.set(key, { period: row.period, counter: readBudget(row.budget) })
  }
}

export function writeCounters(db: Database, writes: CounterWrites): void {
  for (const { key, number, at, deadUntil } of writes.rates) {
    db.run(
      `INSERT INTO counters (key, last_number, last_at) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET last_number = excluded.last_number,
          last_at = excluded.last_at`,
      key,
      number,
      at,
    )
    db.run('INSERT INTO rate_calls (key, at, number) VALUES (?, ?, ?)', key, at, number)
    db.run('DELETE FROM rate_calls WHERE key = ? AND at <= ?', key, deadUntil)
  }
  for (const { key, period, counter } of writes.budgets) {
    db.run(
      `INSERT INTO counters (key, last_number, last_at, period, budget) VALUES (?, 0, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET last_at = excluded.last_at, period = excluded.period,
          budget = excluded.budget`,
      key,
      counter.at,
      period,
      JSON.stringify(counter),
    )
  }
  if (writes.settled !== null) {
    db.run('DELETE FROM reservations WHERE call_key = ?', writes.settled)
  }
  for (const { callKey, key, expiresAt } of writes.reserved) {
    db.run('INSERT OR REPLACE INTO reservations VALUES (?, ?, ?)', callKey, key, expiresAt)
  }
  if (writes.reserved.length > 0) {
    db.run('DELETE FROM reservations WHERE expires_at < ?', writes.now - forgottenAfterMs)
  }
}

interface CounterRow {
  readonly last_number: number
  readonly last_at: number
  readonly period: Period | null
  readonly budget: string | null
}

function counterRow(db: Database, key: string): CounterRow | undefined {
  return db.get<CounterRow>(
    'SELECT last_number, last_at, period, budget FROM counters WHERE key = ?',
    key,
  )
}

function readRate(db: Database, key: string, bound: RateBound, now: number): RateLog {
  const row = counterRow(db, key)
  const lastNumber = row?.last_number ?? 0
  const lastAt = row?.last_at ?? 0
  const from = windowStart(lastAt, bound.windowMs, now)
  const live = 'FROM rate_calls WHERE key = ? AND at > ? ORDER BY at, number LIMIT 1'
  const first = db.get<{ number: number }>(`SELECT number ${live}`, key, from)
  const log = { lastNumber, lastAt, firstNumber: first?.number ?? null }
  const offset = callsInWindow(log) - bound.maxCalls
  if (offset < 0) return { ...log, leaverAt: null }
  const leaver = db.get<{ at: number }>(`SELECT at ${live} OFFSET ?`, key, from, offset)
  return { ...log, leaverAt: leaver?.at ?? null }
}
