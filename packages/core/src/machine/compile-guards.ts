import type { FieldGuard, GuardDefinition } from '../definition/workflow-schema.ts'
import type { MachineGuard } from './machine.ts'

export function compileGuards(
  guards: Readonly<Record<string, GuardDefinition>>,
): ReadonlyMap<string, MachineGuard> {
  const compiled = new Map<string, MachineGuard>()
  for (const [name, guard] of Object.entries(guards)) {
    const path = `guards.${name}`
    compiled.set(
      name,
      'evidence' in guard
        ? { kind: 'evidence', name, path, evidence: guard.evidence }
        : {
            kind: 'field',
            name,
            path,
            segments: guard.field.split('.'),
            rule: guard,
            wants: wants(guard),
          },
    )
  }
  return compiled
}

/** `guard` and `guards` together: all must pass (WF-2). */
export function guardsOf(
  written: { guard?: string | undefined; guards?: readonly string[] | undefined },
  known: ReadonlyMap<string, MachineGuard>,
): MachineGuard[] {
  const names = [...(written.guard === undefined ? [] : [written.guard]), ...(written.guards ?? [])]
  return names.map((name) => known.get(name) ?? { kind: 'undefined', name, path: `guards.${name}` })
}

function wants(rule: FieldGuard): string {
  if (rule.op === 'exists') return `${rule.field} to be set`
  if (rule.op === 'not_exists') return `${rule.field} not to be set`
  return `${rule.field} ${rule.op} ${JSON.stringify(rule.value ?? null)}`
}
