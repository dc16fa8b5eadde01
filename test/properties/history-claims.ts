import assert from 'node:assert/strict'
import { reduceRun, replay, startRun } from '@statewright/core/internal'
import type { Story } from './story.ts'

/** A value as a store gives it back. */
export function revived<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

const text = JSON.stringify

export function replayGivesSnapshot({ world, entries, last }: Story): void {
  const replayed = replay(world.program, revived(entries))
  assert.ok(replayed.ok, replayed.ok ? '' : `${replayed.problem} at ${replayed.index}`)
  assert.equal(text(replayed.run), text(last))
}

export function changesLeaveEntries({ taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (step.entries.length === 0) assert.deepEqual(step.run, before, 'a change leaves an entry')
    else assert.equal(step.entries[0]?.cause, event)
    assert.ok(step.entries.slice(1).every((entry) => entry.cause === undefined))
  }
}

export function revivingChangesNothing({ world, taken }: Story): void {
  for (const { before, event, step } of taken) {
    const again = reduceRun(world.program, revived(before), revived(event))
    assert.equal(text(again), text(step))
  }
}

export function sameInputSameBytes({ world, started, taken }: Story): void {
  assert.equal(text(startRun(world.program, started.event)), text(started.step))
  for (const { before, event, step } of taken) {
    assert.equal(text(reduceRun(world.program, before, event)), text(step))
  }
}
