import { expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { crashStore } from './store-crash.ts'

const times = lengthOf({ sample: 10, long: 500 })
const seed = seedOf(Date.now() % 1_000_000)

test(`WF-34: killed ${times} times while appending, it loses and doubles nothing (seed ${seed})`, {
  timeout: longestMs,
}, async () => {
  const report = await crashStore(times, seed)
  expect(report).toMatchObject({ kills: times, problems: [] })
  expect(report.acknowledged).toBeGreaterThan(times)
})
