import type { DifferenceKind, ReplayedCall, ReplayGroup } from '@statewright/core/internal'
import { printable } from '../output/report.ts'

export const differenceWords: Readonly<Record<DifferenceKind, string>> = {
  newly_denied: 'denied',
  newly_asked: 'asked about',
  newly_allowed: 'newly allowed',
  no_longer_asked: 'no longer asked about',
}

export const kinds = Object.keys(differenceWords) as DifferenceKind[] // Of this very record.

export function counted(count: number, word: string): string {
  return `${figure(count)} ${word}${count === 1 ? '' : 's'}`
}

export function stoppedWords(left: number, unit: string): string {
  return `Stopped before the end: ${counted(left, unit)} not examined. The figures are partial.`
}

export function figure(count: number): string {
  return count.toLocaleString('en')
}

/** Programs among the first calls of a group, in the order of their first call. */
export function programsOf({ samples }: ReplayGroup): string {
  const names = [...new Set(samples.map(({ program }) => printable(program)))]
  return names.length > 4 ? `${names.slice(0, 4).join(', ')}, …` : names.join(', ')
}

export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Why a call is told, without the code: that stands before it. */
export function reasonOf({ message, missing }: ReplayedCall): string {
  return missing === undefined ? (message ?? '') : `not known: ${missing.join(', ')}`
}
