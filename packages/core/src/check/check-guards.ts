import { type Finding, finding, type Path } from '../definition/finding.ts'
import { kindOf, quote } from '../definition/parse/wording.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import { isoInstant } from '../run/ordering.ts'
import type { CheckContext } from './check-context.ts'

/** Guards that do not exist, and guards that could never mean what they say (WF-3, WF-20). */
export function checkGuards(check: CheckContext): Finding[] {
  const { definition } = check
  const findings = unknownGuards(check)
  const facts = new Set(Object.keys(definition.evidence ?? {}))
  for (const [name, guard] of Object.entries(definition.guards ?? {})) {
    const path = ['guards', name]
    if ('field' in guard) findings.push(...valueFindings(guard, path))
    else if ('evidence' in guard && !facts.has(guard.evidence)) {
      const hint = check.hint(guard.evidence, facts)
      const message = `There is no evidence ${quote(guard.evidence)}.${hint}`
      findings.push(finding('unknown_evidence', [...path, 'evidence'], message))
    }
  }
  return findings
}

function unknownGuards({ definition, graph, hint }: CheckContext): Finding[] {
  const known = new Set(Object.keys(definition.guards ?? {}))
  const findings: Finding[] = []
  for (const { written, path } of graph.moves) {
    const named: [string, Path][] = (written.guards ?? []).map((name, index) => [
      name,
      [...path, 'guards', index],
    ])
    if (written.guard !== undefined) named.unshift([written.guard, [...path, 'guard']])
    for (const [name, path] of named) {
      if (known.has(name)) continue
      const message = `There is no guard ${quote(name)}.${hint(name, known)}`
      findings.push(finding('unknown_guard', path, message))
    }
  }
  return findings
}

function valueFindings(guard: FieldGuard, path: Path): Finding[] {
  const fault = valueFault(guard)
  return fault === undefined ? [] : [finding('invalid_guard_value', [...path, 'value'], fault)]
}

function valueFault({ op, value }: FieldGuard): string | undefined {
  if (op === 'exists' || op === 'not_exists') return undefined
  if (value === undefined) return `"${op}" needs a "value" to compare with.`
  if (op === 'in' && !Array.isArray(value)) return `"in" needs a list, not ${kindOf(value)}.`
  if (op !== 'gt' && op !== 'gte' && op !== 'lt' && op !== 'lte') return undefined
  const isOrdered =
    typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(isoInstant(value)))
  if (isOrdered) return undefined
  const shown = typeof value === 'string' ? quote(value) : kindOf(value)
  return `"${op}" compares numbers or ISO dates such as "2026-01-31", not ${shown}.`
}
