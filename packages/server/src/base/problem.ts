import type { Code, JsonObject, Problem, Refusal, WayOn } from '@statewright/core/internal'
import { nextStep } from './next-step.ts'

/** Why the runtime said no, with what helps the caller on. Doors render it in their own way. */
export interface RuntimeProblem extends Problem {
  readonly code: Code
  readonly details?: JsonObject
}

export function problem(
  code: Code,
  message: string,
  more: { where?: string; next?: string; details?: JsonObject } = {},
): RuntimeProblem {
  return { code, message, ...more }
}

const lookAtIt = 'look at the run with "statewright run show".'

/**
 * A refusal of the reducer as a problem: the code, the sentence and the ways on. The event that was
 * refused, if there was one, is no way on.
 */
export function refusalProblem(refusal: Refusal, refused?: string): RuntimeProblem {
  const events = refusal.events.map(({ event, target }: WayOn) => ({ event, target }))
  const guards = refusal.guards?.map((guard) => ({ ...guard })) ?? []
  return {
    code: refusal.code,
    message: refusal.message,
    next: nextStep(refusal.code, refusal.events, refused) ?? lookAtIt,
    details: {
      events,
      ...(guards.length === 0 ? {} : { guards }),
      ...(refusal.approvalId === undefined ? {} : { approval_id: refusal.approvalId }),
    },
  }
}
