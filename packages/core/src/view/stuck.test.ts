import { describe, expect, test } from 'vitest'
import type { Entry } from '../run/entries.ts'
import { stuckOn } from './stuck.ts'

let clock = 0
const denied = (tool: string, code: 'tool_not_allowed' | 'shell_write'): Entry => ({
  type: 'call_decided',
  at: ++clock,
  call_id: 'c',
  tool,
  state: 'planning',
  decision: 'deny',
  code,
  reasons: [],
})
const allowed: Entry = {
  type: 'call_decided',
  at: 1,
  call_id: 'c',
  tool: 'Read',
  state: 'planning',
  decision: 'allow',
  reasons: [],
}
const moved: Entry = {
  type: 'transitioned',
  at: 1,
  from: 'a',
  to: 'b',
  event: 'GO',
  by: 'agent',
}
const notice: Entry = { type: 'notice', at: 1, text: 'x' }

describe('an agent is stuck', () => {
  test('after the same denial three times, whatever is noted in between', () => {
    const edits = [1, 2, 3].flatMap(() => [denied('Edit', 'tool_not_allowed'), notice])
    const first = edits[0]?.at
    expect(stuckOn(edits.slice(0, 3))).toBe(null)
    expect(stuckOn(edits)).toEqual({
      tool: 'Edit',
      code: 'tool_not_allowed',
      times: 3,
      since: first,
    })
  })

  test.each([
    ['a call that was let through', allowed],
    ['a move', moved],
    ['another tool', denied('Write', 'tool_not_allowed')],
    ['another reason', denied('Edit', 'shell_write')],
  ])('no longer after %s', (_, between) => {
    const edit = () => denied('Edit', 'tool_not_allowed')
    expect(stuckOn([edit(), edit(), between, edit()])).toBe(null)
    expect(stuckOn([edit(), edit(), edit(), between])).toBe(null)
  })
})
