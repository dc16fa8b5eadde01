import { BoundedMap } from '../base/bounded-map.ts'
import { plainHost } from '../base/plain-host.ts'
import { type CompiledGlob, compileGlob, globFault } from '../call/glob.ts'
import { isWithinLists } from './bounds.ts'
import { mentions } from './mentions.ts'

/** A function of ours beside those of the language. */
export interface ConditionFunction {
  readonly signature: string
  // biome-ignore lint/suspicious/noExplicitAny: the library hands over values of the declared types
  readonly run: (...given: any[]) => unknown
  readonly says: string
}

/**
 * What our functions may do while one expression is read, in steps over characters: macros can call
 * them a million times (FC-12). Past it the expression has no value.
 */
const maxWork = 4_000_000
let work = 0

export function resetWork(): void {
  work = 0
}

function spend(steps: number): void {
  work += steps
  if (work > maxWork) throw tooLong
}

/** Made once: a macro goes on after an error, and meets it again for each of its items. */
const tooLong = new Error('the expression takes too long')

/** A part of an expression costs as much as so many characters, and more where it fails. */
const partWork = 8

/** Functions that only an expression with its costs counted has. */
export const meterFunctions = [
  {
    signature: 'step_(int): bool',
    run: (segments: bigint) => {
      spend(Number(segments) * partWork)
      return true
    },
  },
  {
    signature: 'weigh_(dyn): dyn',
    run: (value: unknown) => {
      weigh(value)
      return value
    },
  },
  {
    signature: 'known_(dyn): dyn',
    run: (value: unknown) => {
      // It would be neither more nor less than any number, and so pass what is negated.
      if (Number.isNaN(value)) throw new Error('no number')
      return value
    },
  },
  {
    signature: 'string.lowerAscii_(): string',
    run: (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  },
  {
    signature: 'string.upperAscii_(): string',
    run: (text: string) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
  },
] as const satisfies readonly Omit<ConditionFunction, 'says'>[]

/** Texts are gone through many characters at a time. */
function weigh(value: unknown): void {
  if (typeof value === 'string') spend(1 + Math.floor(value.length / 32))
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  const items = Array.isArray(value) ? value : Object.values(value)
  spend(1 + items.length)
  items.forEach(weigh)
}

const globs = new BoundedMap<string, CompiledGlob>(256)

function globOf(pattern: string): CompiledGlob {
  const known = globs.get(pattern)
  if (known !== undefined) return known
  // One that nobody can read would match nothing, and so open what is closed to its matches.
  if (globFault(pattern) !== undefined) throw new Error('no pattern')
  const made = compileGlob(pattern)
  globs.set(pattern, made)
  return made
}

export const conditionFunctions = {
  glob: {
    signature: 'glob(string, string): bool',
    run: (path: string, pattern: string) => {
      spend(path.length * Math.max(1, pattern.split('*').length - 1) + pattern.length)
      return globOf(pattern)(plainPath(path))
    },
    says: 'Whether a path matches a glob: glob(f.path, "**/.env*").',
  },
  host: {
    signature: 'host(string): string',
    run: (address: string) => {
      spend(address.length)
      return plainHost(address)
    },
    says: 'The host of an http or https address, in lower case.',
  },
  mentions: {
    signature: 'mentions(string, string): bool',
    run: (text: string, words: string) => {
      spend(text.length + words.length)
      return mentions(text, words)
    },
    says: 'Whether a text contains these words as whole words; case does not matter.',
  },
  json: {
    signature: 'json(string): dyn',
    run: (text: string) => {
      spend(text.length)
      const value: unknown = JSON.parse(text)
      if (!isWithinLists(value)) throw new Error('a list in it is too long')
      return value
    },
    says: 'The value of a JSON text.',
  },
  sum: {
    signature: 'sum(list): dyn',
    run: (numbers: readonly unknown[]) => {
      spend(numbers.length)
      let total = 0
      for (const one of numbers) {
        if (typeof one !== 'number' && typeof one !== 'bigint') throw new Error('not a number')
        total += Number(one)
      }
      return total
    },
    says: 'The sum of a list of numbers.',
  },
} as const satisfies Readonly<Record<string, ConditionFunction>>

/** A path that climbs is another one than it looks like: what it matches is not known. */
function plainPath(path: string): string {
  const segments = path.split('/')
  if (segments.includes('..') || /(?:^|\\)\.\.(?:\\|$)/.test(path)) throw new Error('no plain path')
  const kept = segments.filter((part, index) => part !== '.' && (part !== '' || index === 0))
  return kept.join('/')
}
