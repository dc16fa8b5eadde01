import type { Activity, ActivitySlot } from '@statewright/core/wire'
import { describe, expect, test } from 'vitest'
import { niceCeil, stuckSentence, sumsOf, tookWords } from './activity-words.ts'

const slot = (part: Partial<ActivitySlot>): ActivitySlot => ({
  at: 0,
  allowed: 0,
  passed: 0,
  asked: 0,
  denied: 0,
  transitioned: 0,
  refused: 0,
  cost_usd: 0,
  approval_wait_ms: null,
  ...part,
})

const activity = (part: Partial<Activity>): Activity => ({
  from: 0,
  to: 1,
  slot_ms: 3_600_000,
  slots: [],
  denials: { rules: [], codes: [], places: [], tools: [] },
  approvals: {
    opened: 0,
    approved: 0,
    rejected: 0,
    expired: 0,
    waiting: 0,
    median_ms: null,
    slow_ms: null,
  },
  ...part,
})

describe('activity in words', () => {
  test('says where agents get stuck, and when nobody is', () => {
    expect(stuckSentence(activity({}))).toBe('No agent made a call in this period.')
    expect(stuckSentence(activity({ slots: [slot({ allowed: 1 })] }))).toContain(
      'no agent is stuck',
    )
    const some = activity({
      slots: [slot({ allowed: 3, denied: 1 })],
      denials: {
        rules: [],
        codes: [],
        places: [{ workflow: 'fix', state: 'plan\u202e', count: 1, run_id: 'r' }],
        tools: [{ tool: 'Edit', code: 'tool_not_allowed', count: 1, run_id: 'r' }],
      },
    })
    expect(stuckSentence(some)).toBe(
      '25% of calls were denied. Most of these are in the state plan\\u{202e} of fix (1 denial); ' +
        'the most frequent one is Edit (tool_not_allowed).',
    )
    expect(sumsOf(some)).toMatchObject({ calls: 4, denied: 1 })
  })

  test('tells times in the unit that people would use', () => {
    expect([null, 5, 1500, 90_000, 5_400_000].map(tookWords)).toEqual([
      '–',
      '5 ms',
      '1.5 s',
      '2 min',
      '1.5 h',
    ])
  })

  test('an axis ends at a number that people like', () => {
    expect([0, 0.3, 1, 1.2, 3, 7, 30, 101].map(niceCeil)).toEqual([1, 0.5, 1, 2, 5, 10, 50, 200])
  })
})
