import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, nearestNames, type Program, type RunView } from '@statewright/core/internal'
import type { ScenarioStep } from './schema.ts'

/** What went another way, and the key of the step that expected it. */
export interface Fault {
  readonly key: string
  readonly message: string
}

/** What a step expects of facts and marks, and does not find. */
export function seenFault(step: ScenarioStep, view: RunView, program: Program): Fault | undefined {
  const machines = [...program.machines.values()]
  const facts = new Set(machines.flatMap((machine) => machine.facts.map(({ name }) => name)))
  const marks = new Set(machines.flatMap((machine) => machine.marks.map(({ name }) => name)))
  for (const { mark } of view.marks ?? []) marks.add(mark)
  for (const [name, wanted] of Object.entries(step.facts ?? {})) {
    const message = facts.has(name) ? factFault(name, wanted, view) : missing('fact', name, facts)
    if (message !== undefined) return { key: 'facts', message }
  }
  for (const [name, wanted] of Object.entries(step.marks ?? {})) {
    const message = marks.has(name) ? markFault(name, wanted, view) : missing('mark', name, marks)
    if (message !== undefined) return { key: 'marks', message }
  }
  return undefined
}

/** Values by key are those of a fact with a key; null stands for nothing. */
function factFault(name: string, wanted: unknown, view: RunView): string | undefined {
  const known = (view.facts ?? []).filter(({ fact }) => fact === name)
  const [first] = known
  if (wanted === null) return first === undefined ? undefined : differs(name, null, first.value)
  if (first !== undefined && first.key === null) return differs(name, wanted, first.value)
  if (first === undefined && !isJsonObject(wanted)) return differs(name, wanted, undefined)
  if (!isJsonObject(wanted)) return `expected ${name} ${text(wanted)}, got values by key`
  for (const [key, value] of Object.entries(wanted)) {
    const got = known.find((one) => one.key === key)?.value
    const fault = differs(`${name}[${text(key)}]`, value, got)
    if (fault !== undefined) return fault
  }
  return undefined
}

function markFault(name: string, wanted: boolean, view: RunView): string | undefined {
  const isSet = (view.marks ?? []).some((one) => one.mark === name && one.call_id !== null)
  if (isSet === wanted) return undefined
  return `expected ${name} to be ${wanted ? 'set' : 'not set'}, got ${isSet ? 'set' : 'not set'}`
}

function differs(what: string, wanted: unknown, got: unknown): string | undefined {
  if (isDeepStrictEqual(got ?? null, wanted)) return undefined
  const shown = wanted === null ? 'nothing' : text(wanted)
  return `expected ${what} ${shown}, got ${got === undefined ? 'nothing' : text(got)}`
}

function missing(kind: string, name: string, known: Iterable<string>): string {
  const [near] = nearestNames(name, known, 1)
  return `there is no ${kind} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function text(value: unknown): string {
  return JSON.stringify(value)
}
