import type { Actor, DigestFacts } from './events.ts'
import type { RunSnapshot } from './snapshot.ts'

/** What guards are read with besides the frame that they stand in. */
export interface GuardFacts {
  readonly digests: DigestFacts | undefined
  readonly run: RunSnapshot
  readonly at: number
  readonly by: Actor
}
