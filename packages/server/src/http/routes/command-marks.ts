import { analyzeCommand } from '@statewright/core/shell'
import type { CommandMark } from '@statewright/core/wire'

/** More than these no person looks at in one command. */
const maxMarks = 100

/**
 * What the command of a call would change or reach, by the judge of shell commands, for whoever
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
  return [...toned('bad', bad), ...toned('wait', wait)].slice(0, maxMarks)
}

function toned(
  tone: CommandMark['tone'],
  found: readonly Omit<CommandMark, 'tone'>[],
): CommandMark[] {
  return found.map(({ start, end, message }) => ({ start, end, tone, message }))
}
