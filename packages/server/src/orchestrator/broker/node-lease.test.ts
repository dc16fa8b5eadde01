import { expect, test } from 'vitest'
import { NodeLease } from './node-lease.ts'

const times = { leaseMs: 10_000, renewMs: 2000, stopMs: 7000 }

/** Time that passes only when told, and a store that answers as late as told. */
function world() {
  let now = 0
  let answersAfter = 0
  let isDown = false
  const events: string[] = []
  const due: { at: number; work: () => void }[] = []
  const timers = {
    set(work: () => void, ms: number) {
      const one = { at: now + ms, work }
      due.push(one)
      return () => void due.splice(due.indexOf(one), due.includes(one) ? 1 : 0)
    },
  }
  const pause = (ms: number) => new Promise<void>((resolve) => timers.set(resolve, ms))
  const lease = new NodeLease({
    nodes: {
      async renew() {
        if (answersAfter > 0) await pause(answersAfter)
        if (isDown) throw new Error('down')
        events.push(`renewed at ${now}`)
        return 1
      },
      async leave() {
        events.push('left')
      },
    },
    node: 'one',
    mark: 'm',
    times,
    timers,
    now: () => now,
    onRenewed: () => {},
    onLost: () => events.push(`lost at ${now}`),
    onFault: () => {},
  })
  return {
    lease,
    events,
    set(store: { isDown?: boolean; answersAfter?: number }) {
      isDown = store.isDown ?? isDown
      answersAfter = store.answersAfter ?? answersAfter
    },
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        // What a timer began goes on before the next one is due.
        await new Promise((resolve) => setImmediate(resolve))
        const next = due.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > end) break
        now = next.at
        due.splice(due.indexOf(next), 1)
        next.work()
      }
      now = end
    },
  }
}

test('SE-18: a node says again and again that it lives, and that it has stopped', async () => {
  const { lease, events, pass } = world()
  expect(lease.isValid).toBe(false)
  await lease.start()
  expect(lease.isValid).toBe(true)
  await pass(5000)
  expect(events).toEqual(['renewed at 0', 'renewed at 2000', 'renewed at 4000'])
  await lease.close()
  await pass(20_000)
  expect(events.slice(3)).toEqual(['left'])
})

test('SE-18: a node that cannot say so stops before others may take its sessions', async () => {
  const { lease, events, pass, set } = world()
  await lease.start()
  set({ isDown: true })
  await pass(times.leaseMs)
  expect(events).toEqual(['renewed at 0', `lost at ${times.stopMs}`])
  expect(lease.isValid).toBe(false)
  set({ isDown: false })
  await pass(times.renewMs)
  expect(lease.isValid).toBe(true)
})

test('SE-18: an answer that comes too late holds for nothing', async () => {
  const { lease, events, pass, set } = world()
  await lease.start()
  set({ answersAfter: 8000 })
  await pass(10_000)
  expect(events).toEqual(['renewed at 0', `lost at ${times.stopMs}`, 'renewed at 10000'])
  expect(lease.isValid).toBe(false)
})
