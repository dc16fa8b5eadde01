import { describe, expect, test } from 'vitest'
import { duration } from '../../model/words/words.ts'
import { turnWords } from './turns.ts'

describe('a turn', () => {
  test('SE-17: says what it took, and leaves out what nobody counted', () => {
    const usage = { startedAtMs: 1000, requests: 3, costUsd: 0, inputTokens: 0, outputTokens: 0 }
    const item = { kind: 'turn', id: '1000', usage, endedAtMs: 3500 } as const
    expect(turnWords(item)).toBe('2.5 s · 3 requests')
    const counted = { ...usage, requests: 1, costUsd: 0.052, inputTokens: 6880, outputTokens: 430 }
    expect(turnWords({ ...item, usage: counted })).toBe('2.5 s · 1 request · 7,310 tokens · $0.05')
  })

  test('is timed in the unit that people would use', () => {
    expect([0, 9_940, 61_000, 185_000, 7_500_000].map(duration)).toEqual([
      '0 ms',
      '9.9 s',
      '61 s',
      '3 min 5 s',
      '2 h 5 min',
    ])
  })
})
