import { own } from '../base/own.ts'
import type { Program } from '../machine/machine.ts'
import type { FactRecord, RunSnapshot } from '../run/snapshot.ts'

/** After how much time something that is known now is no longer so. */
export function expiriesOf({ machines }: Program, { facts = {} }: RunSnapshot): number[] {
  const known = [...machines.values()].flatMap((machine) =>
    machine.facts.flatMap(({ name, expiresMs }) => {
      const values = own(own(facts, machine.id), name)?.values ?? {}
      return expiresMs === null || Object.keys(values).length === 0 ? [] : [expiresMs]
    }),
  )
  return [...new Set(known)]
}

/**
 * The run after so much time. Whoever reads a fact passes over what has expired; here it is gone,
 * so that those who know nothing and those who know it no more are in one situation.
 */
export function afterWaiting({ machines }: Program, run: RunSnapshot, ms: number): RunSnapshot {
  const facts: Record<string, Record<string, FactRecord>> = {}
  for (const [id, records] of Object.entries(run.facts ?? {})) {
    const expiring = new Set(
      machines
        .get(id)
        ?.facts.filter(({ expiresMs }) => expiresMs !== null && expiresMs <= ms)
        .map(({ name }) => name),
    )
    const left = Object.entries(records).map(([name, record]) => {
      return [name, expiring.has(name) ? { ...record, values: {} } : record] as const
    })
    facts[id] = Object.fromEntries(left)
  }
  return { ...run, facts }
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** A time as definitions and scenarios write it. */
export function durationText(ms: number): string {
  const [name, size] = units.find(([, one]) => ms % one === 0) ?? ['s', 1000]
  return `${Math.ceil(ms / size)}${name}`
}
