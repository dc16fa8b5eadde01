import { own } from '../base/own.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { canBeEnteredAgain, passesAtStart } from './check-guard-fields.ts'
import type { Move } from './transition-graph.ts'

/**
 * States that a run may enter and never leave: each of their events waits for a field, and only an
 * event that goes through could set one (WF-17). An agent that forgot to send it is stuck there.
 */
export function checkDeadEnds(check: CheckContext): Finding[] {
  const { definition, graph } = check
  // On a detour an agent can send what is missing.
  if (Object.keys(definition.interrupts ?? {}).length > 0) return []
  const open = new Set(graph.invokes.map(({ path }) => path[1]))
  for (const { state } of graph.forks) open.add(state)
  const leaving = Map.groupBy(graph.moves, ({ state }) => state)
  const entering = Map.groupBy(graph.moves, ({ written }) => written.target)
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    if (state.type === 'final' || state.safe_next !== undefined || open.has(name)) continue
    // Of the first state it is said already that its guards are read too early.
    if (name === definition.initial && !canBeEnteredAgain(check)) continue
    const waits = (leaving.get(name) ?? []).map((move) => fieldAwaited(move, check))
    const [first] = waits
    if (first === undefined || waits.includes(undefined)) continue
    // Anyone who comes in has passed the same guard, or comes from a child that may have set it.
    const isKnown = (entering.get(name) ?? []).every((move) => hasGuard(move, first.guard))
    if (isKnown && name !== definition.initial) continue
    const message =
      `A run that enters ${quote(name)} without ${quote(first.field)} can never leave: every ` +
      'event has a guard, and data of a refused event is not kept. Add an event without a guard, ' +
      'such as one that leads back.'
    findings.push(finding('guarded_dead_end', ['states', name, 'on'], message))
  }
  return findings
}

/** A guard of the move that the context of the beginning does not pass. */
function fieldAwaited(
  { written }: Move,
  check: CheckContext,
): { readonly guard: string; readonly field: string } | undefined {
  const { guards = [], guard } = written
  for (const name of guard === undefined ? guards : [guard, ...guards]) {
    const found = own(check.definition.guards, name)
    if (found === undefined || !('field' in found) || passesAtStart(found, check)) continue
    return { guard: name, field: found.field }
  }
  return undefined
}

function hasGuard({ written }: Move, guard: string): boolean {
  return written.guard === guard || (written.guards ?? []).includes(guard)
}
