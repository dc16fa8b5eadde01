import assert from 'node:assert/strict'
import { hasEnded, type RunSnapshot } from '@statewright/core/internal'
import type { Frame } from '../../packages/core/src/run/snapshot.ts'
import { agentTools, isOneOf } from './calls.ts'
import { capabilityOf, verdictOf } from './policy-oracle.ts'
import { spotOf } from './spots.ts'
import type { Story, Taken } from './story.ts'
import { faultOf } from './tool-oracle.ts'

/** A call that was judged and let through in this very step. */
interface Allowed extends Taken {
  readonly event: Extract<Taken['event'], { type: 'tool_requested' }>
}

function* allowed({ taken }: Story): Generator<Allowed> {
  for (const one of taken) {
    const { before, event, step } = one
    if (event.type !== 'tool_requested' || step.answer.type !== 'decided') continue
    if (step.answer.decision.kind !== 'allow') continue
    const isOwn = event.call.toUs === true && event.call.tool === 'statewright_transition'
    const isRepeated = before.calls.some((call) => call.id === event.call.id)
    if (!isOwn && !isRepeated) yield { before, event, step }
  }
}

/** A parent may start workers for its fork, whatever the state says (WF-25). */
function startsWorker({ event, step }: Allowed): boolean {
  const isBound = step.run.fork?.branches.some((one) => one.boundTo === event.by.id) === true
  return isOneOf(agentTools, event.call.tool) && step.run.fork !== null && !isBound
}

/** Only calls change nothing but counters, so that a call stood where its caller stands after. */
export function listedToolsOnly(story: Story): void {
  for (const one of allowed(story)) {
    const { event, step } = one
    const { run } = step
    const { settings, status } = run
    assert.notEqual(status, 'blocked', 'a blocked run lets nothing through')
    if (hasEnded(status)) assert.ok(!settings.strict, 'in strict mode no run means no tools')
    if (status === 'paused') assert.ok(!settings.strict && !settings.locked, 'paused and held')
    if (status !== 'running' && status !== 'waiting') continue
    if (startsWorker(one)) continue
    const spot = spotOf(run, event.by, event.branch)
    assert.ok(spot !== null, 'who has no branch has no tools')
    assert.notEqual(spot.lane.approval?.kind, 'checkpoint', 'a checkpoint waits for a person')
    const definition = story.world.workflows.get(spot.frame.machine)
    const state = definition?.states[spot.frame.state]
    if (state === undefined) continue
    assert.equal(faultOf(state, event.call, settings.strict), null)
    const { counters } = spot.frame
    assert.ok(counters.iterations <= (state.max_iterations ?? Infinity), 'one call too many')
    assert.ok(counters.files.length <= (state.max_files_per_state ?? Infinity), 'one file too many')
    for (const { path } of event.call.edits ?? []) assert.ok(counters.files.includes(path))
    assert.ok(counters.bytes < (state.context_budget_bytes ?? Infinity), 'no bytes are left')
  }
}

/** WF-8, counted anew: calls in one visit of a state. Resuming begins the count again (WF-27). */
export function iterationsAreCounted(story: Story): void {
  const calls = new Map<number, number>()
  const passed = new Map([...allowed(story)].map((one) => [one.event, one]))
  for (const { event, step } of story.taken) {
    if (event.type === 'resumed' && step.refusal === undefined)
      for (const frame of liveFrames(step.run)) calls.delete(visitOf(frame))
    const one = event.type === 'tool_requested' ? passed.get(event) : undefined
    if (one === undefined || !['running', 'waiting'].includes(step.run.status)) continue
    // Workers that a parent starts while others work its fork count where the parent waits.
    const frame = spotOf(step.run, event.by, one.event.branch)?.frame ?? step.run.main.frames.at(-1)
    if (frame === undefined) continue
    const count = (calls.get(visitOf(frame)) ?? 0) + 1
    calls.set(visitOf(frame), count)
    assert.equal(frame.counters.iterations, count)
    const state = story.world.workflows.get(frame.machine)?.states[frame.state]
    if (!startsWorker(one)) assert.ok(count <= (state?.max_iterations ?? Infinity), 'one too many')
  }
}

function liveFrames(run: RunSnapshot): Frame[] {
  const lanes = [run.main, ...(run.fork?.branches ?? []).map((branch) => branch.lane)]
  return lanes.flatMap((lane) => lane.frames.at(-1) ?? [])
}

function visitOf(frame: Frame): number {
  return frame.counters.visit
}

export function policiesHold(story: Story): void {
  const approvals = approvalsOf(story)
  for (const one of allowed(story)) {
    const { event, step } = one
    const { call, external = [] } = event
    assert.ok(!external.some((answer) => answer.kind === 'deny'), 'another judge denies')
    const isEnforced = step.run.status === 'running' || step.run.status === 'waiting'
    const spot = isEnforced ? spotOf(step.run, event.by, event.branch) : null
    const isFree = Object.values(event.usage ?? {}).every((usage) => usage.free)
    const facts = { isFree, strict: step.run.settings.strict }
    const outside = one.step.run.main.frames.map(({ machine }) => machine)
    const machines = isEnforced ? (spot?.machines ?? outside) : []
    const verdict = verdictOf(story.world, machines, call.tool, facts)
    assert.notEqual(verdict, 'deny', `a policy denies ${capabilityOf(call.tool)}`)
    for (const machine of machines) {
      const max = story.world.processes.get(machine)?.session_budget_usd ?? Infinity
      assert.ok(step.run.costMicros < max * 1_000_000, 'the budget is spent')
    }
    const needsApproval = verdict === 'ask' || external.some((answer) => answer.kind === 'ask')
    if (needsApproval) approvals.use(event, `${call.tool} ${call.argsHash}`)
  }
}

/** Approvals that persons gave: each serves one call with the same arguments (PO-7). */
function approvalsOf({ taken }: Story) {
  const order = new Map(taken.map(({ event }, index) => [event, index]))
  const given = taken.flatMap(({ before, event, step }, index) => {
    if (event.type !== 'approval_resolved' || step.answer.type !== 'approval_ended') return []
    if (step.answer.verdict !== 'approved' || event.by.kind !== 'person') return []
    const asks = before.asks.filter((ask) => ask.id === event.approvalId)
    const call = `${asks[0]?.tool} ${asks[0]?.argsHash}`
    return [{ index, call, always: event.always === true, used: false }]
  })
  return {
    use(event: Taken['event'], call: string): void {
      const now = order.get(event) ?? 0
      const before = given.filter((one) => one.index < now)
      if (before.some((one) => one.always)) return
      const fitting = before.find((one) => one.call === call && !one.used)
      assert.ok(fitting !== undefined, 'a call that must be asked about passes once per approval')
      fitting.used = true
    },
  }
}
