import type { ModelPrice } from './model-price.ts'

/**
 * What model makers charged in November 2026, in USD for a million tokens. It is data: a user's
 * `prices` come before it, and a model that stands in neither is reported, never free (PR-9).
 */
export const priceList: Readonly<Record<string, ModelPrice>> = {
  ...claude(10, 50, { read: 0.25 }, ['fable-5-1', 'mythos-5-1']),
  ...claude(10, 50, { read: 1 }, ['fable-5', 'mythos-5']),
  ...claude(4, 20, { read: 0.2 }, ['opus-5-5']),
  ...claude(5, 25, { read: 0.5 }, ['opus-5', 'opus-4-8', 'opus-4-7', 'opus-4-6', 'opus-4-5']),
  ...claude(15, 75, { read: 1.5 }, ['opus-4-1', 'opus-4', '3-opus']),
  ...claude(2, 10, { read: 0.1 }, ['sonnet-5-5']),
  ...claude(2, 10, { read: 0.2 }, ['sonnet-5']),
  ...claude(3, 15, { read: 0.3 }, ['sonnet-4-6', 'sonnet-4-5', 'sonnet-4', '3-7-sonnet']),
  ...claude(1, 5, { read: 0.1 }, ['haiku-4-5']),
  ...claude(0.8, 4, { read: 0.08 }, ['3-5-haiku']),
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cache_read: 0.01,
    cache_write: 0.125,
    cache_write_long: 0.2,
    long: {
      above_tokens: 100_000,
      input: 0.5,
      output: 2.5,
      cache_read: 0.05,
      cache_write: 0.625,
      cache_write_long: 1,
    },
  },
  'gpt-6.1-sol': { input: 2, output: 10, cache_read: 0.1 },
  'gpt-5.4': { input: 2.5, output: 15, cache_read: 0.25 },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cache_read: 0.075 },
  'gpt-5.2': { input: 1.75, output: 14, cache_read: 0.175 },
  'gpt-5.1': { input: 1.25, output: 10, cache_read: 0.125 },
  'gpt-5.1-codex': { input: 1.25, output: 10, cache_read: 0.125 },
  'gpt-5': { input: 1.25, output: 10, cache_read: 0.125 },
  'gpt-5-codex': { input: 1.25, output: 10, cache_read: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cache_read: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cache_read: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cache_read: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cache_read: 0.1 },
  'gpt-4o': { input: 2.5, output: 10, cache_read: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cache_read: 0.075 },
  'gemini-2.5-pro': {
    input: 1.25,
    output: 10,
    cache_read: 0.125,
    long: { above_tokens: 200_000, input: 2.5, output: 15, cache_read: 0.25 },
  },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cache_read: 0.03 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cache_read: 0.01 },
}

/** Anthropic's cache is written at 1.25 times the input's price, for an hour at twice of it. */
function claude(
  input: number,
  output: number,
  { read }: { readonly read: number },
  models: readonly string[],
): Record<string, ModelPrice> {
  const price: ModelPrice = {
    input,
    output,
    cache_read: read,
    cache_write: input * 1.25,
    cache_write_long: input * 2,
  }
  return Object.fromEntries(models.map((model) => [`claude-${model}`, price]))
}
