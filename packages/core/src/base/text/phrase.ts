import type { Json } from '../json.ts'
import { own } from '../own.ts'
import { formatValue } from './format.ts'
import { type PhraseName, texts } from './texts.ts'

/**
 * A sentence of ours as it is stored: which one, and what it speaks of. The words are made when it
 * is shown, so that rewording one changes no history (WF-35).
 */
export interface Phrase {
  readonly phrase: string
  readonly values?: PhraseValues
}

export type PhraseValues = Readonly<Record<string, Json | Phrase | readonly Phrase[]>>

/** Text that somebody else wrote, kept as it is, or a phrase of ours. */
export type Words = string | Phrase

/** A phrase with the values that its text names. */
export function phrase<Name extends PhraseName>(name: Name, ...given: Values<Name>): Phrase {
  const [values] = given
  return values === undefined ? { phrase: name } : { phrase: name, values }
}

/** The names in the braces of a text, without how they are written. */
type Slots<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}:${string}` ? Name : Slot) | Slots<Rest>
  : never

type Values<Name extends PhraseName> = [Slots<(typeof texts)[Name]>] extends [never]
  ? []
  : [{ readonly [Slot in Slots<(typeof texts)[Name]>]: PhraseValues[string] }]

/** What a person or an agent reads. Never throws: a stored phrase may hold anything at all. */
export function textOf(words: Words): string {
  return typeof words === 'string' ? words : render(words, 0)
}

const deepest = 8

function render({ phrase: name, values }: Phrase, depth: number): string {
  const text: string | undefined = own(texts, name)
  // A newer version wrote it: what it spoke of is still worth seeing.
  if (text === undefined) return values === undefined ? name : `${name} ${JSON.stringify(values)}`
  if (values === undefined || depth > deepest) return text
  const inner = (value: unknown) => (isPhrase(value) ? render(value, depth + 1) : undefined)
  let shown = ''
  let from = 0
  for (const { start, end, key, how } of slotsOf(text)) {
    shown += text.slice(from, start) + formatValue(own(values, key), how, inner)
    from = end
  }
  return shown + text.slice(from)
}

interface Slot {
  readonly start: number
  readonly end: number
  readonly key: string
  readonly how: string | undefined
}

/** Where the values of each text stand, found once: a denial waits for its words. */
const known = new Map<string, readonly Slot[]>()

function slotsOf(text: string): readonly Slot[] {
  const found = known.get(text)
  if (found !== undefined) return found
  const slots = [...text.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(
    ({ 0: whole, 1: key = '', 2: how, index: start }): Slot => {
      return { start, end: start + whole.length, key, how }
    },
  )
  known.set(text, slots)
  return slots
}

export function isPhrase(value: unknown): value is Phrase {
  return (
    typeof value === 'object' &&
    value !== null &&
    'phrase' in value &&
    typeof value.phrase === 'string' &&
    Object.hasOwn(texts, value.phrase)
  )
}
