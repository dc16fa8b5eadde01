import type { Code, JsonObject, Problem, Refusal, WayOn } from '@statewright/core'

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

/** A refusal of the reducer as a problem: the code, the sentence and the ways on. */
export function refusalProblem(refusal: Refusal): RuntimeProblem {
  const events = refusal.events.map(({ event, target }: WayOn) => ({ event, target }))
  const guards = refusal.guards?.map((guard) => ({ ...guard })) ?? []
  return {
    code: refusal.code,
    message: refusal.message,
    next: nextStep(refusal),
    details: {
      events,
      ...(guards.length === 0 ? {} : { guards }),
      ...(refusal.approvalId === undefined ? {} : { approval_id: refusal.approvalId }),
    },
  }
}

function nextStep({ code, events }: Refusal): string {
  if (code === 'approval_pending') return 'wait for a person to decide.'
  if (events.length === 0) return 'look at the run with `statewright run show`.'
  return `send one of: ${[...new Set(events.map((one) => one.event))].join(', ')}.`
}
