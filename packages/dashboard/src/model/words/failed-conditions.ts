import {
  type Entry,
  type Phrase,
  type Program,
  type RunSnapshot,
  reduceRun,
  textOf,
  type Words,
} from '@statewright/core/internal'

/** A condition that did not hold, with what it was read with (FC-15). */
export interface FailedCondition {
  readonly condition: string
  /** What its author says. */
  readonly message: string | null
  /** Whether something of it was not known. */
  readonly isUnknown: boolean
  /** A value of null is not known. */
  readonly saw: readonly { readonly what: string; readonly value: string | null }[]
  /** Which calls teach what is missing. */
  readonly hints: readonly string[]
}

/**
 * The conditions that stopped a call, by their place in the definition. A server tells reasons as
 * sentences; judging the recorded call once more gives the pieces.
 */
export function failedConditions(
  program: Program,
  before: RunSnapshot | undefined,
  entry: Entry,
): ReadonlyMap<string, FailedCondition> {
  const found = new Map<string, FailedCondition>()
  if (entry.type !== 'call_decided' || entry.code === undefined) return found
  if (!entry.reasons.some(({ code }) => code === 'condition_failed')) return found
  const { cause } = entry
  for (const one of cause === undefined ? [] : judgedAgain(program, before, cause)) {
    if (one.type !== 'call_decided' || one.call_id !== entry.call_id) continue
    for (const { path, message } of one.reasons) {
      const failed = readMessage(message)
      if (failed !== null) found.set(path, failed)
    }
  }
  return found
}

function judgedAgain(
  program: Program,
  before: RunSnapshot | undefined,
  cause: NonNullable<Entry['cause']>,
): readonly Entry[] {
  if (before === undefined) return []
  try {
    return reduceRun(program, before, cause).entries
  } catch {
    // A history from a file may name states that its definitions do not have.
    return []
  }
}

function readMessage(words: Words): FailedCondition | null {
  if (typeof words === 'string' || words.phrase !== 'condition_failed') return null
  const reported = phrasesIn(words, 'told')
  const needed = reported.find(({ phrase }) => /^condition_(?:not_met|unknown)$/.test(phrase))
  const condition = needed?.values?.condition
  if (needed === undefined || typeof condition !== 'string') return null
  const message = named(reported, 'condition_message')?.values?.message
  const all = named(reported, 'condition_saw_all')
  return {
    condition,
    message: typeof message === 'string' ? message : null,
    isUnknown: needed.phrase === 'condition_unknown',
    saw: (all === undefined ? [] : phrasesIn(all, 'saw')).map(({ values }) => ({
      what: typeof values?.what === 'string' ? values.what : '',
      value: typeof values?.value === 'string' ? values.value : null,
    })),
    hints: reported.filter(({ phrase }) => phrase === 'condition_taught_by').map(textOf),
  }
}

function named(reported: readonly Phrase[], name: string): Phrase | undefined {
  return reported.find(({ phrase }) => phrase === name)
}

function phrasesIn({ values }: Phrase, key: string): readonly Phrase[] {
  const list: unknown = values?.[key]
  if (!Array.isArray(list)) return []
  return list.filter((one): one is Phrase => typeof one === 'object' && 'phrase' in one)
}

/** A piece of a condition: as it is written, or a value in the place of what it was read from. */
export type FilledPart = { readonly start: number } & (
  | { readonly text: string }
  | { readonly what: string; readonly value: string | null }
)

/** The condition with the values in it. Words in quotes stay as they are. */
export function fillCondition({ condition, saw }: FailedCondition): readonly FilledPart[] {
  const longestFirst = saw
    .filter(({ what }) => what !== '')
    .toSorted((one, other) => other.what.length - one.what.length)
  const pieces: FilledPart[] = []
  let written = ''
  for (let at = 0; at < condition.length; ) {
    const quoted = /^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/.exec(condition.slice(at))?.[0]
    const seen = quoted === undefined ? longestFirst.find((one) => isAt(one.what, at)) : undefined
    if (seen === undefined) {
      const piece = quoted ?? condition.charAt(at)
      written += piece
      at += piece.length
      continue
    }
    if (written !== '') pieces.push({ start: at - written.length, text: written })
    written = ''
    pieces.push({ start: at, ...seen })
    at += seen.what.length
  }
  const start = condition.length - written.length
  return written === '' ? pieces : [...pieces, { start, text: written }]

  function isAt(what: string, at: number): boolean {
    if (!condition.startsWith(what, at)) return false
    const isPart =
      /[\w.]/.test(condition.charAt(at - 1)) || /\w/.test(condition.charAt(at + what.length))
    return !isPart
  }
}
