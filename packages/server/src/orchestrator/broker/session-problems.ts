import { problem, type RuntimeProblem } from '../../base/problem.ts'

export function notFound(sessionId: string): RuntimeProblem {
  const next = 'list them with `statewright session list`.'
  return problem('session_not_found', `There is no session ${sessionId.slice(0, 100)}.`, { next })
}

export function refused(message: string): RuntimeProblem {
  const next = 'look at it with `statewright session show`.'
  return problem('state_transition_invalid', message, { next })
}

export function unreached(): RuntimeProblem {
  const message = 'This server has not reached the database for some seconds.'
  return problem('store_unavailable', message, { next: 'try again, or at another node.' })
}

export function tooLarge(max: number): RuntimeProblem {
  const message = `The conversation has more than ${max} characters.`
  return problem('context_too_large', message, { next: 'start a new session.' })
}

export function tooMany(max: number): RuntimeProblem {
  const next = 'stop one that is not needed.'
  return problem('too_many_requests', `${max} sessions run already.`, { next })
}
