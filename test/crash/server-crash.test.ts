import { expect, test } from 'vitest'
import { lengthOf, longestMs } from '../support/length.ts'
import { crashServer } from './server-story.ts'

test('WF-34: a server killed under load loses and doubles nothing that it acknowledged', {
  timeout: longestMs,
}, async () => {
  const report = await crashServer(lengthOf({ sample: 4, long: 200 }))
  expect(report.faults).toEqual([])
  expect(report.calls).toBeGreaterThan(0)
})
