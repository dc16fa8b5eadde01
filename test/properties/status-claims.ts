import assert from 'node:assert/strict'
import { hasEnded, type RunSnapshot } from '@statewright/core/internal'
import type { Story } from './story.ts'

export function waitsWhenAllWait({ taken }: Story): void {
  for (const { step } of taken) {
    const { status } = step.run
    if (status !== 'running' && status !== 'waiting') continue
    assert.equal(status, everyLaneWaits(step.run) ? 'waiting' : 'running')
  }
}

export function endedRunsRest({ taken }: Story): void {
  for (const { before, step } of taken) {
    if (!hasEnded(before.status)) continue
    assert.equal(step.run.status, before.status)
    assert.deepEqual(positions(step.run), positions(before))
    assert.equal(step.run.transitionCount, before.transitionCount)
  }
}

export function runsEndOnce({ started, taken, last }: Story): void {
  let hasEnd = hasEnded(started.step.run.status)
  for (const { step } of taken) {
    for (const entry of step.entries) {
      if (hasEnd) assert.ok(afterwards.has(entry.type), `${entry.type} after the end`)
      if (entry.type !== 'run_ended') continue
      assert.equal(entry.status, step.run.status)
      hasEnd = true
    }
  }
  assert.equal(hasEnd, hasEnded(last.status))
}

/** What may still be said of a run that is over. Policies from outside go on asking. */
const afterwards: ReadonlySet<string> = new Set([
  // Calls that pass after the end still set marks, which policies of the run go on reading.
  'marked',
  'forgot',
  'learnt',
  'refused',
  'call_decided',
  'call_finished',
  'cost_reported',
  'notice',
  'approval_opened',
  'approval_resolved',
])

export function pausedRunsStay({ taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (before.status !== 'paused' || step.run.status === 'paused') continue
    const isMeant = ['resumed', 'forced', 'stopped'].includes(event.type)
    assert.ok(isMeant || hasEnded(step.run.status), `${event.type} does not wake a paused run`)
  }
}

/** What is opened is closed at most once; what waits was opened and not closed. */
export function approvalsCloseOnce({ taken }: Story): void {
  const open = new Set<string>()
  for (const { step } of taken) {
    for (const action of step.actions) {
      if (action.type === 'open_approval') open.add(action.approvalId)
      if (action.type === 'close_approval') {
        assert.ok(open.delete(action.approvalId), 'an approval closes once')
      }
    }
    for (const id of waitingIds(step.run)) assert.ok(open.has(id), 'what waits is open')
  }
}

/** No question may be put that nobody can answer. */
export function verdictsAreHeard({ taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (event.type !== 'approval_resolved' || event.by.kind !== 'person') continue
    if (!waitingIds(before).includes(event.approvalId)) continue
    assert.equal(step.refusal, undefined, 'a person who is asked is heard')
    const isLate = expiryOf(before, event.approvalId) <= event.at
    const verdict = step.answer.type === 'approval_ended' ? step.answer.verdict : 'moved'
    if (isLate) assert.ok(!['approved', 'moved'].includes(verdict), 'a late approval is none')
    assert.ok(!waitingIds(step.run).includes(event.approvalId), 'what was answered waits no more')
  }
}

function expiryOf(run: RunSnapshot, id: string): number {
  const ask = run.asks.find((one) => one.id === id && one.status === 'waiting')
  const parked = lanes(run).find(({ lane }) => lane.approval?.id === id)?.lane.approval
  return ask?.expiresAt ?? parked?.expiresAt ?? Infinity
}

export function snapshotIsPlain({ taken }: Story): void {
  for (const { step } of taken) {
    const text = JSON.stringify(step.run)
    assert.deepEqual(JSON.parse(text), step.run)
    assert.ok(text.length < 100_000, `a snapshot of ${text.length} bytes`)
  }
}

export function countsOnlyGrow({ taken }: Story): void {
  for (const { before, step } of taken) {
    assert.ok(step.run.costMicros >= before.costMicros, 'what was spent stays spent')
    assert.ok(step.run.transitionCount >= before.transitionCount)
    assert.ok(step.run.visits >= before.visits)
  }
}

function lanes(run: RunSnapshot) {
  const branches = run.fork?.branches ?? []
  return [{ name: null, lane: run.main }, ...branches.map(({ name, lane }) => ({ name, lane }))]
}

function waitingIds(run: RunSnapshot): string[] {
  const asks = run.asks.filter((ask) => ask.status === 'waiting').map((ask) => ask.id)
  if (hasEnded(run.status)) return asks
  return [...asks, ...lanes(run).flatMap(({ lane }) => lane.approval?.id ?? [])]
}

function everyLaneWaits(run: RunSnapshot): boolean {
  if (run.fork === null) return run.main.approval !== null
  const unfinished = run.fork.branches.filter(
    ({ status }) => status === 'running' || status === 'pending',
  )
  return unfinished.every(({ lane }) => lane.approval !== null)
}

/** Where each place of execution stands, and with what. */
function positions(run: RunSnapshot): unknown {
  return lanes(run).map(({ name, lane }) => [
    name,
    lane.frames.map(({ machine, state, context }) => [machine, state, context]),
  ])
}
