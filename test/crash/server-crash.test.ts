import { expect, test } from 'vitest'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { crashServer } from './server-story.ts'

test('WF-34: killed under load it loses and doubles nothing, and verifies at once and meanwhile', {
  timeout: longestMs,
}, async () => {
  const report = await crashServer(lengthOf({ sample: 4, long: 200 }))
  expect(report.faults).toEqual([])
  expect(report.calls).toBeGreaterThan(0)
  expect(report.verified.atStart).toBeGreaterThan(0)
  expect(report.verified.underLoad).toBeGreaterThan(0)
})
