import { expect, test } from 'vitest'
import { crashServer } from './server-story.ts'

test('WF-34: a server killed under load loses and doubles nothing that it acknowledged', {
  timeout: 180_000,
}, async () => {
  const report = await crashServer(4)
  expect(report.faults).toEqual([])
  expect(report.calls).toBeGreaterThan(0)
})
