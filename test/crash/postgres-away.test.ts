import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'
import type { Standby } from '../../packages/server/testing/standby.ts'
import { patience, Testbed } from '../../packages/server/testing/testbed.ts'
import { type MovingRelay, movingRelay } from '../support/moving-relay.ts'
import {
  type Acknowledged,
  crashWorkflow,
  faultsOf,
  type ServerAddress,
  send,
  work,
} from './server-load.ts'

let postgres: TestPostgres
let testbed: Testbed
let nodes: readonly ServerAddress[]
let relay: MovingRelay
let standby: Standby | undefined

beforeAll(async () => {
  postgres = await startPostgres()
}, 60_000)

afterAll(async () => {
  await standby?.stop()
  await postgres.stop()
}, 60_000)

beforeEach(async () => {
  testbed = new Testbed()
  relay = await movingRelay(await postgres.database())
  nodes = [await node('a'), await node('b')]
}, 120_000)

afterEach(async () => {
  testbed.close()
  await relay.close()
})

async function node(name: string): Promise<ServerAddress> {
  const data = join(testbed.folder, name)
  const store = ['--data', data, '--database-url', relay.databaseUrl]
  const { ready } = await testbed.up('--test-person', ...store)
  return { url: ready.url, token: ready.person_token ?? '' }
}

const [first, second] = [() => at(0), () => at(1)]

function at(index: number): ServerAddress {
  const found = nodes[index]
  if (found === undefined) throw new Error('the nodes are not there')
  return found
}

/** Runs under load on both nodes until it is over; a lost answer is no reason to stop. */
async function underLoad(story: (runs: readonly Acknowledged[]) => Promise<void>): Promise<void> {
  await send(first(), 'PUT', '/api/workflows/crash', crashWorkflow)
  const runs: Acknowledged[] = []
  for (let index = 0; index < 4; index++) {
    const started = await send(first(), 'POST', '/api/runs', { workflow: 'crash' })
    runs.push({ runId: String(started?.body.run_id), calls: new Set(), transitions: 0 })
  }
  let isOver = false
  const load = runs.map(async (one) => {
    while (!isOver) await work(nodes, one, () => isOver)
  })
  await moreCalls(runs)
  await story(runs)
  // Both go on by themselves: whoever acknowledges again has found the database again.
  await moreCalls(runs)
  isOver = true
  await Promise.all(load)
  const faults = await Promise.all(runs.map((one) => faultsOf(second(), one)))
  expect(faults.flat()).toEqual([])
}

async function moreCalls(runs: readonly Acknowledged[]): Promise<void> {
  const before = runs.map(({ calls }) => calls.size)
  const isMore = () => runs.every(({ calls }, index) => calls.size > (before[index] ?? 0) + 3)
  await expect.poll(isMore, { timeout: 60_000 }).toBe(true)
}

async function outputOf(server: ServerAddress, run: string) {
  const call = { run, tool: 'Read', input: { file_path: 'a.ts' } }
  const answer = await send(server, 'POST', '/api/check', call)
  return { status: answer?.status, code: answer?.body.code, next: typeof answer?.body.next }
}

const unavailable = { status: 503, code: 'store_unavailable', next: 'string' }

describe('a database that is away', () => {
  test(
    'ND-1a, ND-5: denies every call while it restarts, and is found again',
    patience,
    async () => {
      await underLoad(async ([one]) => {
        const run = one?.runId ?? ''
        await postgres.restart(async () => {
          for (const server of nodes) expect(await outputOf(server, run)).toEqual(unavailable)
          const ready = await send(second(), 'GET', '/readyz')
          expect(ready?.status).toBe(503)
        })
      })
    },
  )

  test.runIf(process.platform === 'linux')(
    'ND-5: loses nothing that was acknowledged when a standby takes its place',
    patience,
    async () => {
      const following = await postgres.standby()
      standby = following
      await underLoad(async () => {
        await following.takeOver()
        relay.moveTo(following.port)
      })
    },
  )
})
