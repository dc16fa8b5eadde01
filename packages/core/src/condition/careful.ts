import { mentions } from './mentions.ts'
import { holdsSealed, Sealed } from './sealed.ts'

/** How the language itself compares, looks up and finds, for what is not sealed. */
export interface PlainOperators {
  readonly equals: (values: { a: unknown; b: unknown }) => unknown
  readonly has: (values: { a: unknown; b: unknown }) => unknown
  readonly at: (values: { a: unknown; b: unknown }) => unknown
}

const unknown = new Error('a part of it is sealed')
const noKey = new Error('no key')

/** What stands in the place of operators that would take a sealed value for a plain one. */
export function carefulFunctions(plain: PlainOperators) {
  return [
    {
      signature: 'eq_(dyn, dyn): bool',
      run: (a: unknown, b: unknown) => {
        if (!holdsSealed(a) && !holdsSealed(b)) return plain.equals({ a, b })
        return known(same(a, b, plain))
      },
    },
    {
      signature: 'in_(dyn, dyn): bool',
      run: (a: unknown, b: unknown) => isIn(a, b, plain),
    },
    {
      signature: 'at_(dyn, dyn): dyn',
      run: (on: unknown, key: unknown) => {
        if (on instanceof Map) return valueAt(on, key)
        return plain.at({ a: on, b: shown(keyOf(key)) })
      },
    },
    { signature: 'shown_(dyn): bool', run: (value: unknown) => shown(value) !== unknown },
    { signature: 'open_(dyn): dyn', run: shown },
    {
      signature: 'mentions(Sealed, string): bool',
      run: (text: Sealed, words: string) => known(text.shows((one) => mentions(one, words))),
    },
    {
      signature: 'Sealed.contains(string): bool',
      run: (text: Sealed, part: string) => known(text.shows((one) => one.includes(part))),
    },
  ] as const
}

/** Keys are texts, numbers and truth values: a list is not the text that it would be written as. */
export function keyOf(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint') return key
  if (typeof key === 'boolean' || key instanceof Sealed) return key
  throw noKey
}

/** Texts that read as numbers have no order: "1000" would come before "20" (FC-12). */
export function orderOf(value: unknown): unknown {
  if (typeof value === 'string' && /^\s*[-+]?[\d.,]*\d[\d.,]*(?:e[-+]?\d+)?\s*$/i.test(value)) {
    throw new Error('a number that is written as text')
  }
  return value
}

export function isIn(a: unknown, b: unknown, plain: Pick<PlainOperators, 'has' | 'equals'>) {
  if (b instanceof Map) {
    if (entryOf(b, a) !== undefined) return true
    return known(holdsSealed([a, ...b.keys()]) ? undefined : false)
  }
  if (b instanceof Sealed) throw unknown
  if (!Array.isArray(b)) return plain.has({ a: shown(keyOf(a)), b })
  if (!holdsSealed(a) && !holdsSealed(b)) return plain.has({ a, b })
  const all = b.map((item) => same(a, item, plain))
  return known(all.includes(true) ? true : all.includes(undefined) ? undefined : false)
}

function known(answer: boolean | undefined): boolean {
  if (answer === undefined) throw unknown
  return answer
}

function shown(value: unknown): unknown {
  if (value instanceof Sealed) throw unknown
  return value
}

function valueAt(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  const entry = entryOf(map, keyOf(key))
  if (entry === undefined) throw noKey
  return entry[1]
}

function entryOf(map: ReadonlyMap<unknown, unknown>, key: unknown) {
  if (key instanceof Sealed) return [...map].find(([one]) => key.equals(one) === true)
  const text = String(keyOf(key))
  return map.has(text) ? ([text, map.get(text)] as const) : undefined
}

/** Whether two values of which some part is sealed are the same; undefined is not known. */
function same(a: unknown, b: unknown, plain: Pick<PlainOperators, 'has'>): boolean | undefined {
  if (a instanceof Sealed) return a.equals(b)
  if (b instanceof Sealed) return b.equals(a)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && every(a.map((item, index) => same(item, b[index], plain)))
  }
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    if (keys.some((key) => !Object.hasOwn(b, key))) return false
    return every(keys.map((key) => same(a[key], b[key], plain)))
  }
  if (a instanceof Map || b instanceof Map) return undefined
  return plain.has({ a, b: [b] }) === true
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(value instanceof Map) && !(value instanceof Date)
}

function every(answers: readonly (boolean | undefined)[]): boolean | undefined {
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}
