import type { ShellFindings } from '@statewright/core/internal'
import { readRegularText } from '../../base/read-regular.ts'
import { programOf } from './searched-folders.ts'

const maxBytes = 4 * 1024 * 1024
const maxFiles = 20

/**
 * Files that a patch changes which a command applies. Its text stands in the command, or in a file
 * that the command names: what lies there now is read, since it is what would be applied.
 */
export function patchedFiles(
  shell: ShellFindings,
  find: (words: readonly (string | null)[]) => readonly string[],
): string[] {
  if (!shell.commands.some(({ words }) => applies(words))) return []
  // What is decoded on the way cannot be read before: it may change anything.
  if (shell.commands.some(({ words }) => decoders.has(programOf(words))))
    return ['statewright.yaml']
  const words = [...shell.commands.flatMap(({ words }) => words.slice(1)), ...pathsRead(shell)]
  const texts = [
    shell.command,
    ...find(words)
      .slice(0, maxFiles)
      .map((path) => readRegularText(path, maxBytes)),
  ]
  return texts.flatMap(namesIn)
}

const decoders: ReadonlySet<string> = new Set(
  'base64 base32 gunzip zcat xzcat bzcat zstdcat xxd openssl uudecode gpg'.split(' '),
)

function pathsRead({ reads }: ShellFindings): string[] {
  return reads.flatMap(({ path }) => path ?? [])
}

function applies(words: readonly (string | null)[]): boolean {
  const program = programOf(words)
  if (program === 'patch' || program === 'gpatch') return true
  return program === 'git' && words.some((word) => word === 'apply' || word === 'am')
}

const marks = String.raw`\+\+\+|---|\*\*\*|Index:|rename (?:from|to)|copy to|diff --(?:git|cc)`
const heads = new RegExp(`^[ \\t]*(?:${marks})[ \\t]+(.+?)\\r?$`, 'gm')

/** With as many leading folders taken away as `-p` could be told to. */
function namesIn(text: string): string[] {
  return [...text.matchAll(heads)].flatMap(([, rest = '']) => {
    const whole = rest.replace(/\t.*$/, '')
    return [whole, ...whole.split(/\s+/)].map(unquoted).flatMap(stripped)
  })
}

function stripped(name: string): string[] {
  const segments = name.split('/')
  return segments.slice(0, 4).map((_, index) => segments.slice(index).join('/'))
}

/** Git writes what is not plain between quotes, and bytes as octal numbers. */
function unquoted(name: string): string {
  const inner = /^"(.*)"$/.exec(name)?.[1]
  if (inner === undefined) return name
  return inner.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    /^[0-7]{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  )
}
