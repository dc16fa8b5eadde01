import type { Json } from '../base/json.ts'
import { own } from '../base/own.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import { fieldValue, passes } from '../run/guards.ts'
import type { CheckContext } from './check-context.ts'
import { returnTarget } from './transition-graph.ts'

/** Guards on a field that nothing sets, or that nothing can set before they are read (WF-3). */
export function checkGuardFields(check: CheckContext): Finding[] {
  return [...unsetFields(check), ...readTooEarly(check)]
}

function unsetFields(check: CheckContext): Finding[] {
  const { definition } = check
  const set = fieldsThatAreSet(check)
  if (set === 'unknown') return []
  const findings: Finding[] = []
  for (const [name, guard] of Object.entries(definition.guards ?? {})) {
    if (!('field' in guard)) continue
    const [first = guard.field] = guard.field.split('.')
    if (set.has(first) || set.has(guard.field)) continue
    const message =
      `Nothing sets ${quote(first)}: it is not in "context", and no "instructions" ` +
      'tell the agent to send it.'
    findings.push(finding('guard_field_unset', ['guards', name, 'field'], message))
  }
  return findings
}

/** Names that context, instructions, children or branches may bring; a child may be unknown. */
function fieldsThatAreSet({ definition, graph, known }: CheckContext): Set<string> | 'unknown' {
  const set = new Set(['rationale', ...Object.keys(definition.context ?? {})])
  for (const { invoke } of graph.invokes) {
    const child = invoke === definition.id ? definition : known?.(invoke)
    if (child === undefined) return 'unknown'
    for (const name of [invoke, ...(child.output ?? [])]) set.add(name)
  }
  if (graph.forks.length > 0) set.add('branches')
  for (const { instructions } of graph.states.values()) {
    for (const [word] of (instructions ?? '').matchAll(/[\p{L}\p{N}_$-]+/gu)) set.add(word)
  }
  return set
}

/**
 * Guards read the context from before the transition (WF-17). In an initial state that is never
 * entered again no transition has happened, so that only the initial context counts.
 */
function readTooEarly(check: CheckContext): Finding[] {
  const { definition, graph } = check
  if (canBeEnteredAgain(check)) return []
  const findings: Finding[] = []
  for (const { state, path, written } of graph.moves) {
    if (state !== definition.initial) continue
    const named = written.guard === undefined ? [] : [{ name: written.guard, at: ['guard'] }]
    const listed = (written.guards ?? []).map((name, index) => ({ name, at: ['guards', index] }))
    for (const { name, at } of [...named, ...listed]) {
      const guard = own(definition.guards, name)
      if (guard === undefined || !('field' in guard) || passesAtStart(guard, check)) continue
      const message =
        `${quote(name)} is read before any transition could set ${quote(guard.field)}: data sent ` +
        'with an event counts only from the next one on.'
      findings.push(finding('guard_field_unset', [...path, ...at], message))
    }
  }
  return findings
}

/** What the context of a new run says to a guard. */
export function passesAtStart(guard: FieldGuard, { definition }: CheckContext): boolean {
  const context = (definition.context ?? {}) as Record<string, Json> // Zod types JSON as mutable.
  return passes(guard, fieldValue(context, guard.field, guard.field.split('.')))
}

export function canBeEnteredAgain({ definition, graph }: CheckContext): boolean {
  const { initial } = definition
  if (graph.moves.some(({ written }) => written.target === returnTarget)) return true
  if (Object.values(definition.interrupts ?? {}).some(({ target }) => target === initial)) {
    return true
  }
  for (const edges of graph.edges.values()) if (edges.some(({ to }) => to === initial)) return true
  return false
}
