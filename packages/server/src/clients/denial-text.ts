import type { Denial } from './client.ts'

/** Clients cut long texts; a denial that loses its end would lose the way on. */
const mostListed = 40

const tryAgain = 'Make the very same call again once they approved.'

/**
 * A denial as the agent reads it: the code, the sentence, what is allowed now, which events lead on
 * and the shortest way to the wanted tool. Stable words, since agents learn them (WF-14).
 */
export function denialText(denial: Denial): string {
  const { code = 'internal', message = 'The call was denied.', allowedTools, events, way } = denial
  const lines = [`${code}: ${message}`]
  if (denial.approvalId !== undefined) {
    lines.push(`A person was asked (${denial.approvalId}). ${tryAgain}`)
  }
  if (allowedTools !== null) {
    lines.push(`Allowed now: ${listed(allowedTools) || 'none'}.`)
  }
  if (events.length > 0) {
    lines.push(`Events: ${listed(events.map(({ event, target }) => `${event} -> ${target}`))}.`)
  }
  if (way !== undefined && way.length > 0) {
    const steps = way.map(({ event, target }) => `${event} to ${target}`)
    lines.push(`Way on: call statewright_transition with ${steps.join(', then ')}.`)
  }
  return lines.join('\n')
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, mostListed).join(', ')
  const left = items.length - mostListed
  return left > 0 ? `${shown} and ${left} more` : shown
}
