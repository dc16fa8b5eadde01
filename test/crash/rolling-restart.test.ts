import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'
import { stopped, Testbed } from '../../packages/server/testing/testbed.ts'
import { type Acknowledged, crashWorkflow, faultsOf, send } from './server-load.ts'
import { SteadyClient } from './steady-client.ts'

const rounds = lengthOf({ sample: 1, long: 20 })
let postgres: TestPostgres
const testbed = new Testbed()

beforeAll(async () => {
  postgres = await startPostgres()
}, 60_000)

afterAll(async () => {
  testbed.close()
  await postgres.stop()
}, 60_000)

type Node = Awaited<ReturnType<Testbed['up']>>

function start(name: string, databaseUrl: string, port = '0'): Promise<Node> {
  const data = join(testbed.folder, name)
  const store = ['--data', data, '--database-url', databaseUrl]
  return testbed.up('--test-person', '--port', port, ...store)
}

test('ND-4: nodes that are restarted in turn under load fail no call and lose nothing', {
  timeout: longestMs,
}, async () => {
  const databaseUrl = await postgres.database()
  const nodes = [await start('a', databaseUrl), await start('b', databaseUrl)]
  const [url = ''] = nodes.map(({ ready }) => ready.url)
  const server = { url, token: nodes[0]?.ready.person_token ?? '' }
  await send(server, 'PUT', '/api/workflows/crash', crashWorkflow)
  const reported: Acknowledged[] = []
  for (let index = 0; index < 4; index++) {
    const started = await send(server, 'POST', '/api/runs', { workflow: 'crash' })
    reported.push({ runId: String(started?.body.run_id), calls: new Set(), transitions: 0 })
  }
  let isOver = false
  const urls = nodes.map(({ ready }) => ready.url)
  const clients = reported.map((_, at) => new SteadyClient(urls, server.token, at % 2))
  const load = clients.map((client, at) => {
    const own = reported[at]
    return own === undefined ? undefined : client.work(own, () => isOver)
  })
  const exits: (number | null)[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [at, node] of nodes.entries()) {
      exits.push(await stopped(node.child, 'SIGTERM'))
      const name = at === 0 ? 'a' : 'b'
      nodes[at] = await start(name, databaseUrl, new URL(node.ready.url).port)
    }
  }
  isOver = true
  await Promise.all(load)
  expect(clients.flatMap(({ failures }) => failures)).toEqual([])
  expect(clients.every(({ moves }) => moves > 0)).toBe(true)
  expect(new Set(exits)).toEqual(new Set([0]))
  const faults = await Promise.all(reported.map((one) => faultsOf(server, one)))
  expect(faults.flat()).toEqual([])
})
