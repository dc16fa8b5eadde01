import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints, requestFor } from '@statewright/core/wire'
import type { Remote } from './remote-ask.ts'
import { serverEvents } from './server-events.ts'
import { type ApprovalStatus, StatewrightError, type WaitOptions } from './statewright.ts'

const defaultWaitMs = 5 * 60_000
const firstPauseMs = 250
const longestPauseMs = 5000

/**
 * Waits by the feed of the server until an approval is answered. The approval is looked at when the
 * feed stands, so that no answer falls between the two; a feed that breaks is opened again.
 */
export async function waitOnFeed(
  { ask, open }: Remote,
  approvalId: string,
  { timeoutMs = defaultWaitMs, signal }: WaitOptions,
): Promise<ApprovalStatus> {
  const over = AbortSignal.timeout(timeoutMs)
  const end = signal === undefined ? over : AbortSignal.any([over, signal])
  const look = async () => (await ask(endpoints.getApproval, { params: { id: approvalId } })).status
  const first = await look()
  if (first !== 'waiting' || end.aborted) return first
  for (let pauseMs = firstPauseMs; !end.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      const feed = await open(requestFor(endpoints.readFeed, { query: {} }), end)
      for await (const status of statuses(feed, approvalId, look)) {
        if (status !== 'waiting') return status
        pauseMs = firstPauseMs
      }
    } catch (fault) {
      if (!isGone(fault) && !end.aborted) throw fault
    }
    await sleep(pauseMs, undefined, { signal: end }).catch(() => {})
  }
  return look()
}

/** How the approval stands when the feed begins, and after whatever the feed says of it. */
async function* statuses(
  feed: ReadableStream<Uint8Array> | null,
  approvalId: string,
  look: () => Promise<ApprovalStatus>,
): AsyncGenerator<ApprovalStatus> {
  yield await look()
  for await (const { data } of serverEvents(feed)) {
    if (data.includes(approvalId)) yield await look()
  }
}

/** A server that is started again is waited for; any other fault is told. */
function isGone(fault: unknown): boolean {
  return fault instanceof StatewrightError && fault.code === 'server_unreachable'
}
