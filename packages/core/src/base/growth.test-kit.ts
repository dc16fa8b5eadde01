/** Time that the work took from the processor: what others do on a busy machine does not count. */
interface Clock {
  threadCpuUsage(): { readonly user: number; readonly system: number }
}

const tries = 3
/** What takes less counts as this long: a pause of the machine would weigh more than the work. */
const leastMs = 20

/**
 * Whether work grows with its size and no faster: at eight times the size it takes less than 24
 * times as long (quadratic work takes 64). Both are measured here and now, and the quickest try
 * counts.
 */
export function growsLinearly(clock: Clock, size: number, work: (size: number) => void): boolean {
  const smallMs = Math.max(
    leastMs,
    quickestMs(clock, 0, () => work(Math.ceil(size / 8))),
  )
  return quickestMs(clock, smallMs * 24, () => work(size)) < smallMs * 24
}

/** Of some tries; no more are made once one is quick enough. */
function quickestMs(clock: Clock, enoughMs: number, work: () => void): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let made = 0; made < tries && quickest >= enoughMs; made++) {
    const start = msOf(clock)
    work()
    quickest = Math.min(quickest, msOf(clock) - start)
  }
  return quickest
}

function msOf(clock: Clock): number {
  const { user, system } = clock.threadCpuUsage()
  return (user + system) / 1000
}
