const tries = 3
/** What takes less is measured as this long: a pause of the machine would weigh more than the work. */
const leastMs = 20

/**
 * Whether work grows with its size and no faster: at eight times the size it takes less than 24
 * times as long (quadratic work takes 64). Both are measured here and now, and the quickest try
 * counts, so that a busy machine makes no difference.
 */
export function growsLinearly(work: (size: number) => void, size: number): boolean {
  const smallMs = Math.max(
    leastMs,
    quickestMs(() => work(Math.ceil(size / 8)), 0),
  )
  return quickestMs(() => work(size), smallMs * 24) < smallMs * 24
}

/** Of some tries; no more are made once one is quick enough. */
function quickestMs(work: () => void, enoughMs: number): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let made = 0; made < tries && quickest >= enoughMs; made++) {
    const start = performance.now()
    work()
    quickest = Math.min(quickest, performance.now() - start)
  }
  return quickest
}
