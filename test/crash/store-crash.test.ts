import { expect, test } from 'vitest'
import { crashStore } from './store-crash.ts'

const times = Number(process.env.STATEWRIGHT_CRASHES ?? 10)
const seed = Number(process.env.STATEWRIGHT_SEED ?? Date.now() % 1_000_000)

test(`WF-34: killed ${times} times while appending, it loses and doubles nothing (seed ${seed})`, {
  timeout: 60_000 + times * 10_000,
}, async () => {
  const report = await crashStore(times, seed)
  expect(report).toMatchObject({ kills: times, problems: [] })
  expect(report.acknowledged).toBeGreaterThan(times)
})
