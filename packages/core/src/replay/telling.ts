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

/** Programs whose work reaches other people or cannot be taken back; of some only such verbs. */
const grave: ReadonlySet<string> = new Set(
  `git gh rm sudo su dd mkfs shred curl wget ssh scp rsync docker podman kubectl helm terraform
  aws gcloud az twine psql mysql kill pkill systemctl chmod chown`.split(/\s+/),
)
const harmless: ReadonlySet<string> = new Set(
  `add branch blame diff fetch grep log ls-files rev-parse shortlog show status get describe ps
  images logs list view plan version`.split(/\s+/),
)
const publishing: ReadonlySet<string> = new Set(['publish', 'push', 'deploy', 'release', 'upload'])

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
  return samples.some(({ program }) => isGrave(program)) ? 0 : 1
}

/** `git`, `git push` and `npm publish` are, `git status` and `npm test` are not. */
function isGrave(program: string): boolean {
  const [name = '', verb] = program.split(' ')
  if (verb === undefined) return grave.has(name)
  return publishing.has(verb) || (grave.has(name) && !harmless.has(verb))
}
