import {
  type Actor,
  askPolicy,
  type CallCapabilities,
  type CallShape,
  type CompiledPolicy,
  type ConditionFacts,
  type CounterTake,
  callFacts,
  countersFor,
  isFreeCall,
  type Machine,
  machinesFor,
  marksSetBy,
  own,
  type PolicyAnswer,
  policyOwner,
  sessionBudgets,
  shapeOf,
  type ToolCall,
  type UsageFacts,
} from '@statewright/core/internal'
import { type UsedOf, usedOf } from '../base/used-of.ts'
import { budgetOf } from '../runtime/dispatch.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import { type CallScope, type PolicySet, policiesFor } from '../runtime/policies.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Which call the policies are asked about. */
export interface PolicyQuestion {
  readonly call: PolicyCall
  readonly scope: CallScope
  readonly by: Actor
  readonly at: number
  /** The run that judges it, whose definitions may carry policies of their own. */
  readonly live: LiveRun | undefined
  readonly branch?: string | undefined
}

/** A call in the words of policies: what it is called, what it does, and whether it may cost. */
export interface PolicyCall {
  readonly capability: string
  readonly capabilities: CallCapabilities
  readonly isFree: boolean
  /** It is no call but a request to a model (PO-9). */
  readonly isModel?: boolean
  /** The call itself, for conditions; left out where only its capability is known. */
  readonly made?: { readonly call: ToolCall; readonly shape: CallShape }
}

export function policyCall(call: ToolCall, results?: 'observed'): PolicyCall {
  const shape = shapeOf(call)
  const { capability, asked: capabilities, ref } = shape
  return { capability, capabilities, isFree: isFreeCall(ref, results), made: { call, shape } }
}

/** What one policy says of the call, and how far its limits are used. */
export interface PolicyWord {
  readonly policy: CompiledPolicy
  readonly answer: PolicyAnswer
  readonly used: readonly UsedOf[]
  /** The usage that its answer was made with, by the keys of its counters. */
  readonly usage: UsageFacts
  /** Marks of its own that the call would set (FC-8). */
  readonly marks: readonly string[]
}

export interface PolicyWords {
  /** Of the definitions that the run stands in. */
  readonly defined: readonly PolicyWord[]
  /** Of project and role. */
  readonly attached: readonly PolicyWord[]
  /** How far the session budgets of the run's definitions are used (PR-9). */
  readonly session: UsageFacts
}

/** Asks every policy that holds for a call: for a decision, and for whoever wants it explained. */
export async function askAllPolicies(
  { store, settings }: Runtime,
  set: PolicySet,
  { call, scope, by, at, live, branch }: PolicyQuestion,
): Promise<PolicyWords> {
  const { capability, capabilities, isFree, isModel = false } = call
  const attached = policiesFor(set, scope).map(({ compiled }) => compiled)
  const machines = live === undefined ? [] : machinesFor(live.program, live.snapshot, by, branch)
  const defined = machines.flatMap(({ policy }) => policy ?? [])
  const budgets = sessionBudgets(machines)
  const counters = [...defined, ...attached].flatMap((policy) => {
    return countersFor(policy, capabilities, { isModel })
  })
  const takes = [...counters, ...budgets]
  const session = live === undefined ? '' : budgetOf(live)
  const { role } = scope
  const usage =
    takes.length === 0 ? {} : await store.counters.usage(takes, { role, session, at, capability })
  // In strict mode what no rule names is denied, unless the author wrote otherwise.
  const mode = { strict: live?.snapshot.settings.strict ?? settings.strict, isFree, isModel }
  const factsIn = callFacts({ at, by, role, branch, run: live?.snapshot, ...call.made })
  const ask = (policy: CompiledPolicy, machine?: Machine): PolicyWord[] => {
    const facts = () => factsIn(machine)
    const marks = machine === undefined ? marksOf(policy, facts, call) : []
    return askPolicy(policy, capabilities, usage, mode, facts).map((answer) => {
      return { policy, answer, marks, ...usageOf(answer, usage) }
    })
  }
  return {
    defined: machines.flatMap((machine) =>
      machine.policy === null ? [] : ask(machine.policy, machine),
    ),
    attached: attached.flatMap((policy) => ask(policy)),
    session: only(usage, budgets),
  }
}

function marksOf(
  policy: CompiledPolicy,
  facts: () => ConditionFacts,
  { made }: PolicyCall,
): readonly string[] {
  if (made === undefined || policy.marks.length === 0) return []
  const owned = [{ owner: policyOwner(policy), marks: policy.marks }]
  return marksSetBy(policy.marks, { ...facts(), owned }, made)
}

function usageOf(
  { counters }: PolicyAnswer,
  usage: UsageFacts,
): Pick<PolicyWord, 'used' | 'usage'> {
  const facts = only(usage, counters ?? [])
  const used = (counters ?? []).flatMap((take) => {
    const known = own(facts, take.key)
    return known === undefined ? [] : [usedOf(take, known)]
  })
  return { used, usage: facts }
}

function only(usage: UsageFacts, takes: readonly CounterTake[]): UsageFacts {
  const known = takes.flatMap(({ key }) => {
    const facts = own(usage, key)
    return facts === undefined ? [] : [[key, facts] as const]
  })
  return Object.fromEntries(known)
}
