import { limits } from '../base/limits.ts'
import type { ReplayGroup } from './groups.ts'
import type { DifferenceKind, ReplayedCall } from './replayed-call.ts'

/** Said yes or no is more than asked or not. */
const weights: Readonly<Record<DifferenceKind, number>> = {
  newly_denied: 0,
  newly_allowed: 0,
  newly_asked: 1,
  no_longer_asked: 1,
}

/** Programs whose work reaches other people or cannot be taken back. */
const grave: ReadonlySet<string> = new Set(
  `git gh rm sudo su dd mkfs shred curl wget ssh scp rsync docker podman kubectl helm terraform
  aws gcloud az npm pnpm yarn twine cargo gem psql mysql kill pkill systemctl chmod chown`.split(
    /\s+/,
  ),
)

/**
 * The calls that a reader learns most from: one of each group before a second of any, the gravest
 * groups first and among them the rarest, since a hundred like calls say what one says.
 */
export function tellingCalls(groups: readonly ReplayGroup[]): ReplayedCall[] {
  const sorted = groups.toSorted(
    (left, right) =>
      weightOf(left) - weightOf(right) ||
      dangerOf(left) - dangerOf(right) ||
      left.count - right.count,
  )
  const calls: ReplayedCall[] = []
  for (let round = 0; round < limits.replaySamples; round++) {
    for (const { samples } of sorted) {
      const call = samples[round]
      if (call === undefined) continue
      calls.push(call)
      if (calls.length >= limits.tellingCalls) return calls
    }
  }
  return calls
}

function weightOf({ kind }: ReplayGroup): number {
  return kind === undefined ? 2 : weights[kind]
}

function dangerOf({ samples }: ReplayGroup): number {
  return samples.some(({ program }) => grave.has(program)) ? 0 : 1
}
