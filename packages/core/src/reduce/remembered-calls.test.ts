import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import type { CallRecord } from '../run/snapshot.ts'
import { findCall, rememberCall } from './remembered-calls.ts'

function call(id: string, status: CallRecord['status']): CallRecord {
  return {
    ...{ id, tool: 'Read', argsHash: id, caller: 'agent', branch: null, visit: 1, status },
    ...{ files: [], shellFiles: [], counted: [], evidence: [], mails: 0, capability: 'Read' },
  }
}

const steps = array(
  record({
    // A step may go on from any list so far: a decision that lost a race is made again.
    from: integer({ min: 0, max: 40 }),
    id: integer({ min: 0, max: 900 }),
    status: constantFrom<CallRecord['status']>('open', 'open', 'open', 'open', 'done'),
    count: integer({ min: 1, max: 120 }),
  }),
  { minLength: 1, maxLength: 30 },
)

test('WF-32a: a call is found just where a plain look through the list finds it', () => {
  const check = property(steps, integer({ min: 0, max: 1100 }), (all, wanted) => {
    const lists: (readonly CallRecord[])[] = [[]]
    for (const { from, id, status, count } of all) {
      let calls = lists[Math.max(0, lists.length - 1 - from)] ?? []
      for (let at = 0; at < count; at++) {
        findCall(calls, `c${wanted}`)
        calls = rememberCall(calls, call(`c${id + at}`, status))
        expect(calls.length).toBeLessThanOrEqual(limits.openCalls)
      }
      lists.push(calls)
    }
    for (const calls of lists) {
      for (const id of [`c${wanted}`, calls[0]?.id ?? 'c0', calls.at(-1)?.id ?? 'c0']) {
        expect(findCall(calls, id)).toBe(calls.find((one) => one.id === id))
      }
    }
  })
  assert(check, { numRuns: 60 })
})
