import { own } from '../base/own.ts'
import type { MachineInterrupt, MachineState } from '../machine/machine.ts'
import { returnTarget } from '../machine/machine.ts'
import { type LaneName, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { withdrawApproval } from './close-approval.ts'
import { type Draft, record } from './draft.ts'
import { replaceTop } from './put-lane.ts'
import { settle } from './settle.ts'

export interface ChangedFiles {
  readonly byTool: readonly string[]
  readonly byShell: readonly string[]
  readonly tool: string
  /** Interrupts whose tool and condition the call met, by definition. */
  readonly fires?: Readonly<Record<string, readonly string[]>>
}

/**
 * Detours to a handler when a changed file matches: first match in the order written, and none
 * while a handler is active (WF-28, WF-29). Returns the notice for the agent, or null.
 */
export function fireInterrupt(draft: Draft, lane: LaneName, changed: ChangedFiles): string | null {
  const frame = topFrame(laneOf(draft.run, lane))
  if (frame.interrupt !== null) return null
  const machine = machineOf(draft.program, frame)
  const from = stateOf(draft.program, frame)
  if (machine.interrupts.length === 0 || from.isFinal) return null
  const met = own(changed.fires, machine.id) ?? []
  const hit = firstHit(machine.interrupts, changed, met)
  // Anyone who stands in the handler already is where the rule wants him.
  if (hit === null || hit.interrupt.target === from.name) return null
  const { interrupt, file } = hit
  const handler = machine.states.get(interrupt.target)
  if (handler === undefined) return null
  withdrawApproval(draft, lane)
  const { name, target: to } = interrupt
  const visit = draft.run.visits + 1
  record(draft, { type: 'interrupted', name, file, from: from.name, to }, lane)
  replaceTop(draft, lane, {
    ...frame,
    state: to,
    counters: { visit, iterations: 0, bytes: 0, files: [] },
    interrupt: { name, file, returnTo: from.name, counters: frame.counters },
  })
  draft.run = { ...draft.run, visits: visit }
  settle(draft, lane)
  return interruptNotice(interrupt, file, from, handler)
}

function firstHit(
  interrupts: readonly MachineInterrupt[],
  changed: ChangedFiles,
  met: readonly string[],
): { interrupt: MachineInterrupt; file: string } | null {
  for (const interrupt of interrupts) {
    const { matches, shell, tools, when, name } = interrupt
    if ((tools !== null || when !== null) && !met.includes(name)) continue
    const files = shell ? [...changed.byTool, ...changed.byShell] : changed.byTool
    const file = matches === null ? (files[0] ?? changed.tool) : files.find((one) => matches(one))
    if (file !== undefined) return { interrupt, file }
  }
  return null
}

function interruptNotice(
  interrupt: MachineInterrupt,
  file: string,
  from: MachineState,
  handler: MachineState,
): string {
  const tools = handler.toolNames === null ? 'any' : handler.toolNames.join(', ') || 'none'
  const returns = [...handler.transitions]
    .filter(([, move]) => move.kind === 'move' && move.candidates.some(leadsBack))
    .map(([event]) => event)
  const back = returns.length > 0 ? `To return to ${from.name}, send ${returns.join(' or ')}.` : ''
  const instructions = handler.instructions === null ? '' : ` ${handler.instructions}`
  const why =
    interrupt.pattern === null
      ? `A call of ${file} fired ${interrupt.name}.`
      : `${file} was changed and matches ${interrupt.name} (${interrupt.pattern}).`
  return (
    `[STATEWRIGHT INTERRUPT] ${why} The run moved from ${from.name} to ${handler.name}. ` +
    `Tools: ${tools}.${instructions} ${back}`
  ).trim()
}

function leadsBack(candidate: { readonly target: string }): boolean {
  return candidate.target === returnTarget
}
