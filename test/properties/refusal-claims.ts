import assert from 'node:assert/strict'
import { brief, type JsonObject, limits, runView } from '@statewright/core/internal'
import type { Story, Taken } from './story.ts'

export function refusalKeepsSnapshot({ taken }: Story): void {
  for (const { before, step } of taken) {
    if (step.refusal === undefined) continue
    assert.equal(step.run, before, 'a refused event gives back the very same snapshot')
    assert.equal(step.actions.length, 0)
    assert.deepEqual(
      step.entries.map((entry) => entry.type),
      ['refused'],
    )
  }
}

export function denialKeepsSnapshot({ taken }: Story): void {
  for (const one of taken) {
    const { before, step } = one
    if (step.answer.type !== 'decided' || step.answer.decision.kind !== 'deny') continue
    assert.ok(step.answer.decision.reasons.length > 0, 'a denial has a reason')
    assert.ok(step.answer.decision.code !== undefined, 'a denial has a code')
    if (!assumedSome(one)) assert.deepEqual(step.run, before)
  }
}

/** Whether a call of the same caller was taken for finished in this step. */
function assumedSome({ before, step }: Taken): boolean {
  const open = new Set(before.calls.filter((one) => one.status === 'open').map((one) => one.id))
  return step.run.calls.some((one) => one.status === 'assumed' && open.has(one.id))
}

export function viewsAreDrawn({ world, taken }: Story): void {
  for (const { event, step } of taken) {
    const text = brief(world.program, step.run, event.by)
    assert.ok(text.length <= limits.briefLength + 1, 'a brief is bounded')
    const view = runView(world.program, step.run, { kind: 'agent', id: 'sub' })
    assert.equal(JSON.stringify(JSON.parse(JSON.stringify(view))), JSON.stringify(view))
  }
}

export function prototypeIsUntouched({ last }: Story): void {
  assert.ok(!('polluted' in (last.main.frames[0]?.context ?? {})))
  assert.equal(({} as JsonObject).polluted, undefined)
  assert.deepEqual(Object.keys(Object.prototype), [])
}

/** Text of an agent comes back in our answers only so far: they are read by agents and people. */
export function messagesAreBounded({ taken }: Story): void {
  for (const { step } of taken) {
    const output = step.answer.type === 'decided' ? step.answer.decision.reasons : []
    const messages = [step.refusal?.message ?? '', ...output.map((reason) => reason.message)]
    for (const message of messages) {
      assert.ok(message.length <= limits.messageLength, `${message.length} characters`)
    }
  }
}
