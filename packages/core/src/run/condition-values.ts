import { own } from '../base/own.ts'
import type { ToolRef } from '../call/tool-names.ts'
import { sealedMap, sealedValues, sealing } from '../condition/bounds.ts'
import type { Condition, Values } from '../condition/condition.ts'
import type { MachineFact, MachineMark } from '../condition/rules.ts'
import type { Machine } from '../machine/machine.ts'
import { chooseLane, framesFor } from './choose-lane.ts'
import type { Actor, DigestFacts } from './events.ts'
import { noCommand, shellValues } from './shell-values.ts'
import type { FactRecord, Frame, RunSnapshot } from './snapshot.ts'
import type { ToolCall } from './tool-call.ts'

/** What is known when a condition is read. Whatever is left out is unknown (FC-6). */
export interface ConditionFacts {
  readonly run?: RunSnapshot | undefined
  readonly at: number
  readonly by?: Actor | undefined
  readonly role?: string | undefined
  readonly branch?: string | null | undefined
  readonly call?: ToolCall | undefined
  readonly shape?: { readonly ref: ToolRef; readonly isShell: boolean } | undefined
  /** The definition that the condition stands in, and where its run stands there. */
  readonly machine?: Machine | undefined
  readonly frame?: Frame | undefined
  /** Marks that a policy declares, by the key under which the run keeps them. */
  readonly owned?: readonly OwnedMarks[] | undefined
}

/** A call, and who makes it where. */
export interface CallFacts extends Pick<ConditionFacts, 'run' | 'at' | 'role' | 'call' | 'shape'> {
  readonly by: Actor
  /** The branch that the caller names; which one judges it follows from that and the run. */
  readonly branch?: string | undefined
}

/** What the conditions of each definition are read with when a call is judged (FC-1). */
export function callFacts(known: CallFacts): (machine?: Machine) => ConditionFacts {
  const { run, by, branch } = known
  return (machine) => {
    if (run === undefined) return { ...known, machine }
    const choice = chooseLane(run, by, branch)
    const frame = framesFor(run, by, branch).findLast((one) => one.machine === machine?.id)
    return { ...known, branch: choice.kind === 'lane' ? choice.name : null, machine, frame }
  }
}

/** What guards are read with besides the frame that they stand in. */
export interface GuardFacts {
  readonly digests: DigestFacts | undefined
  readonly run: RunSnapshot
  readonly at: number
  readonly by: Actor
}

export interface OwnedMarks {
  readonly owner: string
  readonly marks: readonly MachineMark[]
}

/** The values of the variables that these conditions name. */
export function valuesFor(conditions: readonly Condition[], facts: ConditionFacts): Values {
  const values: Record<string, unknown> & { [sealedValues]?: true } = {}
  for (const { reads } of conditions) {
    for (const name of reads.variables) {
      if (name in values) continue
      const value = valueOfVariable(name, facts)
      if (value === undefined) continue
      // Facts were looked at when they were put together.
      const shown = name === 'facts' ? value : sealing(value)
      values[name] = shown
      if (shown !== value || holdsSealedFacts(value)) values[sealedValues] = true
    }
  }
  return values
}

function valueOfVariable(name: string, facts: ConditionFacts): unknown {
  const { run, call, shape, machine, frame } = facts
  switch (name) {
    case 'args':
      // No condition names any where they are left out; null are arguments that are not known.
      return call === undefined || call.args === null ? undefined : (call.args ?? noValues)
    case 'tool':
      return call === undefined ? undefined : (call.listed ?? call.tool)
    case 'server':
      return shape === undefined ? undefined : (shape.ref.server ?? '')
    case 'files':
      return call === undefined ? undefined : filesOf(call)
    case 'shell':
      return shape === undefined ? undefined : shape.isShell ? shellOf(call) : noCommand
    case 'facts':
      return run === undefined || machine === undefined ? undefined : factValues(facts)
    case 'marks':
      return run === undefined ? undefined : markValues(facts)
    case 'context':
      return frame?.context
    case 'task':
      return run === undefined ? undefined : (run.task ?? '')
    case 'state':
      return frame?.state
    case 'run':
      return run === undefined ? undefined : countsOf(run, frame)
    case 'caller':
      return callerOf(facts)
    case 'now':
      return Number.isFinite(facts.at) ? new Date(facts.at) : undefined
    default:
      return undefined
  }
}

const noValues: Readonly<Record<string, unknown>> = {}

/** A command that cannot be read may do anything. */
function shellOf(call: ToolCall | undefined) {
  return call?.shell === undefined ? noValues : shellValues(call.shell, call)
}

