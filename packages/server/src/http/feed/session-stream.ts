import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionBroker } from '../../orchestrator/broker/session-broker.ts'
import { Bell } from './bell.ts'

export const mostSessionReaders = 1000

const pageSize = 200
/** A burst of pieces is read at once instead of one by one. */
const gatherMs = 5
const heartbeatMs = 15_000

/**
 * What a session told, as server-sent events with their names. A reader that is slow costs no
 * memory: nothing is read from the store before it has taken what came before.
 */
export function sessionStream(reading: {
  readonly broker: SessionBroker
  readonly sessionId: string
  /** Place of the last update that was seen. */
  readonly after: number
  /** Asked now and then: a revoked token's stream ends. */
  readonly stillCounts: () => Promise<boolean>
  readonly signal: AbortSignal
}): ReadableStream<Uint8Array> {
  const { broker, sessionId, signal } = reading
  const encoder = new TextEncoder()
  const bell = new Bell()
  let place = reading.after
  let leave = () => {}

  const nextText = async (): Promise<string | undefined> => {
    while (!signal.aborted) {
      bell.reset()
      const page = await broker.updates(sessionId, place, pageSize)
      place = page.at(-1)?.place ?? place
      if (page.length > 0) {
        return page
          .map(({ place: at, channel, body }) => `id: ${at}\nevent: ${channel}\ndata: ${body}\n\n`)
          .join('')
      }
      if (await bell.rungWithin(heartbeatMs, signal)) await sleep(gatherMs)
      else if (signal.aborted || !(await reading.stillCounts())) return undefined
      else return ': still here\n\n'
    }
    return undefined
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      leave = broker.watch(sessionId, () => bell.ring())
    },
    async pull(controller) {
      const text = await nextText()
      if (text !== undefined) return controller.enqueue(encoder.encode(text))
      leave()
      controller.close()
    },
    cancel() {
      leave()
      bell.ring()
    },
  })
}
