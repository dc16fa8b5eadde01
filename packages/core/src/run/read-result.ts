import { isJsonObject, type Json, jsonWithin } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { type ToolRef, toolRef } from '../call/tool-names.ts'
import {
  isWithinLists,
  mapTexts,
  Sealed,
  type Sealing,
  sealedValues,
  sealing,
  valueText,
} from '../condition/bounds.ts'
import { type Condition, expressionValue, holds, type Values } from '../condition/condition.ts'
import type { MachineFact } from '../condition/rules.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { type ConditionFacts, valuesFor } from './condition-values.ts'
import type { Actor, LearntFacts, LearntValue, ToolFinished } from './events.ts'
import type { CallRecord, RunSnapshot } from './snapshot.ts'

export { openSealing } from '../condition/bounds.ts'

/** A result as its runner got it. */
export interface ObservedResult {
  /** The structured content of an MCP result. */
  readonly structured?: Json
  readonly text?: string
  readonly exitCode?: number
  /** Only a part of it is known. */
  readonly isCut?: boolean
}

export interface ResultFacts {
  readonly at: number
  readonly by: Actor
  readonly exit: 'success' | 'failure' | null
  readonly result: ObservedResult
  readonly sealing: Sealing
}

/**
 * What a result teaches and which interrupts it fires: read where the result arrives, since it is
 * not kept. The outcome rides on the event (FC-10).
 */
export function readResult(
  program: Program,
  run: RunSnapshot,
  callId: string,
  facts: ResultFacts,
): Pick<ToolFinished, 'learnt' | 'fired'> {
  const call = run.calls.find((one) => one.id === callId)
  if (call === undefined || call.status === 'done') return {}
  if (call.teaches === undefined && call.mayFire === undefined) return {}
  const result = resultValue(call, facts)
  const known: ResultReading = { call, facts, result }
  const learnt = facts.exit === 'success' ? learntFrom(program, run, known) : {}
  const fired = firedBy(program, run, known)
  return {
    ...(Object.keys(learnt).length === 0 ? {} : { learnt }),
    ...(Object.keys(fired).length === 0 ? {} : { fired }),
  }
}

interface ResultReading {
  readonly call: CallRecord
  readonly facts: ResultFacts
  /** Undefined where it cannot be read as a whole. */
  readonly result: Json | undefined
}

/** The structured content, else the text as JSON, else the text itself; of a shell both (FC-2). */
function resultValue(call: CallRecord, { result, sealing }: ResultFacts): Json | undefined {
  const { structured, text = '', exitCode, isCut } = result
  if (isCut === true || text.length > limits.resultBytes) return undefined
  const { hide } = sealing
  if (call.capability === 'bash') {
    return { text: hide(text, ''), ...(exitCode === undefined ? {} : { exit_code: exitCode }) }
  }
  if (structured !== undefined) return bounded(structured, hide)
  const parsed = parsedText(text)
  if (isFailure(parsed)) return undefined
  return parsed === undefined ? { text: hide(text, '') } : bounded(unwrapped(parsed), hide)
}

/** The value of a text that is a JSON object or list; a number or a word alone is a text. */
function parsedText(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed !== 'object' || parsed === null ? undefined : parsed
  } catch {
    return undefined
  }
}

/** An MCP result that a client handed on as if the call had succeeded. */
function isFailure(value: unknown): boolean {
  return isJsonObject(value) && value.isError === true && Array.isArray(value.content)
}

/** Some clients hand on an MCP result as it came, or the list of its parts. */
function unwrapped(value: object): unknown {
  const content = isJsonObject(value) ? value.content : value
  if (!Array.isArray(content)) return value
  if (isJsonObject(value) && isJsonObject(value.structuredContent)) return value.structuredContent
  const [part, ...more] = content
  const text = isJsonObject(part) && part.type === 'text' ? part.text : undefined
  if (typeof text !== 'string' || (more.length > 0 && !more.every(isPart))) return value
  return parsedText(text) ?? { text }
}

function isPart(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === 'string'
}

const resultBounds = { bytes: limits.resultBytes, depth: limits.jsonDepth } as const

function bounded(value: unknown, hide: Sealing['hide']): Json | undefined {
  // Without a list that is too long, `has` would say of it that it is not there.
  if (!jsonWithin(value, resultBounds) || !isWithinLists(value)) return undefined
  return mapTexts(value as Json, hide) // of a parsed text, or of a result as it came over the wire
}

