import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import type { CallRecord } from '../run/snapshot.ts'
import { findCall, openEdits, rememberCall } from './remembered-calls.ts'

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

test('WF-28: an open edit is found however the list came about', () => {
  const step = record({
    edits: boolean(),
    isOpen: boolean(),
    count: integer({ min: 1, max: 100 }),
    finishesFirst: boolean(),
    looks: boolean(),
  })
  const check = property(array(step, { minLength: 1, maxLength: 12 }), (all) => {
    let calls: readonly CallRecord[] = []
    for (const [at, { edits, isOpen, count, finishesFirst, looks }] of all.entries()) {
      for (let one = 0; one < count; one++) {
        const isEdit = edits && one % 40 === 0
        const made = call(`${at}.${one}`, isOpen ? 'open' : 'done')
        calls = rememberCall(calls, isEdit ? { ...made, files: ['a.ts'] } : made)
        if (looks) openEdits(calls)
      }
      if (finishesFirst)
        calls = calls.map((one, index) => (index > 0 ? one : { ...one, status: 'done' }))
      const plain = calls.filter((one) => one.status === 'open' && one.files.length > 0)
      expect(openEdits(calls)).toEqual(plain)
    }
  })
  assert(check, { numRuns: 100 })
})
