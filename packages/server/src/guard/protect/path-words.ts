import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Looks } from '../../base/looks.ts'

export interface PathRoots {
  readonly root: string
  readonly cwd: string
  /** What `~` may mean. */
  readonly homes: readonly string[]
  readonly looks: Looks
}

/**
 * Absolute forms of a word, wherever it may count from. A shell and `cd` take `..` for the folder
 * above in the text, the kernel for the one above what a link leads to: both count.
 */
export function absolute(word: string, bases: readonly string[], roots: PathRoots): string[] {
  if (!looksLikePath(word)) return []
  const { homes, looks } = roots
  const inHome = /^(?:~|\$HOME|\$\{HOME\})(\/.*|)$/.exec(word)?.[1]
  const isOfHome = inHome !== undefined && homes.length > 0
  const made = isOfHome
    ? homes.map((home) => home + inHome)
    : isAbsolute(word)
      ? [word]
      : bases.map((base) => `${base}/${word}`)
  return made.flatMap((path) => {
    const text = resolve(path)
    return climbs.test(path) ? [text, ...looks.walked(path)] : [text]
  })
}

const climbs = /\/\.\.(?:\/|$)/

/**
 * A word, and the paths in it: `of=file`, `~:/host`, `-d @file`, `f=@file;type=text`, `-Tfile`.
 * An option by itself is no path.
 */
export function pathWords(text: string): string[] {
  const word = fromUri(text)
  const behind = /^[^/=]{1,40}=(.+)$/.exec(word)?.[1]
  const whole = word.startsWith('-') ? [] : [word]
  const mounted = [...word.matchAll(/(?:^|,)(?:source|src)=([^,]+)/g)].map(([, path = '']) => path)
  const sent = /^[^/@]{0,40}@([^;]+)/.exec(word)?.[1] ?? /^[^/<]{1,40}=<([^;]+)/.exec(word)?.[1]
  const glued = /^-\w+?([~./@].*)$/.exec(word)?.[1]?.replace(/^@/, '')
  const others = [behind, sent, glued].filter((part) => part !== undefined)
  // Two places in one word: `-v ~:/host`, `host:~`.
  const sides = [word, ...others].flatMap((one) =>
    /^[^:]+:[^:/]*[~/][^:]*(?::\w+)?$/.test(one) ? one.split(':') : [],
  )
  return [...whole, ...others, ...mounted, ...sides]
}

export function tokens(command: string): string[] {
  return command.split(/[\s'"`;|&<>()=,]+/).filter((token) => token !== '' && token.length < 4096)
}

export function looksLikePath(text: string): boolean {
  return text.length > 0 && text.length < 4096 && !/[\n\0]/.test(text)
}

export function fromUri(text: string): string {
  if (!/^file:/i.test(text)) return text
  try {
    // What may stand for several names in an address is a wildcard of its own.
    return fileURLToPath(text.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '*'))
  } catch {
    return text
  }
}
