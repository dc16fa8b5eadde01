import type { TransitionView } from './transitions.ts'

/** What the events of a state still need, one line for each that needs something. */
export function eventLines(moves: readonly TransitionView[], approvalsWait: boolean): string[] {
  const byEvent = Map.groupBy(moves, ({ event }) => event)
  return [...byEvent].flatMap(([event, [first, ...more]]) => {
    if (first === undefined) return []
    if (more.length > 0) return [choiceLine(event, [first, ...more], approvalsWait)]
    const open = first.guards.filter((guard) => !guard.passed)
    const needs = open.map((guard) => guard.wants).join(' and ')
    return [
      ...(open.length > 0 ? [`Needs: ${event} needs ${needs}.`] : []),
      ...(first.requires_approval && approvalsWait
        ? [`Approval: ${event} needs a person's approval.`]
        : []),
    ]
  })
}

/**
 * Where an event leads that has several candidates. What each of them needs would read as if the
 * event needed all of it, and an agent that follows it may end the run.
 */
function choiceLine(
  event: string,
  moves: readonly TransitionView[],
  approvalsWait: boolean,
): string {
  const pieces = moves.map(({ target, guards, requires_approval }) => {
    const asks = requires_approval && approvalsWait ? " (with a person's approval)" : ''
    const wants = guards.map((guard) => guard.wants).join(' and ')
    return wants === '' ? `else ${target}${asks}` : `${target}${asks} if ${wants}`
  })
  const taken = moves.find(({ guards }) => guards.every(({ passed }) => passed))
  return `Choice: ${event} leads to ${pieces.join(', ')}. Now: ${taken?.target ?? 'none'}.`
}
