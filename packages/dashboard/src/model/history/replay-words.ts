import type { Replay, ReplayReport } from '@statewright/core/wire'

type Difference = keyof ReplayReport['differences'] & string

/** What would have become of calls, in the order of what matters most. */
export const differenceWords: readonly {
  readonly kind: Difference
  readonly tone: 'bad' | 'wait' | 'good'
  readonly word: string
}[] = [
  { kind: 'newly_denied', tone: 'bad', word: 'would be denied' },
  { kind: 'newly_asked', tone: 'wait', word: 'would ask a person' },
  { kind: 'newly_allowed', tone: 'good', word: 'would be allowed' },
  { kind: 'no_longer_asked', tone: 'good', word: 'would ask nobody' },
]

/** One sentence about the whole report. */
export function replaySentence(report: ReplayReport): string {
  const { runs, decisions, undecided, divergences, unsure_moves: unsure } = report
  if (runs === 0) return 'No run in that period uses these rules.'
  const over = `${amount(decisions, 'call')} of ${amount(runs, 'run')}`
  const changed = differenceWords.reduce(
    (sum, { kind }) => sum + (report.differences[kind] ?? 0),
    0,
  )
  if (changed + undecided + unsure + divergences.total === 0) {
    return `${over}: every decision would be the same.`
  }
  const phrases = [
    changed === 0
      ? 'no call would be decided differently'
      : `${number(changed)} would be decided differently`,
    ...(divergences.total === 0
      ? []
      : [`${amount(divergences.total, 'run')} would take another path`]),
    ...(undecided + unsure === 0 ? [] : [`${number(undecided + unsure)} cannot be decided`]),
  ]
  return `${over}: ${phrases.join(', ')}.`
}

/** How far it is, from 0 to 1; null while that is not known. */
export function replayShare({ entries, of }: Replay): number | null {
  return of === 0 ? null : Math.min(1, entries / of)
}

export function amount(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number(count)} ${count === 1 ? noun : plural}`
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
