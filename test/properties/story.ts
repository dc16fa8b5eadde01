import {
  type Entry,
  hasEnded,
  type JsonObject,
  type RunEvent,
  type RunSnapshot,
  type RunStarted,
  reduceRun,
  type Step,
  startRun,
} from '@statewright/core/internal'
import fc from 'fast-check'
import { digestsAtStart, eventFor, type Intent, intent, type Outside, timeAfter } from './events.ts'
import { choice, deepFreeze } from './pick.ts'
import { build, type World, writtenWorld } from './world.ts'

/** One step of a run: what it stood at, what came, what followed. */
export interface Taken {
  readonly before: RunSnapshot
  readonly event: RunEvent
  readonly step: Step
}

/** A run from its start over every event that came. */
export interface Story {
  readonly world: World
  readonly started: { readonly event: RunStarted; readonly step: Step }
  readonly taken: readonly Taken[]
  readonly entries: readonly Entry[]
  readonly last: RunSnapshot
}

export interface Plan {
  readonly strict: boolean
  readonly locked: boolean
  readonly intents: readonly Intent[]
}

export const plan: fc.Arbitrary<Plan> = fc.record({
  strict: choice.map((by) => by % 8 === 7),
  locked: choice.map((by) => by % 5 === 4),
  intents: fc.array(intent, { minLength: 1, maxLength: 60, size: 'max' }),
})

/** A world and what happens in it. Failures print it, and `storyOf` tells it again. */
export interface Scenario {
  readonly written: readonly JsonObject[]
  readonly plan: Plan
}

export const scenario: fc.Arbitrary<Scenario> = fc.record({ written: writtenWorld, plan })

/** The whole run of a scenario. It is driven inside a property, so that a fault shrinks. */
export function storyOf({ written, plan }: Scenario): Story {
  return tell(build(written), plan)
}

/** Events that an ended run still gets; more of them would only repeat what they show. */
const maxAfterEnd = 5

/** Drives a run from its start to the end of the plan. */
export function tell(world: World, { strict, locked, intents }: Plan): Story {
  const { hash } = world.program
  const by = { kind: 'person', id: 'ann' } as const
  const settings = { hash, strict, locked, digests: digestsAtStart }
  const event = deepFreeze({ type: 'started', at: 1000, by, ...settings } as const)
  const step = deepFreeze(startRun(world.program, event))
  const taken: Taken[] = []
  const entries = [...step.entries]
  let last = step.run
  let outside: Outside = { at: 1000, count: 0, callIds: [], approvalIds: [], requested: [] }
  let afterEnd = 0
  for (const chosen of intents) {
    if (hasEnded(last.status) && ++afterEnd > maxAfterEnd) break
    outside = { ...outside, at: timeAfter(outside.at, chosen), count: outside.count + 1 }
    const next = take(world, last, eventFor(world, last, chosen, outside))
    taken.push(next)
    entries.push(...next.step.entries)
    last = next.step.run
    outside = remember(outside, next)
  }
  return { world, started: { event, step }, taken, entries, last }
}

/** One step; what goes in and comes out is frozen, so that changing it in place throws. */
export function take(world: World, before: RunSnapshot, event: RunEvent): Taken {
  return { before, event, step: deepFreeze(reduceRun(world.program, before, deepFreeze(event))) }
}

function remember(outside: Outside, { event, step }: Taken): Outside {
  const callIds = event.type === 'tool_requested' ? [event.call.id] : []
  const needsApproval = step.answer.type === 'decided' && step.answer.decision.kind === 'ask'
  const requested = needsApproval && event.type === 'tool_requested' ? [event.call] : []
  const opened = step.actions.flatMap((one) =>
    one.type === 'open_approval' ? [one.approvalId] : [],
  )
  return {
    ...outside,
    callIds: [...outside.callIds, ...callIds].slice(-6),
    approvalIds: [...outside.approvalIds, ...opened].slice(-6),
    requested: [...requested, ...outside.requested].slice(0, 3),
  }
}
