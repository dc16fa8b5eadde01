import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resultCost } from './claude-tools.ts'
import { claudeModelUse } from './claude-transcript.ts'

/** As Claude Code 2.1 writes it, without what is not read. */
const line = {
  parentUuid: 'c09b4616',
  isSidechain: false,
  message: {
    id: 'msg_36',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: {} }],
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4000,
      output_tokens: 25,
      cache_creation: { ephemeral_1h_input_tokens: 100, ephemeral_5m_input_tokens: 200 },
      service_tier: 'standard',
    },
  },
  type: 'assistant',
  timestamp: '2026-11-15T14:02:58.596Z',
}

describe('a line of a transcript', () => {
  test('PR-9b: tells the model, the answer and what it used', () => {
    expect(claudeModelUse(JSON.stringify(line))).toEqual({
      id: 'msg_36',
      model: 'claude-sonnet-4-5',
      at: Date.UTC(2026, 10, 15, 14, 2, 58, 596),
      used: { input: 10, output: 25, cacheRead: 4000, cacheWrite: 200, cacheWriteLong: 100 },
    })
  })

  test.each<[string, unknown]>([
    ['of the person', { type: 'user', message: { usage: {} } }],
    ['without use', { ...line, message: { ...line.message, usage: undefined } }],
    [
      'of the client itself',
      { ...line, message: { ...line.message, model: '<synthetic>', usage: { input_tokens: 0 } } },
    ],
    ['that is only a number', 1],
  ])('PR-9b: %s tells nothing', (_what, value) => {
    expect(claudeModelUse(JSON.stringify(value))).toBeUndefined()
  })

  test('PR-9b: with a count that is none, the others still count', () => {
    const usage = { input_tokens: -5, output_tokens: 7, cache_creation: 'x' }
    const odd = { ...line, message: { ...line.message, usage } }
    expect(claudeModelUse(JSON.stringify(odd))?.used).toEqual({
      input: 0,
      output: 7,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWriteLong: 0,
    })
  })

  test('PR-9b: whatever stands there, reading it does not throw', () => {
    fc.assert(fc.property(fc.string(), (text) => void claudeModelUse(`${text}"usage"`)))
    fc.assert(fc.property(fc.json(), (text) => void claudeModelUse(`{"usage":${text}}`)))
  })
})

test('PR-9: a result tells its cost under _meta.cost_usd, and nothing else counts', () => {
  expect(resultCost({ content: [], _meta: { cost_usd: 0.25 } })).toBe(0.25)
  expect(resultCost({ _meta: { cost_usd: 1e12 } })).toBe(1e12)
  for (const odd of [null, 'x', {}, { _meta: 1 }, { _meta: { cost_usd: -1 } }, { cost_usd: 1 }]) {
    expect(resultCost(odd)).toBeUndefined()
  }
  expect(resultCost({ _meta: { cost_usd: Number.NaN } })).toBeUndefined()
})
