import type { Phrase } from '../../base/text/phrase.ts'

/** What could be said about code in another language; each field holds the reason or null. */
export interface CodeVerdict {
  /** It writes files, or could as far as its names tell. */
  readonly writes: Phrase | null
  /** It reads the environment, and nothing tells which variables. */
  readonly environment: Phrase | null
  /** Variables that it reads by literal names. */
  readonly variables: readonly string[]
  /** It starts programs, or builds code while it runs: then nothing is known. */
  readonly opaque: Phrase | null
  /** Nothing shows that it writes, and nothing shows that it does not. */
  readonly unclear: Phrase | null
}

export const harmless: CodeVerdict = {
  writes: null,
  environment: null,
  variables: [],
  opaque: null,
  unclear: null,
}

/** A piece of code without its strings and comments, and those strings. */
export interface Stripped {
  readonly code: string
  readonly strings: readonly string[]
  /** A string was left open, or one holds escapes that can spell anything. */
  readonly isOdd: boolean
}

const processFile = /\/proc\/|environ/

/** Names of process files in strings: reading those reads the environment. */
export function namesProcessFile(strings: readonly string[]): boolean {
  return strings.some((text) => processFile.test(text))
}
