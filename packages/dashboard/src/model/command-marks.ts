import { isPathInside, isPlainCommand } from '@statewright/core/internal'
import { analyzeCommand, type CommandFindings } from '@statewright/core/shell'

/** A part of a command that somebody who approves it should see, or the rest between them. */
export interface CommandPart {
  readonly text: string
  readonly start: number
  /** `bad`: changes something for good, or who decides; `wait`: reaches out, or cannot be known. */
  readonly tone: 'plain' | 'wait' | 'bad'
}

export interface CommandMarks {
  readonly segments: readonly CommandPart[]
  /** What the marks mean, the gravest first. */
  readonly notes: readonly { readonly tone: 'wait' | 'bad'; readonly text: string }[]
}

interface Mark {
  readonly start: number
  readonly end: number
  readonly tone: 'wait' | 'bad'
  readonly message: string
}

const maxNotes = 8

/** A command as the judge of shell commands reads it, part by part; nothing of it is left out. */
export function commandMarks(command: string): CommandMarks {
  const marks = marksOf(command)
  const edges = new Set([0, command.length, ...marks.flatMap(({ start, end }) => [start, end])])
  const cuts = [...edges].filter((at) => at <= command.length).sort((one, other) => one - other)
  const segments = cuts.slice(0, -1).map((start, index): CommandPart => {
    const end = cuts[index + 1] ?? command.length
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end)
    const tone = over.some((mark) => mark.tone === 'bad') ? 'bad' : over[0]?.tone
    return { text: command.slice(start, end), start, tone: tone ?? 'plain' }
  })
  const sorted = [...marks].sort((one, other) => rank(one.tone) - rank(other.tone))
  const notes = new Map(sorted.map(({ message, tone }) => [message, { tone, text: message }]))
  return { segments, notes: [...notes.values()].slice(0, maxNotes) }
}

function marksOf(command: string): readonly Mark[] {
  const found = analyzeCommand(command)
  const network = found.reach.filter(({ reach }) => reach === 'network')
  return [
    ...toned('bad', [...found.guard, ...found.writes, ...found.takeovers]),
    ...toned('wait', [...network, ...found.unknowns, ...found.unproven, ...found.background]),
  ]
}

function toned(tone: Mark['tone'], found: readonly Omit<Mark, 'tone'>[]): readonly Mark[] {
  return found.map(({ start, end, message }) => ({ start, end, message, tone }))
}

function rank(tone: Mark['tone']): number {
  return tone === 'bad' ? 0 : 1
}

/**
 * The words of a command with its paths left open, for "this command on other files"; nothing where
 * it names none, does more than its words say, or changes something for good.
 */
export function commandPattern(command: string): readonly string[] | null {
  if (!isPlainCommand(command)) return null
  const found = analyzeCommand(command)
  const { whole, writes, guard, takeovers, unknowns } = found
  if (whole === null || writes.length + guard.length + takeovers.length > 0) return null
  if (unknowns.length > 0 || takesOtherCode(found)) return null
  const words = whole.map((word, at) => (at > 0 && isPath(word) ? '*' : word))
  return words.includes('*') ? words : null
}

/** Whether another file would be another program, or another host. */
function takesOtherCode({ whole, unproven, reach }: CommandFindings): boolean {
  if (reach.some((one) => one.reach === 'network')) return true
  if (unproven.some(({ what }) => what !== 'runner')) return true
  // A runner of the project takes files as such; an interpreter runs the first one.
  const first = whole?.slice(1).find((word) => !word.startsWith('-'))
  return unproven.length > 0 && first !== undefined && isPath(first)
}

/** A word that names a file rather than something to do, as the judge covers it. */
function isPath(word: string): boolean {
  return isPathInside(word) && /[./]/.test(word)
}
