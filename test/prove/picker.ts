/** A source of choices that a seed fixes. */
export type Pick = <Item>(items: readonly Item[]) => Item

export function picker(seed: number): Pick {
  let state = (seed * 2654435761 + 12345) >>> 0
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    state ^= state >>> 13
    return state >>> 0
  }
  for (let at = 0; at < 5; at++) next()
  return (items) => {
    const item = items[next() % items.length]
    // Nobody picks from an empty list.
    return item as (typeof items)[number]
  }
}
