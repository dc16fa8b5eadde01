import assert from 'node:assert/strict'
import type { RunSnapshot, WorkflowDefinition } from '@statewright/core/internal'
import type {
  GuardedTransition,
  TransitionDefinition,
} from '../../packages/core/src/definition/workflow-schema.ts'
import { needsPerson, passesAll } from './guard-oracle.ts'
import { type Spot, spotOf } from './spots.ts'
import type { Story, Taken } from './story.ts'

type Move = Extract<Taken['event'], { type: 'transition_requested' }>

/** WF-16 … WF-22: where an event leads, computed anew from the definition. */
export function eventsLeadWhereWritten({ world, taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (event.type !== 'transition_requested' || event.event.startsWith('BRANCH_')) continue
    if (before.status !== 'running' && before.status !== 'waiting') continue
    if (step.entries.some(({ type }) => type === 'interrupted')) continue
    if (step.refusal?.code === 'reserved_key' || step.refusal?.code === 'context_too_large')
      continue
    const spot = spotOf(before, event.by, event.branch)
    if (spot === null) {
      assert.ok(step.refusal !== undefined, 'who has no branch cannot move')
      continue
    }
    const definition = world.workflows.get(spot.frame.machine)
    if (definition === undefined) continue
    assert.equal(answerOf({ before, event, step }), expected(definition, spot, event))
  }
}

function expected(definition: WorkflowDefinition, spot: Spot, event: Move): string {
  if (spot.lane.approval !== null) return 'approval_pending'
  const state = definition.states[spot.frame.state]
  const on = state?.on ?? {}
  const transition = Object.hasOwn(on, event.event) ? on[event.event] : undefined
  if (transition === undefined) {
    return state?.safe_next === undefined ? 'unknown_event' : `to ${state.safe_next}`
  }
  const candidates = candidatesOf(transition)
  if (candidates === null) return 'started'
  const { frame } = spot
  const chosen = candidates.find((one) => passesAll(definition, one, frame, event.digests))
  if (chosen === undefined) return 'no candidate'
  if (chosen.target === '$return' && frame.interrupt === null) return 'no_return'
  const needsApproval = chosen.requires_approval === true && definition.meta?.approval_mode === 'ui'
  if (needsApproval || needsPerson(definition, chosen, frame, event.digests)) return 'parked'
  return `to ${chosen.target === '$return' ? frame.interrupt?.returnTo : chosen.target}`
}

/** The candidates of a move; null for a fork or a child, which have no guards. */
function candidatesOf(transition: TransitionDefinition): readonly GuardedTransition[] | null {
  if (typeof transition === 'string') return [{ target: transition }]
  if (Array.isArray(transition)) return transition
  return 'target' in transition ? [transition] : null
}

function answerOf({ step }: Taken): string {
  const code = step.refusal?.code
  if (code === 'guard_failed' || code === 'no_candidate' || code === 'evidence_missing') {
    return 'no candidate'
  }
  if (code === 'fork_in_branch' || code === 'invoke_too_deep') return 'started'
  if (code !== undefined) return code
  const [first] = step.entries
  if (first?.type === 'forked' || first?.type === 'invoked') return 'started'
  if (first?.type === 'approval_opened') return 'parked'
  return first?.type === 'transitioned' ? `to ${first.to}` : 'nothing'
}

/** WF-17: data merges shallowly over the context, and only when the event moved the run. */
export function dataMergesAfterMove({ taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (event.type !== 'transition_requested' || event.event.startsWith('BRANCH_')) continue
    if (step.entries.length !== 1 || step.entries[0]?.type !== 'transitioned') continue
    const spot = spotOf(before, event.by, event.branch)
    const now = spotOf(step.run, event.by, event.branch)
    const merged = { ...spot?.frame.context, ...event.data }
    assert.deepEqual(now?.frame.context, merged)
  }
}

/** WF-22: what waits for a person moves only by a person's word, or is withdrawn. */
export function onlyPersonsApprove({ taken }: Story): void {
  for (const { before, event, step } of taken) {
    const gone = pending(before).filter((id) => !pending(step.run).includes(id))
    for (const id of gone) {
      const closed = step.actions.find(
        (action) => action.type === 'close_approval' && action.approvalId === id,
      )
      const verdict = closed?.type === 'close_approval' ? closed.verdict : 'none'
      if (verdict === 'withdrawn') continue
      assert.equal(event.type, 'approval_resolved', 'only a verdict ends an approval')
      if (verdict === 'approved') assert.equal(event.by.kind, 'person')
      assert.notEqual(event.by.kind, 'agent')
    }
    const isMove = step.entries.some(({ type }) => type === 'transitioned')
    if (event.type === 'approval_resolved' && isMove) assert.equal(event.by.kind, 'person')
  }
}

function pending(run: RunSnapshot): string[] {
  const lanes = [run.main, ...(run.fork?.branches ?? []).map((branch) => branch.lane)]
  return lanes.flatMap(({ approval }) => approval?.id ?? [])
}
