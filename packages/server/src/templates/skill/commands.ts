import { analyzeCommand } from '@statewright/core/shell'
import type { FoundStep } from './find-steps.ts'
import { skillLimits } from './limits.ts'

const shellLanguages: ReadonlySet<string> = new Set(['bash', 'sh', 'shell', 'zsh', 'fish'])
const consoleLanguages: ReadonlySet<string> = new Set(['console', 'terminal', 'shell-session'])

/**
 * Commands that a step names in its code blocks and code spans. An entry of `allowed_commands` is
 * the beginning of one simple command, so that each of a longer line is listed by itself.
 */
export function commandsOf({ title, lines, code }: FoundStep): readonly string[] {
  const inBlocks = code.flatMap(({ text, language }) => {
    const [, prompted] = /^\s*\$ (.*)$/.exec(text) ?? []
    if (prompted !== undefined && (language === '' || isShell(language))) return [prompted]
    return shellLanguages.has(language) ? [text] : []
  })
  const blocks = new Set(code.map(({ text }) => text.trim()))
  const prose = [title, ...lines].filter((line) => !blocks.has(line.trim()))
  const inSpans = prose.flatMap((line) => [...line.matchAll(/(?<!`)`([^`]+)`(?!`)/g)])
  const found = new Set<string>()
  for (const text of inBlocks) for (const one of simpleCommands(text, false)) found.add(one)
  for (const [, text = ''] of inSpans) for (const one of simpleCommands(text, true)) found.add(one)
  return [...found].slice(0, skillLimits.commands)
}

function isShell(language: string): boolean {
  return shellLanguages.has(language) || consoleLanguages.has(language)
}

/** A span in prose may be a file, a name or code: it counts where the program is a known one. */
function simpleCommands(text: string, isProse: boolean): string[] {
  // What is filled in later ends what can be compared: `git push <remote>`.
  const line = text.replace(/\s[<[{].*$/, '').trim()
  if (line === '' || line.startsWith('#') || line.length > skillLimits.commandLength) return []
  if (isProse && !/^[a-z./][\w./-]*\s/.test(line)) return []
  const { commands, unknowns, unproven } = analyzeCommand(line)
  if (unknowns.some(({ what }) => what === 'syntax')) return []
  const strange = new Set(
    unproven.flatMap(({ what, command }) => (what === 'program' ? command : [])),
  )
  return commands.flatMap(({ words, kind, via }, index) => {
    if (kind === 'steer' || kind === 'function' || via !== 'shell') return []
    if (isProse && strange.has(index)) return []
    const end = words.findIndex((word) => word === null || word === '...')
    const known = words.slice(0, end < 0 ? words.length : end)
    const isWhole = known.every((word) => word !== null && /^[\w@%+=:,./~^-]+$/.test(word))
    return known.length === 0 || !isWhole ? [] : [known.join(' ')]
  })
}
