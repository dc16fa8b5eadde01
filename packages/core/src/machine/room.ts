import type { CounterTake, UsageFacts } from '../policy/usage.ts'
import type { Machine, Program } from './machine.ts'

/**
 * Room in every rate and budget of a program, for anyone who only plays a run: nobody counts there,
 * and what nobody counts is denied.
 */
export function roomIn({ machines }: Program): UsageFacts {
  const counters = [...machines.values()].flatMap(countersOf)
  return Object.fromEntries(
    counters.map((counter) => {
      const max = counter.kind === 'rate' ? counter.maxCalls : counter.maxMicros
      return [counter.key, { used: 0, max, resetsAt: null, free: true }]
    }),
  )
}

/** Every rate and budget of a definition. */
export function countersOf({ policy, sessionBudget }: Machine): readonly CounterTake[] {
  const rules = [...(policy?.exact.values() ?? [])].flat().concat(policy?.prefixes ?? [])
  return [...rules.flatMap(({ counters }) => counters), ...(sessionBudget ? [sessionBudget] : [])]
}
