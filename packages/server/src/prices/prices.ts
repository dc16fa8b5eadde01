import { err, ok, own, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { ModelPrice, PriceTable, TokenPrice } from './model-price.ts'
import { priceList } from './price-list.ts'

export type { ModelPrice, PriceTable, TokenPrice }

/** What one request to a model used. The counts do not overlap: `input` is what no cache served. */
export interface TokenUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly cacheWriteLong?: number
}

/**
 * What a request cost, in whole micro-dollars, a fraction rounded up. A model whose price nobody
 * told is a problem that the caller must report: a guess of zero would make a budget a decoration.
 */
export function costOfUsage(
  model: string,
  usage: TokenUsage,
  ownPrices: PriceTable = {},
): Result<number, RuntimeProblem> {
  const price = priceOf(model, ownPrices)
  if (price === undefined) {
    const named = model.slice(0, 200)
    const next = `add it to the configuration: prices: {"${named}": {input: …, output: …}}.`
    return err(
      problem('unknown_model', `The price of the model "${named}" is not known.`, { next }),
    )
  }
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWriteLong = 0 } = usage
  const prompt = input + cacheRead + cacheWrite + cacheWriteLong
  const { long } = price
  const tier: TokenPrice = long !== undefined && prompt > long.above_tokens ? long : price
  const write = tier.cache_write ?? tier.input
  // A million tokens at one dollar: the price of one token is so many micro-dollars.
  const micros =
    input * tier.input +
    output * tier.output +
    cacheRead * (tier.cache_read ?? tier.input) +
    cacheWrite * write +
    cacheWriteLong * (tier.cache_write_long ?? write)
  return ok(wholeMicros(micros))
}

/**
 * The price of a model: the user's own word first, then the list that came with us. Within each
 * the exact name counts before its plain form, and that before a name with a star at its end.
 */
export function priceOf(model: string, ownPrices: PriceTable = {}): ModelPrice | undefined {
  const names = [...new Set([model, plainName(model)])]
  for (const table of [ownPrices, priceList]) {
    for (const name of names) {
      const exact = own(table, name)
      if (exact !== undefined) return exact
    }
    for (const name of names) {
      const wide = longestStar(table, name)
      if (wide !== undefined) return wide
    }
  }
  return undefined
}

/**
 * The model's own name, without who serves it and the day it was made: the same model is called
 * `anthropic/claude-opus-5`, `claude-opus-5@20260724` or, with a region and a version around it,
 * `us.anthropic.claude-opus-5-20260724-v1:0`.
 */
function plainName(model: string): string {
  const last = model.toLowerCase().split('/').at(-1) ?? ''
  return last
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google)\./, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/\[[0-9a-z]+\]$/, '')
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, '')
}

function longestStar(table: PriceTable, name: string): ModelPrice | undefined {
  let best: string | undefined
  for (const key of Object.keys(table)) {
    if (!key.endsWith('*') || !name.startsWith(key.slice(0, -1))) continue
    if (best === undefined || key.length > best.length) best = key
  }
  return best === undefined ? undefined : own(table, best)
}

/** Rounded up, but not by the dust that adding decimal fractions leaves behind. */
function wholeMicros(micros: number): number {
  if (!Number.isFinite(micros) || micros > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return Math.max(0, Math.ceil(Number(micros.toFixed(6))))
}
