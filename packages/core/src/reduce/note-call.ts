import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import { holds, readsResult } from '../condition/condition.ts'
import type { MachineMark } from '../condition/rules.ts'
import { type CallShape, teaches, touches } from '../decide/call-shape.ts'
import type { Machine } from '../machine/machine.ts'
import { policyOwner } from '../policy/compile-policy.ts'
import { machinesFor } from '../run/choose-lane.ts'
import { type ConditionFacts, callFacts, valuesFor } from '../run/condition-values.ts'
import type { ToolRequested } from '../run/events.ts'
import type { LaneName } from '../run/lanes.ts'
import type { CallRecord, FactRecord, RunSnapshot } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { type Draft, record } from './draft.ts'

/** What a record of a call keeps for the rules that read its result. */
export type NotedCall = Pick<CallRecord, 'args' | 'teaches' | 'fires' | 'mayFire'>

const nothing: NotedCall = {}

/**
 * What a call does to facts and marks the moment it is let through: facts are forgotten and marks
 * set before it runs, whatever becomes of it (FC-4, FC-5).
 */
export function noteCall(draft: Draft<ToolRequested>, lane: LaneName, shape: CallShape): NotedCall {
  const { program, run, event } = draft
  const machines = machinesFor(program, run, event.by, event.branch)
  const policies = event.external?.filter(({ marks }) => marks !== undefined) ?? []
  if (policies.length === 0 && machines.every(hasNone)) return nothing
  const { at, by, role, call, branch } = event
  const facts = callFacts({ run, at, by, role, branch, call, shape })
  for (const { owner, marks } of setBy(machines, facts, { call, shape })) {
    setAll(draft, owner, marks, lane)
  }
  for (const { source: name, marks = [] } of policies) {
    setAll(draft, policyOwner({ name }), marks, lane)
  }
  forget(draft, machines, shape, lane)
  const noted = {
    ...taught(draft, machines, shape),
    ...firing(draft, machines, facts, shape),
  }
  const { args } = call
  const isRead = noted.teaches !== undefined || noted.mayFire !== undefined
  return isRead && args !== undefined ? { ...noted, args } : noted
}

function hasNone({ facts, marks, interrupts, policy }: Machine): boolean {
  const isQuiet = facts.length === 0 && marks.length === 0 && (policy?.marks.length ?? 0) === 0
  return isQuiet && interrupts.every(({ tools, when }) => tools === null && when === null)
}

function setBy(
  machines: readonly Machine[],
  facts: (machine: Machine) => ConditionFacts,
  asked: { readonly call: ToolCall; readonly shape: CallShape },
): readonly { readonly owner: string; readonly marks: readonly string[] }[] {
  return machines.flatMap((machine) => {
    const known = facts(machine)
    const own = { owner: machine.id, marks: marksSetBy(machine.marks, known, asked) }
    const { policy } = machine
    if (policy === null || policy.marks.length === 0) return [own]
    const owner = policyOwner(policy)
    const owned = [{ owner, marks: policy.marks }]
    return [own, { owner, marks: marksSetBy(policy.marks, { ...known, owned }, asked) }]
  })
}

/** Marks that a call sets. One whose condition is not known to be false is set (FC-6). */
export function marksSetBy(
  marks: readonly MachineMark[],
  facts: ConditionFacts,
  { call, shape }: { readonly call: ToolCall; readonly shape: CallShape },
): readonly string[] {
  return marks
    .filter(({ on }) => touches(on, call, shape))
    .filter(({ when }) => when === null || holds(when, valuesFor([when], facts)) !== false)
    .map(({ name }) => name)
}

function setAll(
  draft: Draft<ToolRequested>,
  owner: string,
  names: readonly string[],
  lane: LaneName,
): void {
  const known = own(draft.run.marks, owner)
  const fresh = names.filter((name) => own(known, name) === undefined)
  if (fresh.length === 0) return
  const { at, call } = draft.event
  const set = Object.fromEntries(fresh.map((name) => [name, { callId: call.id, at }]))
  draft.run = { ...draft.run, marks: { ...draft.run.marks, [owner]: { ...known, ...set } } }
  record(draft, { type: 'marked', definition: owner, marks: fresh, call_id: call.id }, lane)
}

