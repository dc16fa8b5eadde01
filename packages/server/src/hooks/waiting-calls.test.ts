import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../base/caller.ts'
import { WaitingCalls } from './waiting-calls.ts'

const caller: Caller = { tokenId: 't1', kind: 'agent', role: 'default', name: 'x' }
const call = { tool: 'statewright_transition', input: { event: 'READY' } }
const use = (session: string) => ({ client: 'gemini', session })
const announced = (session: string, process?: string) => ({
  callId: `call-${session}`,
  use: use(session),
  process,
})
const found = (session: string) => ({
  kind: 'found',
  use: use(session),
  callId: `call-${session}`,
})
const several = { kind: 'several', callIds: ['call-a', 'call-b'] }
const nobody = () => []

let now = 0
let waiting: WaitingCalls

beforeEach(() => {
  now = 0
  waiting = new WaitingCalls(() => now)
})

describe('an MCP call that carries no id', () => {
  test('finds the session that announced the very same call, once', () => {
    waiting.add(caller, call, announced('a'))
    expect(waiting.take(caller, call, nobody)).toEqual(found('a'))
    expect(waiting.take(caller, call, nobody)).toEqual({ kind: 'none' })
  })

  test('is another with another token, tool or input', () => {
    waiting.add(caller, call, announced('a'))
    const none = { kind: 'none' }
    expect(waiting.take({ ...caller, tokenId: 't2' }, call, nobody)).toEqual(none)
    expect(waiting.take(caller, { ...call, tool: 'other' }, nobody)).toEqual(none)
    expect(waiting.take(caller, { ...call, input: {} }, nobody)).toEqual(none)
  })

  test('is never guessed between two sessions, but told apart by their processes', () => {
    waiting.add(caller, call, announced('a', '10@1'))
    waiting.add(caller, call, announced('b', '20@1'))
    expect(waiting.take(caller, call, nobody)).toEqual(several)
    expect(waiting.take(caller, call, () => ['99@1', '30@1'])).toEqual(several)
    expect(waiting.take(caller, call, () => ['99@1', '20@1'])).toEqual(found('b'))
    expect(waiting.take(caller, call, nobody)).toEqual(found('a'))
  })

  test('is not told apart by a process that has two sessions', () => {
    waiting.add(caller, call, announced('a', '10@1'))
    waiting.add(caller, call, announced('b', '10@1'))
    expect(waiting.take(caller, call, () => ['10@1'])).toEqual(several)
  })

  test('comes at once: an old announcement belongs to something else', () => {
    waiting.add(caller, call, announced('a'))
    now = 60_001
    expect(waiting.take(caller, call, nobody)).toEqual({ kind: 'none' })
  })
})
