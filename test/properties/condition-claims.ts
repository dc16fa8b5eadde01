import assert from 'node:assert/strict'
import type { RunSnapshot } from '@statewright/core/internal'
import type { Story } from './story.ts'

/** FC-1, FC-5: nothing that can happen to a run takes a mark back. */
export function marksStay({ taken }: Story): void {
  for (const { before, step } of taken) {
    for (const [owner, marks] of Object.entries(before.marks ?? {})) {
      for (const [name, set] of Object.entries(marks)) {
        assert.deepEqual(step.run.marks?.[owner]?.[name], set, `${owner} lost ${name}`)
      }
    }
  }
}

/** FC-2: a fact comes from an observed result of one call that succeeded, and from nothing else. */
export function factsAreLearnt({ taken }: Story): number {
  let learnt = 0
  for (const { before, event, step } of taken) {
    for (const id of known(step.run)) {
      if (known(before).has(id)) continue
      assert.ok(event.type === 'tool_finished', `${event.type} taught ${id}`)
      assert.deepEqual([event.source, event.exit], ['observed', 'success'])
      const call = before.calls.find((one) => one.id === event.callId)
      assert.ok(call?.tool === 'Read' || call?.tool === 'read_file', `${call?.tool} taught`)
      learnt += 1
    }
  }
  return learnt
}

/** FC-1: what the definition at the bottom requires holds wherever its run stands. */
export function conditionsHold({ taken }: Story): number {
  let judged = 0
  for (const { before, event, step } of taken) {
    if (event.type !== 'tool_requested' || step.answer.type !== 'decided') continue
    const root = before.main.frames[0]?.machine ?? ''
    const isMeant =
      ['mcp__fs__write', 'WebFetch'].includes(event.call.tool) && before.status === 'running'
    const isRepeated = before.calls.some(({ id }) => id === event.call.id)
    if (!isMeant || isRepeated || before.marks?.[root]?.worked === undefined) continue
    assert.notEqual(step.answer.decision.kind, 'allow', 'a mark that is set closes')
    judged += 1
  }
  return judged
}

function known({ facts = {} }: RunSnapshot): ReadonlySet<string> {
  const ids = Object.keys(facts)
  return new Set(ids.filter((id) => Object.keys(facts[id]?.seen?.values ?? {}).length > 0))
}