/** A call that makes a fact wrong clears it; who asked before teaches it no more (FC-4). */
function forget(
  draft: Draft<ToolRequested>,
  machines: readonly Machine[],
  shape: CallShape,
  lane: LaneName,
): void {
  const { call, at } = draft.event
  for (const machine of machines) {
    const names: string[] = []
    for (const { name, forgetOn } of machine.facts) {
      if (forgetOn === null) continue
      if (!touches(forgetOn, call, shape) && !editsByShell(forgetOn, call)) continue
      const known = factRecord(draft.run, machine.id, name)
      const open = maxOpenCalls([...(known.open ?? []), { callId: call.id, at }])
      if (Object.keys(known.values).length > 0) names.push(name)
      setFact(draft, machine.id, name, { values: {}, epoch: known.epoch + 1, open })
    }
    if (names.length === 0) continue
    record(draft, { type: 'forgot', definition: machine.id, facts: names, call_id: call.id }, lane)
  }
}

/** Of git: what leaves the files as they are. */
const keepsFiles = /^(?:commit|add|push|fetch|tag|branch|config|remote|notes|gc)$/

/** A list that names edits means a command that visibly writes files, or has git do it. */
function editsByShell(list: ToolList, { shell }: ToolCall): boolean {
  if (shell === undefined) return false
  if (!allowsTool(list, { tool: 'Edit' }) && !allowsTool(list, { tool: 'Write' })) return false
  return shell.writes.some(({ how, command }) => {
    if (how !== 'state') return true
    const [program, ...words] = shell.commands[command ?? -1]?.words ?? []
    const verb = words.find((word) => word !== null && !word.startsWith('-'))
    return program === 'git' && !keepsFiles.test(verb ?? '')
  })
}

type OpenForgets = NonNullable<FactRecord['open']>

/** One past the bound is awaited as long as any, since nobody will know when it ends. */
function maxOpenCalls(open: OpenForgets): OpenForgets {
  const [oldest, next, ...rest] = open
  if (open.length <= limits.openCalls || oldest === undefined || next === undefined) return open
  return [{ callId: '', at: Math.max(oldest.at, next.at) }, ...rest]
}

/** Calls under way that make a fact wrong. One whose end was never told counts for a while. */
export function openForgets({ open = [] }: FactRecord, at: number) {
  return open.filter((one) => at < one.at + limits.forgetOpenMs)
}

/** What the result may teach: nothing where a call that makes it wrong is under way (FC-4). */
function taught(
  draft: Draft<ToolRequested>,
  machines: readonly Machine[],
  shape: CallShape,
): Pick<NotedCall, 'teaches'> {
  const { call, at } = draft.event
  const all: Record<string, Record<string, number>> = {}
  for (const machine of machines) {
    for (const { name, from } of machine.facts) {
      if (!teaches(from, call, shape)) continue
      const known = factRecord(draft.run, machine.id, name)
      if (openForgets(known, at).some(({ callId }) => callId !== call.id)) continue
      all[machine.id] = { ...all[machine.id], [name]: known.epoch }
    }
  }
  return Object.keys(all).length === 0 ? {} : { teaches: all }
}

/** Interrupts that the call itself decides; those that read its result wait for that. */
function firing(
  { event }: Draft<ToolRequested>,
  machines: readonly Machine[],
  facts: (machine: Machine) => ConditionFacts,
  shape: CallShape,
): Pick<NotedCall, 'fires' | 'mayFire'> {
  const fires: Record<string, string[]> = {}
  const mayFire: Record<string, string[]> = {}
  for (const machine of machines) {
    for (const { name, tools, when } of machine.interrupts) {
      if (tools === null && when === null) continue
      if (tools !== null && !touches(tools, event.call, shape)) continue
      if (when !== null && readsResult(when)) {
        mayFire[machine.id] = [...(mayFire[machine.id] ?? []), name]
        continue
      }
      if (when !== null && holds(when, valuesFor([when], facts(machine))) === false) continue
      fires[machine.id] = [...(fires[machine.id] ?? []), name]
    }
  }
  return {
    ...(Object.keys(fires).length === 0 ? {} : { fires }),
    ...(Object.keys(mayFire).length === 0 ? {} : { mayFire }),
  }
}

const unlearnt: FactRecord = { values: {}, epoch: 0 }

export function factRecord(run: RunSnapshot, machine: string, fact: string): FactRecord {
  return own(own(run.facts, machine), fact) ?? unlearnt
}

export function setFact(draft: Draft, machine: string, fact: string, next: FactRecord): void {
  const { open, ...rest } = next
  const kept = open === undefined || open.length === 0 ? rest : { ...rest, open }
  const known = own(draft.run.facts, machine)
  const facts = { ...draft.run.facts, [machine]: { ...known, [fact]: kept } }
  draft.run = { ...draft.run, facts }
}
