import assert from 'node:assert/strict'
import type { Entry } from '@statewright/core/internal'
import type { Story } from './story.ts'

export function forksJoinOnce({ entries }: Story): void {
  let isForked = false
  let open = new Set<string>()
  for (const entry of entries) {
    switch (entry.type) {
      case 'forked':
        assert.ok(!isForked, 'no fork opens within another')
        isForked = true
        open = new Set(entry.branches)
        break
      case 'branch_ended':
        assert.ok(open.delete(entry.branch ?? ''), 'a branch ends once')
        break
      case 'joined':
        assert.ok(isForked && open.size === 0, 'a fork joins once, after all its branches')
        isForked = false
        break
      case 'forced':
        isForked = false
        break
      case 'refused':
      case 'call_finished':
        // These may name a branch that is over: a refusal says so, a result may come late.
        break
      default:
        if (entry.branch === undefined) break
        // What waited in a branch that a force left behind is withdrawn after it.
        if (!isForked && isWithdrawal(entry)) break
        assert.ok(
          isForked && open.has(entry.branch),
          `${entry.type} happens in a branch that is open`,
        )
    }
  }
}

function isWithdrawal(entry: Entry): boolean {
  return entry.type === 'approval_resolved' && entry.verdict === 'withdrawn'
}

export function forkStandsUntilJoin({ taken }: Story): void {
  let isOpen = false
  for (const { step } of taken) {
    for (const { type } of step.entries) {
      if (type === 'forked') isOpen = true
      if (type === 'joined' || type === 'forced') isOpen = false
    }
    assert.equal(step.run.fork !== null, isOpen, 'a fork stands between its beginning and its join')
  }
}

export function parentStandsStill({ taken }: Story): void {
  for (const { before, step } of taken) {
    if (before.fork === null || step.run.fork === null) continue
    const stood = before.main.frames.map(({ machine, state }) => `${machine}.${state}`)
    const stands = step.run.main.frames.map(({ machine, state }) => `${machine}.${state}`)
    assert.deepEqual(stands, stood, 'the parent waits where it forked')
  }
}

export function endedBranchStays({ taken }: Story): void {
  for (const { before, step } of taken) {
    for (const branch of before.fork?.branches ?? []) {
      if (branch.status === 'running' || branch.status === 'pending') continue
      const now = step.run.fork?.branches.find((one) => one.name === branch.name)
      if (now === undefined) continue
      assert.equal(now.status, branch.status)
      const states = (lane: typeof branch.lane) => lane.frames.map((frame) => frame.state)
      assert.deepEqual(states(now.lane), states(branch.lane))
    }
  }
}
