import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { seedOf } from '../length.ts'
import { newRandom } from '../random.ts'

/** The longest that an answer is late; without it nothing stands between page and server. */
const maxLagMs = Number(process.env.STATEWRIGHT_TEST_LAG_MS ?? 0)
const random = newRandom(seedOf(1))

/**
 * A slow network on request: every call of the API is late, on its way there or back, and so is
 * every event of a stream. What is right by luck, in a page or in a test of it, then shows.
 */
export async function addLag(context: BrowserContext): Promise<void> {
  if (!(maxLagMs > 0)) return
  await context.addInitScript(lateStreams(random.below(maxLagMs)))
  await context.route(/\/api\//, async (route) => {
    const lagMs = random.below(maxLagMs)
    const isStream = route.request().resourceType() === 'eventsource'
    try {
      if (isStream || random.chance(0.5)) {
        await wait(lagMs)
        await route.continue()
        return
      }
      const response = await route.fetch({ maxRetries: 0 })
      await wait(lagMs)
      await route.fulfill({ response })
    } catch {
      // The page has gone on, or the server is down: the page sees a connection that broke.
      await route.abort().catch(() => {})
    }
  })
}

/** A script for the page: events keep their order, and none comes after the stream was closed. */
function lateStreams(lagMs: number): string {
  return `
    window.EventSource = class extends EventSource {
      addEventListener(name, listener) {
        super.addEventListener(name, (event) => setTimeout(() => {
          if (this.readyState !== EventSource.CLOSED) listener(event)
        }, ${lagMs}))
      }
      set onopen(listener) { this.addEventListener('open', listener) }
      set onmessage(listener) { this.addEventListener('message', listener) }
    }
  `
}
