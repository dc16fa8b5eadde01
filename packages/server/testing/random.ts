/** Chance that repeats itself: the same seed gives the same choices on every machine. */
export interface Random {
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32: small, quick, and good enough to choose productions by. */
export function newRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
