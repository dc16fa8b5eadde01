import { describe, expect, test } from 'vitest'
import { costOfUsage, priceOf } from './prices.ts'

const opus = { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25, cache_write_long: 10 }

describe('PR-9a: what a model costs', () => {
  test.each([
    'claude-opus-5',
    'anthropic/claude-opus-5',
    'claude-opus-5-20260724',
    'claude-opus-5@20260724',
    'us.anthropic.claude-opus-5-20260724-v1:0',
    'claude-opus-5[1m]',
    'Claude-Opus-5',
  ])('PR-9a: %s has the price of claude-opus-5', (model) => {
    expect(priceOf(model)).toEqual(opus)
  })

  test('PR-9a: tokens of each kind have their own price, and a fraction is rounded up', () => {
    const usage = {
      input: 1_000_000,
      output: 100_000,
      cacheRead: 10_000,
      cacheWrite: 1,
      cacheWriteLong: 1,
    }
    const cost = costOfUsage('claude-opus-5', usage)
    expect(cost).toEqual({ ok: true, value: 5_000_000 + 2_500_000 + 5_000 + 7 + 10 })
  })

  test('PR-9a: dust of decimal fractions makes nothing dearer', () => {
    const prices = { mine: { input: 0.1, output: 0.2 } }
    expect(costOfUsage('mine', { input: 10, output: 10 }, prices)).toEqual({ ok: true, value: 3 })
  })

  test('PR-9a: a prompt over the mark costs what long prompts cost, caches included', () => {
    const at = (cacheRead: number) =>
      costOfUsage('gemini-2.5-pro', { input: 100_000, output: 0, cacheRead })
    expect(at(100_000)).toEqual({ ok: true, value: 125_000 + 12_500 })
    expect(at(100_001)).toEqual({ ok: true, value: 250_000 + 25_001 })
  })

  test('PR-9a: a price of the user comes first, the most exact of them', () => {
    const prices = {
      'claude-*': { input: 1, output: 1 },
      'claude-opus-*': { input: 2, output: 2 },
      'local-*': { input: 0, output: 0 },
    }
    const one = { input: 1_000_000, output: 0 }
    expect(costOfUsage('claude-opus-5', one, prices)).toEqual({ ok: true, value: 2_000_000 })
    expect(costOfUsage('claude-haiku-4-5', one, prices)).toEqual({ ok: true, value: 1_000_000 })
    expect(costOfUsage('gpt-5', one, prices)).toEqual({ ok: true, value: 1_250_000 })
    expect(costOfUsage('local-7b', one, prices)).toEqual({ ok: true, value: 0 })
  })

  test.each(['gpt-99', 'claude-opus-5-turbo', 'constructor', '__proto__', ''])(
    'PR-9a: %j is not known, and that is told instead of a cost of nothing',
    (model) => {
      const cost = costOfUsage(model, { input: 1, output: 1 })
      expect(cost).toMatchObject({ ok: false, error: { code: 'unknown_model' } })
    },
  )
})
