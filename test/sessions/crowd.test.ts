import { afterAll, beforeAll, expect, test } from 'vitest'
import { quantile } from '../../bench/measure.ts'
import { runCrowd } from '../../bench/session-crowd.ts'
import { lengthOf, longestMs } from '../support/length.ts'
import { SessionPlace } from './session-kit.ts'

const place = new SessionPlace()

beforeAll(async () => {
  place.file('note.txt', 'a note\n')
  await place.boot()
}, longestMs)
afterAll(() => place.close())

async function idleHealth(url: string): Promise<number[]> {
  const took: number[] = []
  for (let count = 0; count < 100; count++) {
    const before = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    took.push(performance.now() - before)
  }
  return took
}

/** A few are enough to find what keeps the thread to itself. */
const sessions = lengthOf({ sample: 50, long: 500 })

test(
  `SE-14: ${sessions} sessions at once leave the server quick and its memory bounded`,
  async () => {
    const { url, pid, person_token: token = '' } = place.server
    // What an idle server needs here and now: the machine may be busy with other things.
    const idle = quantile(await idleHealth(url), 0.99)
    const crowd = await runCrowd({ url, pid, token, project: place.project }, sessions)
    expect(crowd.failed).toBe(0)
    expect(crowd.events).toBeGreaterThan(sessions * 90)
    expect(quantile(crowd.healthMs, 0.99)).toBeLessThan(100 + 10 * idle)
    expect((crowd.mostBytes ?? 0) / 1024 / 1024).toBeLessThan(1024)
  },
  longestMs,
)
