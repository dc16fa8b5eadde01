import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'
import { Testbed } from '../../packages/server/testing/testbed.ts'
import {
  type Acknowledged,
  entriesOf,
  faultsOf,
  type ServerAddress,
  send,
  work,
} from './server-load.ts'

let postgres: TestPostgres
const testbed = new Testbed()

beforeAll(async () => {
  postgres = await startPostgres()
}, 60_000)

afterAll(async () => {
  testbed.close()
  await postgres.stop()
}, 60_000)

const limited = {
  id: 'limited',
  initial: 'one',
  policy: { allow: [{ capability: 'bash', rate_limit: { max_calls: 40, window_seconds: 3600 } }] },
  states: { one: { on: { NEXT: 'one', END: 'done' } }, done: { type: 'final' } },
} as const

async function node(name: string, databaseUrl: string) {
  const data = `${testbed.folder}/${name}`
  const { ready, child } = await testbed.up(
    '--test-person',
    '--data',
    data,
    '--database-url',
    databaseUrl,
  )
  const server: ServerAddress = { url: ready.url, token: ready.person_token ?? '' }
  return { server, child }
}

test('PO-5, WF-34: two nodes on one Postgres, one killed and Postgres restarted under load', {
  timeout: 240_000,
}, async () => {
  const databaseUrl = await postgres.database()
  const first = await node('first', databaseUrl)
  const second = await node('second', databaseUrl)
  await send(first.server, 'PUT', '/api/workflows/limited', limited)
  const reported: Acknowledged[] = []
  for (let index = 0; index < 4; index++) {
    const started = await send(first.server, 'POST', '/api/runs', { workflow: 'limited' })
    reported.push({ runId: String(started?.body.run_id), calls: new Set(), transitions: 0 })
  }
  let isOver = false
  // Every run is worked through both nodes in turn, so that each step races with nobody's cache.
  const servers = [first.server, second.server]
  const load = reported.map((one) => keepWorking(servers, one, () => isOver))
  const rated = Promise.all(
    servers.flatMap((server) => reported.map((one) => shellCalls(server, one.runId, 12))),
  )
  /** Until each run has come further, so that what follows meets work and not a start. */
  const moreCalls = async (count: number) => {
    const before = reported.map(({ calls }) => calls.size)
    const hasMore = () => reported.every(({ calls }, at) => calls.size >= (before[at] ?? 0) + count)
    await expect.poll(hasMore, { timeout: 60_000 }).toBe(true)
  }
  await moreCalls(5)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  servers.shift()
  await moreCalls(5)
  await postgres.restart()
  await moreCalls(5)
  isOver = true
  await Promise.all(load)
  await rated

  const faults: string[] = []
  let shells = 0
  for (const one of reported) {
    faults.push(...(await faultsOf(second.server, one)))
    const entries = await entriesOf(second.server, one.runId)
    shells += entries.filter(
      (entry) =>
        entry.type === 'call_decided' && entry.tool === 'Bash' && entry.decision === 'allow',
    ).length
  }
  expect(faults).toEqual([])
  expect(reported.reduce((sum, one) => sum + one.calls.size, 0)).toBeGreaterThan(0)
  expect(shells).toBeGreaterThan(0)
  expect(shells).toBeLessThanOrEqual(40)
})

/** A lost answer is no reason to stop: the other node goes on. */
async function keepWorking(
  servers: readonly ServerAddress[],
  one: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await work(servers, one, isOver)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function shellCalls(server: ServerAddress, run: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await send(server, 'POST', '/api/check', { run, tool: 'Bash', input: { command: 'ls' } })
  }
}
