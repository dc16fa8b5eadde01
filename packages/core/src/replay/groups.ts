import { limits } from '../base/limits.ts'
import type { DifferenceKind, ReplayedCall } from './replayed-call.ts'

/** Calls that have something in common. */
export interface ReplayGroup {
  /** A rule, a program, or what was missing; null for all groups beyond the limit together. */
  readonly name: string | null
  readonly kind?: DifferenceKind
  readonly count: number
  /** The first few of them. */
  readonly samples: readonly ReplayedCall[]
}

export interface GroupCounter {
  add(name: string, call: ReplayedCall, kind?: DifferenceKind): void
  /** The largest first. */
  groups(): ReplayGroup[]
}

interface Group {
  readonly name: string | null
  readonly kind?: DifferenceKind
  count: number
  readonly samples: ReplayedCall[]
}

/** A million calls may name a million programs: what comes after the limit is one group. */
export function groupCounter(): GroupCounter {
  const groups = new Map<string, Group>()
  const rest: Group = { name: null, count: 0, samples: [] }
  return {
    add(name, call, kind) {
      const key = kind === undefined ? name : `${kind}\n${name}`
      let group = groups.get(key)
      if (group === undefined && groups.size < limits.replayGroups) {
        group = { name, count: 0, samples: [], ...(kind === undefined ? {} : { kind }) }
        groups.set(key, group)
      }
      group ??= rest
      group.count += 1
      if (group.samples.length < limits.replaySamples) group.samples.push(call)
    },
    groups() {
      const sorted = [...groups.values()].toSorted((left, right) => right.count - left.count)
      return [...sorted, ...(rest.count === 0 ? [] : [rest])].map((group) => ({
        ...group,
        samples: [...group.samples],
      }))
    },
  }
}
