import { analyzeCommand } from '@statewright/core/shell'
import type { CommandMark } from '@statewright/core/wire'

type Span = NonNullable<CommandMark['command']>

/** More than these no person looks at in one command. */
const maxMarks = 100

/**
 * What the command of a call would change or reach, by the judge of shell commands, for anyone who
 * decides on it. The page would have to load the whole judge to say it.
 */
export function commandMarks(input: unknown): CommandMark[] | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined
  const { command } = input
  if (typeof command !== 'string') return undefined
  const found = analyzeCommand(command)
  const network = found.reach.filter(({ reach }) => reach === 'network')
  const bad = [...found.guard, ...found.writes, ...found.takeovers]
  const wait = [...network, ...found.unknowns, ...found.unproven, ...found.background]
  // What runs by itself: a program that another one starts belongs to that one.
  const simple = found.commands.filter(({ via }) => via === 'shell')
  return [...toned('bad', bad, simple), ...toned('wait', wait, simple)].slice(0, maxMarks)
}

interface Finding extends Span {
  readonly message: string
}

function toned(
  tone: CommandMark['tone'],
  findings: readonly Finding[],
  commands: readonly Span[],
): CommandMark[] {
  return findings.map(({ start, end, message }) => {
    const command = innermost(commands, { start, end })
    return { start, end, tone, message, ...(command === undefined ? {} : { command }) }
  })
}

/** The smallest of some parts of a text that a part of it stands in. */
function innermost(outer: readonly Span[], { start, end }: Span): Span | undefined {
  return outer
    .filter((one) => one.start <= start && one.end >= end)
    .map((one) => ({ start: one.start, end: one.end }))
    .toSorted((one, other) => one.end - one.start - (other.end - other.start))[0]
}
