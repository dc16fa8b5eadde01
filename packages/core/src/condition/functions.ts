import { BoundedMap } from '../base/bounded-map.ts'
import { type CompiledGlob, compileGlob } from '../call/glob.ts'
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
const mostWork = 4_000_000
let work = 0

export function resetWork(): void {
  work = 0
}

function spend(steps: number): void {
  work += steps
  if (work > mostWork) throw new Error('the expression takes too long')
}

const globs = new BoundedMap<string, CompiledGlob>(256)

function globOf(pattern: string): CompiledGlob {
  const known = globs.get(pattern)
  if (known !== undefined) return known
  const made = compileGlob(pattern)
  globs.set(pattern, made)
  return made
}

export const conditionFunctions = {
  glob: {
    signature: 'glob(string, string): bool',
    run: (path: string, pattern: string) => {
      spend(path.length * Math.max(1, pattern.split('*').length - 1) + pattern.length)
      return globOf(pattern)(path)
    },
    says: 'Whether a path matches a glob: glob(f.path, "**/.env*").',
  },
  host: {
    signature: 'host(string): string',
    run: (address: string) => {
      spend(address.length)
      return hostOf(address)
    },
    says: 'The host of an http or https address, in lower case.',
  },
  mentions: {
    signature: 'mentions(string, string): bool',
    run: (text: string, words: string) => {
      spend(text.length + words.length)
      return mentions(text, words)
    },
    says: 'Whether a text has these words as whole words, whatever their case.',
  },
  json: {
    signature: 'json(string): dyn',
    run: (text: string) => {
      spend(text.length)
      const value: unknown = JSON.parse(text)
      if (!isWithinLists(value)) throw new Error('a list in it is too long')
      return value
    },
    says: 'The value that a JSON text stands for.',
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

/**
 * Programs read odd addresses differently: what two of them could take for two hosts has none here
 * (a login before the host, a backslash, letters that only look like others).
 */
function hostOf(address: string): string {
  const [, host] = /^https?:\/\/([a-z0-9.-]+)(?::\d{1,5})?(?:[/?#]|$)/i.exec(address) ?? []
  if (host === undefined || /[\s\\]/.test(address)) throw new Error('no plain web address')
  const last = host.slice(host.lastIndexOf('.') + 1)
  // Numbers have many spellings: 127.1, 0x7f000001 and 2130706433 are one address.
  if (/^(?:\d|0x)/i.test(last) && !plainNumbers.test(host)) throw new Error('no plain web address')
  return host.toLowerCase()
}

const plainNumbers = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/
