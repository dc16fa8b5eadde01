import { boundOf, type ProofAnswer } from './answer.ts'
import { answerNever, answerUnseen, lookFrom } from './answer-never.ts'
import { answerReach } from './answer-reach.ts'
import { assumptions, gaps } from './answer-terms.ts'
import type { Bounds } from './bounds.ts'
import type { SearchResult } from './search-terms.ts'
import {
  complaintsOf,
  hiddenInterrupts,
  Sightings,
  type StandingClaim,
  standingClaims,
  watchApprovals,
} from './standing.ts'
import type { Study } from './study.ts'
import type { Watch } from './watch.ts'

export interface StandingAnswer {
  readonly claim: StandingClaim
  readonly text: string
  readonly answer: ProofAnswer
}

/** Those of them that are named, or all, in their order. */
export function answerStanding(
  studied: Study,
  bounds: Bounds,
  only: readonly StandingClaim[] = standingNames,
): StandingAnswer[] {
  let known: Looked | undefined
  const look = () => {
    known ??= looked(studied, bounds)
    return known
  }
  const chosen = standingNames.filter((claim) => only.includes(claim))
  return chosen.map((claim) => {
    return { claim, text: standingClaims[claim], answer: answerOne(claim, studied, bounds, look) }
  })
}

function answerOne(
  claim: StandingClaim,
  studied: Study,
  bounds: Bounds,
  look: () => Looked,
): ProofAnswer {
  switch (claim) {
    case 'end':
      return answerReach(studied, { kind: 'reach', states: [] }, bounds)
    case 'approvals':
      return look().approvals
    case 'interrupts':
      return answerInterrupts(studied)
    default:
      return byComplaints(claim, studied, bounds, look())
  }
}

/** By the patterns alone: no run is looked at. */
function answerInterrupts(studied: Study): ProofAnswer {
  const { complaints, unsure } = hiddenInterrupts(studied.program)
  const situations = 0
  if (unsure.length > 0) return { verdict: 'not_decided', situations, why: unsure.join(' ') }
  if (complaints.length > 0) return { verdict: 'refuted', situations, why: complaints.join(' ') }
  return { verdict: 'proved', situations, assumes: [] }
}

interface Looked {
  readonly found: SearchResult
  readonly seen: Sightings
  readonly approvals: ProofAnswer
}

/** What can be seen at all, and whether an approval is gone round: mostly by one look for both. */
function looked(studied: Study, bounds: Bounds): Looked {
  const seen = new Sightings()
  const beginning = studied.free ?? studied.real
  const found = lookFrom(beginning, studied, { watch: both(seen.watch, watchApprovals), bounds })
  if (found.violation === null) {
    return { found, seen, approvals: answerUnseen(studied, found, bounds) }
  }
  const whole = lookFrom(beginning, studied, { watch: seen.watch, bounds })
  return { found: whole, seen, approvals: answerNever(studied, watchApprovals, bounds) }
}

/** Two watches of which neither remembers anything. */
function both(first: Watch, second: Watch): Watch {
  return {
    start: (play) => {
      first.start(play)
      return second.start(play)
    },
    pass: (passage, memory) => {
      first.pass(passage, memory)
      return second.pass(passage, memory)
    },
  }
}

/** What is nowhere seen does not happen, as long as everything was looked at. */
function byComplaints(
  claim: Exclude<StandingClaim, 'end' | 'approvals' | 'interrupts'>,
  studied: Study,
  bounds: Bounds,
  { found, seen }: Looked,
): ProofAnswer {
  const situations = found.reached.length
  const complaints = complaintsOf(claim, studied, seen)
  // What was seen is certain; that nothing else can be seen is so only after a whole search.
  const open = [...boundOf(found, bounds), ...gaps(studied)]
  if (complaints.length === 0 && (open.length === 0 || claim === 'states')) {
    const assumes = assumptions(studied, 'reach', studied.free !== null)
    return { verdict: 'proved', situations, assumes }
  }
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'refuted', situations, why: complaints.join(' ') }
}

const standingNames: readonly StandingClaim[] = [
  'states',
  'end',
  'guards',
  'interrupts',
  'forks',
  'approvals',
]
