import { afterAll, beforeAll, expect, test } from 'vitest'
import { quantile } from '../../bench/measure.ts'
import { runCrowd } from '../../bench/session-crowd.ts'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { SessionTestbed } from './session-kit.ts'

const testbed = new SessionTestbed()

beforeAll(async () => {
  testbed.file('note.txt', 'a note\n')
  await testbed.boot()
}, longestMs)
afterAll(() => testbed.close())

/** A few are enough to find what keeps the thread to itself. */
const sessions = lengthOf({ sample: 50, long: 500 })

test(
  `SE-14: ${sessions} sessions at once leave the server open to others and its memory bounded`,
  async () => {
    const { url, pid, person_token: token = '' } = testbed.server
    const crowd = await runCrowd({ url, pid, token, project: testbed.project }, sessions)
    expect(crowd.failed).toBe(0)
    expect(crowd.events).toBeGreaterThan(sessions * 90)
    // A busy machine slows the crowd down as well: how quick it is, the bench says.
    expect(quantile(crowd.healthMs, 0.99)).toBeLessThan(crowd.tookMs / 4)
    expect((crowd.maxBytes ?? 0) / 1024 / 1024).toBeLessThan(1024)
  },
  longestMs,
)
