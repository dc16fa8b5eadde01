import { type Phrase, phrase } from '../base/text/phrase.ts'
import { compileCondition } from '../condition/condition.ts'
import type { FieldGuard, GuardDefinition } from '../definition/workflow-schema.ts'
import type { MachineGuard } from './machine.ts'

export function compileGuards(
  guards: Readonly<Record<string, GuardDefinition>>,
): ReadonlyMap<string, MachineGuard> {
  const compiled = new Map<string, MachineGuard>()
  for (const [name, guard] of Object.entries(guards)) {
    const path = `guards.${name}`
    compiled.set(name, compileGuard(guard, name, path))
  }
  return compiled
}

function compileGuard(guard: GuardDefinition, name: string, path: string): MachineGuard {
  if ('evidence' in guard) return { kind: 'evidence', name, path, evidence: guard.evidence }
  if ('when' in guard) {
    const condition = compileCondition(guard.when, `${path}.when`, 'guard')
    return { kind: 'condition', name, path, condition }
  }
  const segments = guard.field.split('.')
  return { kind: 'field', name, path, segments, rule: guard, wants: wants(guard) }
}

/** `guard` and `guards` together: all must pass (WF-2). */
export function guardsOf(
  written: { guard?: string | undefined; guards?: readonly string[] | undefined },
  known: ReadonlyMap<string, MachineGuard>,
): MachineGuard[] {
  const names = [...(written.guard === undefined ? [] : [written.guard]), ...(written.guards ?? [])]
  return names.map((name) => known.get(name) ?? { kind: 'undefined', name, path: `guards.${name}` })
}

function wants({ field, op, value }: FieldGuard): Phrase {
  if (op === 'exists') return phrase('want_set', { field })
  if (op === 'not_exists') return phrase('want_unset', { field })
  return phrase('want_compared', { field, op, value: value ?? null })
}
