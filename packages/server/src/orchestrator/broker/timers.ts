/** The only clockwork: tests bring one that does not wait. */
export interface Timers {
  set(work: () => void, ms: number): () => void
}

const longestMs = 2 ** 31 - 1

export const systemTimers: Timers = {
  set(work, ms) {
    const timer = setTimeout(work, Math.min(Math.max(0, ms), longestMs))
    return () => clearTimeout(timer)
  },
}
