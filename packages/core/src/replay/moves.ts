import { textOf } from '../base/text/phrase.ts'
import type { Entry } from '../run/entries.ts'

/**
 * Where a step took the run, in words that can be compared and read. What was only counted, learnt
 * or said is no move.
 */
export function movesOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => {
    const move = moveOf(entry)
    if (move === undefined) return []
    return [entry.branch === undefined ? move : `${entry.branch}: ${move}`]
  })
}

export function isSameMoves(left: readonly Entry[], right: readonly Entry[]): boolean {
  const [one, other] = [movesOf(left), movesOf(right)]
  return one.length === other.length && one.every((move, index) => move === other[index])
}

/** The moves for a reader, a refusal with its reason. */
export function shownMoves(entries: readonly Entry[]): string {
  const refused = entries.flatMap((entry) =>
    entry.type === 'refused' ? [`refused (${entry.code}): ${textOf(entry.message)}`] : [],
  )
  const moves = movesOf(entries).filter((move) => move !== refusal)
  return [...moves, ...refused].join('; ') || 'nothing happens'
}

const refusal = 'refused'

function moveOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'run_started':
      return `begins in ${entry.state}`
    case 'transitioned':
    case 'returned':
      return `${entry.from} → ${entry.to} (${entry.event})`
    case 'interrupted':
      return `${entry.from} → ${entry.to} (interrupt ${entry.name})`
    case 'forked':
      return `${entry.from} forks (${entry.event}): ${entry.branches.join(', ')}`
    case 'branch_ended':
      return `branch ends in ${entry.state}: ${entry.status}`
    case 'joined':
      return `joins → ${entry.to ?? 'the end'}${entry.succeeded ? '' : ', failed'}`
    case 'invoked':
      return `${entry.from} → ${entry.workflow}/${entry.state} (${entry.event})`
    case 'invoke_ended':
      return `${entry.workflow} ends → ${entry.to ?? 'the end'}${entry.succeeded ? '' : ', failed'}`
    case 'approval_opened':
      // A question about a call is part of how the call was judged.
      if (entry.kind === 'ask') return undefined
      return `a person is asked: ${entry.from ?? ''} → ${entry.to ?? ''} (${entry.event ?? ''})`
    case 'answered':
      return `${entry.from} → ${entry.to ?? 'the end'} (${entry.answer})`
    case 'forced':
      return `${entry.from} → ${entry.to} (forced)`
    case 'refused':
      return refusal
    case 'run_ended':
      return `the run ends in ${entry.state}: ${entry.status}`
    default:
      return undefined
  }
}
