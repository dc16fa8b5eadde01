import type { CommandMark } from '@statewright/core/wire'
import { plainText } from '../../model/words/plain-text.ts'

/** A marked part of a command, or the rest between them. */
export interface CommandSegment {
  readonly text: string
  readonly start: number
  readonly tone: 'plain' | CommandMark['tone']
}

export interface MarkedCommand {
  readonly segments: readonly CommandSegment[]
  /** What the marks mean, the gravest first. */
  readonly notes: readonly Pick<CommandMark, 'tone' | 'message'>[]
}

const maxNotes = 8

/** A command cut where its marks begin and end; nothing of it is left out. */
export function commandSegments(command: string, marks: readonly CommandMark[]): MarkedCommand {
  const edges = new Set([0, command.length, ...marks.flatMap(({ start, end }) => [start, end])])
  const cuts = [...edges].filter((at) => at <= command.length).sort((one, other) => one - other)
  const segments = cuts.slice(0, -1).map((start, index): CommandSegment => {
    const end = cuts[index + 1] ?? command.length
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end)
    const tone = over.some((mark) => mark.tone === 'bad') ? 'bad' : over[0]?.tone
    const text = plainText(command.slice(start, end), Number.POSITIVE_INFINITY)
    return { text, start, tone: tone ?? 'plain' }
  })
  const sorted = [...marks].sort((one, other) => rank(one.tone) - rank(other.tone))
  const notes = new Map(sorted.map(({ message, tone }) => [message, { tone, message }]))
  return { segments, notes: [...notes.values()].slice(0, maxNotes) }
}

function rank(tone: CommandMark['tone']): number {
  return tone === 'bad' ? 0 : 1
}
