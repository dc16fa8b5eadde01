import type { PinnedConfig } from './pinned.ts'

const everyMs = 1000

/** Takes over what other nodes on the same store decide; ends with the function it gives back. */
export function followConfig(
  pinned: Pick<PinnedConfig, 'follow'>,
  onFault: (fault: unknown) => void,
): () => void {
  const timer = setInterval(() => void pinned.follow().catch(onFault), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
