import { describe, expect, test } from 'vitest'
import { UnnamedCalls } from './unnamed-calls.ts'

describe('calls that their client gives no id', () => {
  test('what is asked twice has two ids, and each gets one result', () => {
    const calls = new UnnamedCalls()
    const first = calls.ask('d', 1)
    const second = calls.ask('d', 1)
    expect(first).not.toBe(second)
    expect([calls.finish('d'), calls.finish('d')]).toEqual([second, first])
    expect(calls.finish('d')).toBeUndefined()
  })

  test('a result belongs to the newest call: an older one was turned away', () => {
    const calls = new UnnamedCalls()
    calls.ask('d', 1)
    const newest = calls.ask('d', 2)
    expect(calls.finish('d')).toBe(newest)
  })

  test('a denied call has no result, and a rewritten one comes back under its new input', () => {
    const calls = new UnnamedCalls()
    const denied = calls.ask('d', 1)
    calls.forget('d', denied)
    expect(calls.finish('d')).toBeUndefined()
    const rewritten = calls.ask('d', 1)
    calls.forget('d', rewritten)
    calls.await('e', rewritten)
    expect([calls.finish('d'), calls.finish('e')]).toEqual([undefined, rewritten])
  })

  test('what never ends is forgotten in the end', () => {
    const calls = new UnnamedCalls()
    for (let number = 0; number < 6000; number++) calls.ask(`d${number}`, 1)
    expect(calls.finish('d0')).toBeUndefined()
    expect(calls.finish('d5999')).toBeDefined()
  })
})
