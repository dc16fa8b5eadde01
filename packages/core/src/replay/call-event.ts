import { own as ownValue } from '../base/own.ts'
import { type CallShape, isFreeCall, shapeOf } from '../decide/call-shape.ts'
import { askPolicy } from '../decide/judge-policies.ts'
import { sessionBudgets } from '../decide/session-budget.ts'
import type { Program } from '../machine/machine.ts'
import { type CompiledPolicy, policyOwner } from '../policy/compile-policy.ts'
import { countersFor } from '../policy/evaluate-policy.ts'
import type { CounterTake, UsageFacts } from '../policy/usage.ts'
import { marksSetBy } from '../reduce/note-call.ts'
import { machinesFor } from '../run/choose-lane.ts'
import { callFacts } from '../run/condition-values.ts'
import type { ToolRequested } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ExternalAnswer } from '../run/tool-call.ts'
import type { Readings } from './readings.ts'
import type { CountedRun, Recount } from './recount.ts'

/** The counters of a program's policies, each as text: those that are alike count alike. */
export function countersOf({ machines }: Program): ReadonlySet<string> {
  const takes = [...machines.values()].flatMap(({ policy, sessionBudget }) => [
    ...(sessionBudget === null ? [] : [sessionBudget]),
    ...(policy === null ? [] : countersOfPolicy(policy)),
  ])
  return new Set(takes.map((take) => JSON.stringify(take)))
}

export function countersOfPolicy({ exact, prefixes }: CompiledPolicy): readonly CounterTake[] {
  return [...[...exact.values()].flat(), ...prefixes].flatMap(({ counters }) => counters)
}

/** What the answers to one call are made with. */
export interface CallPlay {
  readonly rules: Readings
  readonly run: RunSnapshot
  readonly counted: CountedRun
  readonly recount: Recount
  /** Counters of the rules that the run was recorded under. */
  readonly recordedCounters: ReadonlySet<string>
}

/**
 * The event as it would have been under the changed rules: usage of their counters as they are
 * counted here, and the answer of a changed policy in the place of its old one (RP-6, RP-7).
 */
export function callEvent(play: CallPlay, event: ToolRequested): ToolRequested {
  const { rules, run } = play
  const { call, by, branch } = event
  const shape = shapeOf(call)
  const machines = machinesFor(rules.program, run, by, branch)
  const takes = [
    ...machines.flatMap(({ policy }) => (policy === null ? [] : countersFor(policy, shape.asked))),
    ...sessionBudgets(machines).filter((take) => !isUncounted(play, event, take)),
  ]
  const usage = takes.length === 0 ? event.usage : usageOf(play, event, takes, shape)
  const external = rules.policy === null ? event.external : externalOf(play, event, shape)
  const { usage: _, external: __, ...rest } = event
  return {
    ...rest,
    ...(usage === undefined ? {} : { usage }),
    ...(external === undefined || external.length === 0 ? {} : { external }),
  }
}

/** A session budget is read with every call: where it was not, nobody kept count of it (PR-9). */
function isUncounted(
  { recordedCounters }: CallPlay,
  { usage }: ToolRequested,
  take: CounterTake,
): boolean {
  return recordedCounters.has(JSON.stringify(take)) && ownValue(usage, take.key) === undefined
}

/** What was recorded of a counter that has not changed counts other runs too: it is kept. */
function usageOf(
  { counted, recount, recordedCounters }: CallPlay,
  event: ToolRequested,
  takes: readonly CounterTake[],
  { capability }: CallShape,
): UsageFacts {
  const { at } = event
  const recorded = takes.flatMap((take) => {
    const known = ownValue(event.usage, take.key)
    const isSame = known !== undefined && recordedCounters.has(JSON.stringify(take))
    return isSame ? [[take.key, known] as const] : []
  })
  return { ...recount.usage(takes, counted, { at, capability }), ...Object.fromEntries(recorded) }
}

function externalOf(
  { rules, run, counted, recount }: CallPlay,
  event: ToolRequested,
  shape: CallShape,
): readonly ExternalAnswer[] {
  const others = (event.external ?? []).filter(({ source }) => source !== rules.policy?.name)
  const { policy } = rules
  if (policy === null) return others
  const { call, by, at, branch, role, results } = event
  const { capability, asked, ref } = shape
  const usage = recount.usage(countersFor(policy, asked), counted, { at, capability })
  const mode = { strict: run.settings.strict, isFree: isFreeCall(ref, results) }
  const facts = callFacts({ run, at, by, branch, role, call, shape })
  const owned = [{ owner: policyOwner(policy), marks: policy.marks }]
  const marks = marksSetBy(policy.marks, { ...facts(), owned }, { call, shape })
  const answers = askPolicy(policy, asked, usage, mode, () => facts())
  return [
    ...others,
    ...answers.map(({ kind, rule, reasons, takes }): ExternalAnswer => {
      return {
        source: policy.name,
        kind,
        reasons,
        ...(rule === undefined ? {} : { rule }),
        ...(takes.length > 0 ? { takes } : {}),
        ...(marks.length > 0 ? { marks } : {}),
      }
    }),
  ]
}
