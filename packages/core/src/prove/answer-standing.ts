import { boundOf, type ProofAnswer } from './answer.ts'
import { answerNever } from './answer-never.ts'
import { answerReach, explore } from './answer-reach.ts'
import { assumptions } from './answer-terms.ts'
import type { Bounds, Found } from './search.ts'
import {
  complaintsOf,
  type Sightings,
  type StandingClaim,
  standingClaims,
  standingGaps,
  watchApprovals,
} from './standing.ts'
import type { Study } from './study.ts'

export interface StandingAnswer {
  readonly claim: StandingClaim
  readonly text: string
  readonly answer: ProofAnswer
}

export function answerStanding(studied: Study, bounds: Bounds): StandingAnswer[] {
  const { found, seen } = explore(studied, bounds, 'least')
  const answers: Record<StandingClaim, ProofAnswer> = {
    states: byComplaints('states', studied, bounds, found, seen),
    end: answerReach(studied, { kind: 'reach', states: [] }, bounds),
    guards: byComplaints('guards', studied, bounds, found, seen),
    interrupts: byComplaints('interrupts', studied, bounds, found, seen),
    forks: byComplaints('forks', studied, bounds, found, seen),
    approvals: answerNever(studied, watchApprovals, bounds),
  }
  return standingNames.map((claim) => {
    return { claim, text: standingClaims[claim], answer: answers[claim] }
  })
}

/** What is nowhere seen does not happen, as long as everything was looked at. */
function byComplaints(
  claim: Exclude<StandingClaim, 'end' | 'approvals'>,
  studied: Study,
  bounds: Bounds,
  found: Found,
  seen: Sightings,
): ProofAnswer {
  const situations = found.reached.length
  const isSearched = claim !== 'interrupts'
  const isFree = isSearched && studied.free !== null
  const complaints = complaintsOf(claim, studied, seen)
  const unsure = standingGaps(claim, studied, isSearched ? found : null)
  // What was seen is certain; that nothing else can be seen is so only after a whole search.
  const open = [...(isSearched ? boundOf(found, bounds) : []), ...unsure]
  if (complaints.length === 0 && (open.length === 0 || claim === 'states')) {
    return { verdict: 'proved', situations, assumes: assumptions(studied, 'reach', isFree) }
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