function filesOf({ edits, reads, unreadable }: ToolCall): readonly unknown[] | undefined {
  if (unreadable !== undefined || reads === null) return undefined
  const changed = (edits ?? []).map(({ path, op, lines }) => ({
    path,
    op,
    lines,
    // The larger of both is counted; what a file is made of, or loses as a whole, is one of them.
    added: op === 'delete' ? 0 : lines,
    removed: op === 'create' ? 0 : lines,
  }))
  const read = (reads ?? []).map((path) => ({ path, op: 'read', lines: 0, added: 0, removed: 0 }))
  return [...changed, ...read]
}

function countsOf(run: RunSnapshot, frame: Frame | undefined) {
  return {
    transitions: run.transitionCount,
    calls: frame?.counters.iterations ?? 0,
    files: frame?.counters.files.length ?? 0,
    cost_usd: run.costMicros / 1_000_000,
    mails: run.mailsSent,
  }
}

function callerOf({ by, role, branch }: ConditionFacts) {
  if (by === undefined) return undefined
  return { kind: by.kind, role: role ?? '', branch: branch ?? '' }
}

/** Every mark is defined: false until a call has set it (FC-5). */
function markValues({
  run,
  machine,
  owned = [],
}: ConditionFacts): Readonly<Record<string, boolean>> {
  const values: Record<string, boolean> = Object.create(null)
  const add = (owner: string, marks: readonly MachineMark[]) => {
    const set = own(run?.marks, owner)
    for (const { name } of marks)
      values[name] = own(set, name) !== undefined || values[name] === true
  }
  if (machine !== undefined) add(machine.id, machine.marks)
  for (const { owner, marks } of owned) add(owner, marks)
  return values
}

/** What is known of each fact now. One that was not learnt, or has expired, is missing. */
function factValues({ run, machine, call, at }: ConditionFacts): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null)
  let isSealed = false
  const learnt = own(run?.facts, machine?.id ?? '')
  if (learnt === undefined || machine === undefined) return values
  for (const fact of machine.facts) {
    const value = factValue(fact, own(learnt, fact.name), at, call?.seals)
    if (value === undefined) continue
    values[fact.name] = value
    isSealed ||= isSealedRecord(own(learnt, fact.name))
  }
  if (isSealed) sealedFacts.add(values)
  return values
}

function holdsSealedFacts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && sealedFacts.has(value)
}

/** Those that hold something sealed, so that nobody has to look for it again. */
const sealedFacts = new WeakSet<object>()
const sealedRecords = new WeakMap<FactRecord, boolean>()

function isSealedRecord(record: FactRecord | undefined): boolean {
  if (record === undefined) return false
  const known = sealedRecords.get(record)
  if (known !== undefined) return known
  const isSealed = sealing(record.values) !== record.values
  sealedRecords.set(record, isSealed)
  return isSealed
}

function factValue(
  fact: MachineFact,
  record: FactRecord | undefined,
  at: number,
  seals: Readonly<Record<string, string>> | undefined,
): unknown {
  if (record === undefined) return undefined
  const isFresh = (seenAt: number) => fact.expiresMs === null || at < seenAt + fact.expiresMs
  const entries = Object.entries(record.values).filter(([, seen]) => isFresh(seen.at))
  if (entries.length === 0) return undefined
  const unsealed = fact.isPrivate ? unsealing(seals) : undefined
  const isSealed = isSealedRecord(record)
  const read = (value: unknown) =>
    isSealed ? sealing(open(value, unsealed)) : open(value, unsealed)
  if (fact.key === null) return read(entries[0]?.[1].value)
  if (isSealed) {
    return sealedMap(entries.map(([key, { value }]) => [unsealed?.get(key) ?? key, read(value)]))
  }
  const map: Record<string, unknown> = Object.create(null)
  for (const [key, { value }] of entries) {
    map[unsealed?.get(key) ?? key] = read(value)
  }
  return map
}

/** A private value equals an argument of the call when both have the same keyed hash (FC-7). */
function unsealing(seals: Readonly<Record<string, string>> | undefined) {
  return new Map(Object.entries(seals ?? {}).map(([plain, sealed]) => [sealed, plain]))
}

/** Values are hashed as JSON: one that equals an argument has the argument's own type. */
function open(value: unknown, unsealed: ReadonlyMap<string, string> | undefined): unknown {
  const plain = typeof value === 'string' ? unsealed?.get(value) : undefined
  return plain === undefined ? value : JSON.parse(plain)
}
