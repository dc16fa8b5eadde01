import type { Reason } from '../base/problem.ts'
import { shownReason } from '../base/problem.ts'
import { textOf } from '../base/text/phrase.ts'
import { type Entry, type ShownReading, shownReading } from '../run/entries.ts'

type WithTexts<Body> = Body extends unknown
  ? { [Key in keyof Body]: ShownField<Key, Body[Key]> }
  : never

type ShownField<Key, Value> = Key extends 'message' | 'text' | 'note' | 'advice'
  ? string
  : Key extends 'reasons'
    ? readonly Reason[]
    : Key extends 'guards'
      ? readonly ShownReading[]
      : Value

/** An entry as people and programs read it: phrases of ours have become sentences. */
export type ShownEntry = WithTexts<Entry>

/** The words of an entry. What an older engine wrote as sentences is shown as it was written. */
export function shownEntry(entry: Entry): ShownEntry {
  const shown: Record<string, unknown> = { ...entry }
  if ('message' in entry) shown.message = textOf(entry.message)
  if ('text' in entry) shown.text = textOf(entry.text)
  if ('note' in entry && entry.note !== undefined) shown.note = textOf(entry.note)
  if ('advice' in entry && entry.advice !== undefined) shown.advice = textOf(entry.advice)
  if ('reasons' in entry) shown.reasons = entry.reasons.map(shownReason)
  if ('guards' in entry && entry.guards !== undefined) shown.guards = entry.guards.map(shownReading)
  return shown as ShownEntry // Exactly the fields whose types differ were replaced.
}
