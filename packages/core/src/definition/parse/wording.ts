import { nearestNames } from '../../base/nearest.ts'

/** Quotes a name for a sentence, without letting it run on. */
export function quote(name: unknown): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
}

/** Says which known name was probably meant, or nothing. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const [best] = nearestNames(wanted, known, 1)
  return best === undefined ? '' : ` Did you mean ${quote(best)}?`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** The word an author would use for a type of Zod. */
export function kindName(type: string): string {
  return kinds[type] ?? type
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return kindName(typeof value)
}

export function listNames(names: readonly unknown[]): string {
  return names.map(quote).join(', ')
}