function learntFrom(program: Program, run: RunSnapshot, known: ResultReading): LearntFacts {
  if (known.result === undefined) return {}
  const all: Record<string, Record<string, readonly LearntValue[]>> = {}
  for (const [id, epochs] of Object.entries(known.call.teaches ?? {})) {
    const machine = program.machines.get(id)
    if (machine === undefined) continue
    for (const fact of machine.facts) {
      if (own(epochs, fact.name) === undefined) continue
      const values = valuesOf(fact, machine, run, known)
      if (values.length > 0) all[id] = { ...all[id], [fact.name]: values }
    }
  }
  return all
}

function valuesOf(
  fact: MachineFact,
  machine: Machine,
  run: RunSnapshot,
  known: ResultReading,
): readonly LearntValue[] {
  const { when, each, key, value } = fact
  const values = readingValues([when, each, key, value], machine, run, known)
  const seal = fact.isPrivate ? known.facts.sealing.seal : undefined
  const withdrawn = (name: string | undefined) =>
    name === undefined ? [] : [{ key: seal === undefined || key === null ? name : seal(name) }]
  if (when !== null && holds(when, values) !== true) {
    // The newest look shows something else: what was known of this key is no longer so.
    if (each !== null) return []
    return withdrawn(key === null ? '' : keyText(expressionValue(key, values)))
  }
  const items = each === null ? [undefined] : expressionValue(each, values)
  if (!Array.isArray(items)) return []
  return items.slice(0, limits.factKeys * 4).flatMap((item: unknown) => {
    const inner = item === undefined ? values : { ...values, item }
    const name = key === null ? '' : keyText(expressionValue(key, inner))
    if (name === undefined) return []
    const found = value === null ? true : plainValue(expressionValue(value, inner))
    if (found === undefined) return withdrawn(name)
    const isKept = jsonWithin(found, { bytes: limits.factBytes, depth: limits.jsonDepth })
    const sealedKey = seal === undefined || key === null ? name : seal(name)
    if (!isKept) return [{ key: sealedKey }]
    return [{ key: sealedKey, value: seal === undefined ? found : sealed(found, seal) }]
  })
}

/**
 * A private value of any kind becomes the hash of its JSON, so that a number is not the text that
 * is written alike; that something was seen tells nothing by itself.
 */
function sealed(value: Json, seal: (text: string) => string): Json {
  return value === true ? value : seal(JSON.stringify(value))
}

function keyText(value: unknown): string | undefined {
  if (value instanceof Sealed) return value.toString()
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Values of the expression language as JSON; what JSON cannot hold is unknown. */
function plainValue(value: unknown): Json | undefined {
  try {
    const text = valueText(value)
    return text === undefined ? undefined : (JSON.parse(text) as Json) // just written as JSON
  } catch {
    return undefined
  }
}

function firedBy(
  program: Program,
  run: RunSnapshot,
  known: ResultReading,
): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, string[]> = {}
  for (const [id, names] of Object.entries(known.call.mayFire ?? {})) {
    const machine = program.machines.get(id)
    for (const { name, when } of machine?.interrupts ?? []) {
      if (machine === undefined || when === null || !names.includes(name)) continue
      // A result that cannot be read counts against the call, as everything that is not known.
      const values = readingValues([when], machine, run, known)
      if (holds(when, values) !== false) all[id] = [...(all[id] ?? []), name]
    }
  }
  return all
}

function readingValues(
  expressions: readonly (Condition | null)[],
  machine: Machine,
  run: RunSnapshot,
  { call, facts, result }: ResultReading,
): Values {
  const needed = expressions.filter((one) => one !== null)
  const { at, by, exit } = facts
  const ref = refOf(call)
  const asked = { id: call.id, tool: call.tool, argsHash: call.argsHash }
  const about: ConditionFacts = {
    run,
    at,
    by,
    machine,
    branch: call.branch,
    frame: run.main.frames.findLast((frame) => frame.machine === machine.id),
    call: call.args === undefined ? asked : { ...asked, args: call.args },
    shape: { ref, isShell: false },
  }
  const shown = sealing(result)
  return {
    ...valuesFor(needed, about),
    ...(shown === result ? {} : { [sealedValues]: true }),
    ...(result === undefined ? {} : { result: shown }),
    ...(exit === null ? {} : { exit }),
  }
}

/** A record keeps the server of a tool in its capability alone. */
function refOf({ tool, capability }: CallRecord): ToolRef {
  const [, server] = /^mcp:([^:]*):/.exec(capability) ?? []
  return server === undefined ? toolRef(tool) : { tool, server }
}
