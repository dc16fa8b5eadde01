import { basename } from 'node:path'
import type { ShellFindings } from '@statewright/core/internal'
import { programOf } from './searched-folders.ts'

/** A link that a command makes before it goes through it. */
export interface MadeLink {
  readonly name: string
  readonly target: string
}

/** When the command is judged there is no link yet: its text tells where it will lead. */
export function madeLinks({ commands }: ShellFindings): readonly MadeLink[] {
  return commands.flatMap(({ words }) => {
    if (programOf(words) !== 'ln' && programOf(words) !== 'link') return []
    const [target, name, ...more] = words.slice(1).filter((word) => !word?.startsWith('-'))
    if (target === undefined || target === null || more.length > 0 || name === null) return []
    return [{ target, name: (name ?? basename(target)).replace(/^\.\//, '') }]
  })
}

/** What a word means once these links are there. */
export function throughLinks(word: string, links: readonly MadeLink[]): string[] {
  const plain = word.replace(/^\.\//, '')
  return links.flatMap(({ name, target }) => {
    return plain.startsWith(`${name}/`) ? [`${target}${plain.slice(name.length)}`] : []
  })
}
