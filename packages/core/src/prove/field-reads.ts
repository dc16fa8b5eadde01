import type { JsonObject } from '../base/json.ts'
import { type FieldGuard, guardOperators } from '../definition/workflow-schema.ts'
import type { Machine, MachineGuard, MachineState, Program } from '../machine/machine.ts'
import { fieldValue, passes } from '../run/guards.ts'

/** A rule on a field of the context of some frame. */
export interface FieldRead {
  readonly field: string
  readonly segments: readonly string[]
  readonly rule: FieldGuard
}

/** Which fields are read where, worked out once for a program. */
export interface FieldReads {
  /** No guard reads any. */
  readonly isEmpty: boolean
  readonly inState: (machine: string, state: string | null) => readonly FieldRead[]
  /** In the states that an interrupt may lead to from anywhere. */
  readonly inHandlers: (machine: string) => readonly FieldRead[]
  /** Those that no agent can send, so that what they hold stays. */
  readonly fixed: (machine: string) => readonly FieldRead[]
  /** Every rule by the name of its field, as any frame may know it. */
  readonly rules: ReadonlyMap<string, readonly FieldGuard[]>
}

const nothing: readonly FieldRead[] = []

export function fieldReads(program: Program): FieldReads {
  const inState = new Map<string, Map<string, readonly FieldRead[]>>()
  const inHandlers = new Map<string, readonly FieldRead[]>()
  const fixed = new Map<string, readonly FieldRead[]>()
  const all: FieldRead[] = []
  for (const [id, machine] of program.machines) {
    const reads = [...machine.states.values()].flatMap((state) => {
      const own = readsOf(state)
      inState.set(id, (inState.get(id) ?? new Map()).set(state.name, own))
      return own
    })
    all.push(...reads)
    inHandlers.set(id, handlersOf(machine).flatMap(readsOf))
    fixed.set(
      id,
      reads.filter(({ field }) => !isSendable(field)),
    )
  }
  return {
    isEmpty: all.length === 0,
    inState: (machine, state) => inState.get(machine)?.get(state ?? '') ?? nothing,
    inHandlers: (machine) => inHandlers.get(machine) ?? nothing,
    fixed: (machine) => fixed.get(machine) ?? nothing,
    rules: rulesByField(program, all),
  }
}

/** Whether an agent may put something under that name with an event (WF-17). */
export function isSendable(field: string): boolean {
  return !/^[_$]/.test(field) && !['__proto__', 'constructor', 'prototype'].includes(field)
}

export function doesPass({ field, segments, rule }: FieldRead, context: JsonObject): boolean {
  return passes(rule, fieldValue(context, field, segments))
}

/** What a rule on a field of the parent says of the child's own context (WF-23). */
export function asChildReads(
  reads: readonly FieldRead[],
  child: { readonly name: string; readonly output: readonly string[] },
): FieldRead[] {
  return reads.flatMap((read) => {
    const inside = read.segments[0] === child.name ? [without(read, 1)] : []
    const isOutput =
      child.output.includes(read.field) || child.output.includes(read.segments[0] ?? '')
    return [...inside.flatMap((one) => one ?? []), ...(isOutput ? [read] : [])]
  })
}

function without(read: FieldRead, count: number): FieldRead | undefined {
  const segments = read.segments.slice(count)
  if (segments.length === 0) return undefined
  return { field: segments.join('.'), segments, rule: read.rule }
}

function handlersOf({ interrupts, states }: Machine): MachineState[] {
  return interrupts.flatMap(({ target }) => states.get(target) ?? [])
}

function readsOf({ transitions }: MachineState): FieldRead[] {
  return [...transitions.values()].flatMap((transition) =>
    transition.kind === 'move'
      ? transition.candidates.flatMap(({ guards }) => guards.flatMap(readOf))
      : [],
  )
}

function readOf(guard: MachineGuard): FieldRead[] {
  if (guard.kind !== 'field') return []
  const { rule, segments } = guard
  return [{ field: rule.field, segments, rule }]
}

/** A field of a parent is also one of the child or branch that brings it, under a shorter name. */
function rulesByField(
  { machines }: Program,
  reads: readonly FieldRead[],
): ReadonlyMap<string, readonly FieldGuard[]> {
  const rules = new Map<string, FieldGuard[]>()
  const waiting = [...reads]
  for (let read = waiting.pop(); read !== undefined; read = waiting.pop()) {
    const known = rules.get(read.field) ?? []
    if (known.includes(read.rule)) continue
    rules.set(read.field, [...known, read.rule])
    const [first = ''] = read.segments
    const inner = first === 'branches' ? without(read, 2) : machines.has(first) && without(read, 1)
    if (inner) waiting.push(inner)
  }
  for (const [field, found] of rules) rules.set(field, inOrder(found))
  return rules
}

function inOrder(rules: readonly FieldGuard[]): FieldGuard[] {
  return rules.toSorted(
    (left, right) => guardOperators.indexOf(left.op) - guardOperators.indexOf(right.op),
  )
}
