import { ownToolNames } from '../call/own-tools.ts'
import type { Program } from '../machine/machine.ts'
import { chooseLane } from './choose-lane.ts'
import type { Actor } from './events.ts'
import { laneOf, machineOf } from './lanes.ts'
import type { RunSnapshot } from './snapshot.ts'

/** Safe for routines are our tools that neither load nor force nor write definitions (PR-7). */
export const routineToolNames: readonly string[] = ownToolNames.filter((name) =>
  /^(?:process|memory|task)_/.test(name),
)

/**
 * The tools of `/mcp/process` for a caller in a run: the safe ones that every process on its stack
 * lists. Names of other tools in a list are ignored: nothing of theirs is offered there.
 */
export function routineTools(program: Program, run: RunSnapshot, by: Actor): readonly string[] {
  const choice = chooseLane(run, by, undefined)
  const lane = laneOf(run, choice.kind === 'lane' ? choice.name : null)
  const lists = lane.frames
    .map((frame) => machineOf(program, frame).routineTools)
    .filter((list) => list !== null)
  return routineToolNames.filter((name) =>
    lists.every((list) => list.some((entry) => coversName(entry, name))),
  )
}

function coversName(entry: string, name: string): boolean {
  return entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name
}
