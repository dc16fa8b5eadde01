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
  const message = 'The server has lost its connection to the database.'
  return problem('store_unavailable', message, { next: 'try again, or ask another node.' })
}

export function tooLarge(max: number): RuntimeProblem {
  const message = `The conversation has more than ${max} characters.`
  return problem('context_too_large', message, { next: 'start a new session.' })
}

export function tooMany(max: number): RuntimeProblem {
  const next = 'stop a session that you do not need.'
  return problem('too_many_requests', `${max} sessions are already running.`, { next })
}
