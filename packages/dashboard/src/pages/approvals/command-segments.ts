import type { CommandMark } from '@statewright/core/wire'
import { plainText } from '../../model/words/plain-text.ts'

/** A marked part of a command, or the rest between them. */
export interface CommandSegment {
  readonly text: string
  readonly start: number
  readonly tone: 'plain' | CommandMark['tone']
  /** Whether these very words are why, not just the command that they stand in. */
  readonly isCause: boolean
}

export interface MarkedCommand {
  readonly segments: readonly CommandSegment[]
  /** What the marks mean, the gravest first. */
  readonly notes: readonly Pick<CommandMark, 'tone' | 'message'>[]
}

const maxNotes = 8

/**
 * A command cut where its marks begin and end; nothing of it is left out. A simple command has one
 * tone as a whole, that of the gravest of its marks.
 */
export function commandSegments(command: string, marks: readonly CommandMark[]): MarkedCommand {
  const ranges = marks.flatMap((mark) =>
    mark.command === undefined ? [mark] : [mark, mark.command],
  )
  const edges = new Set([0, command.length, ...ranges.flatMap(({ start, end }) => [start, end])])
  const cuts = [...edges].filter((at) => at <= command.length).sort((one, other) => one - other)
  const segments = cuts.slice(0, -1).map((start, index): CommandSegment => {
    const part = { start, end: cuts[index + 1] ?? command.length }
    const text = plainText(command.slice(start, part.end), Number.POSITIVE_INFINITY)
    const over = marks.filter((mark) => covers(mark.command ?? mark, part) || covers(mark, part))
    const tone = over.some((mark) => mark.tone === 'bad') ? 'bad' : over[0]?.tone
    const isCause = over.some((mark) => mark.tone === tone && covers(mark, part))
    return { text, start, tone: tone ?? 'plain', isCause }
  })
  const sorted = [...marks].sort((one, other) => rank(one.tone) - rank(other.tone))
  const notes = new Map(sorted.map(({ message, tone }) => [message, { tone, message }]))
  return { segments, notes: [...notes.values()].slice(0, maxNotes) }
}

type Span = Pick<CommandMark, 'start' | 'end'>

function covers(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

function rank(tone: CommandMark['tone']): number {
  return tone === 'bad' ? 0 : 1
}
