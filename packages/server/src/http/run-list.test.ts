import { afterAll, beforeAll, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../testing/server.ts'
import { canaryWorkflow } from '../clients/canary.ts'

let server: TestServer
let person: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
})
afterAll(() => server.close())

async function start(token: string, body: object): Promise<string> {
  return (await server.ask('POST', '/api/runs', { token, body })).body.run_id
}

async function list(query = ''): Promise<Record<string, unknown>[]> {
  return (await server.ask('GET', `/api/runs${query}`, { token: person })).body.runs
}

test('PO-8a: a list says which agent a run was handed to, or started it', async () => {
  const body = { kind: 'agent', name: 'helper' }
  const { id, token } = (await server.ask('POST', '/api/tokens', { token: person, body })).body
  const own = await start(token, { workflow: 'release' })
  const handed = await start(person, { workflow: 'release', agent: id })
  const open = await start(person, { workflow: 'release' })
  const named = async () =>
    Object.fromEntries((await list()).map((run) => [run.run_id, [run.agent, run.agent_name]]))
  expect(await named()).toMatchObject({
    [own]: [null, 'helper'],
    [handed]: [id, 'helper'],
    [open]: [null, undefined],
  })
  expect((await server.ask('GET', `/api/runs/${open}`, { token })).status).toBe(200)
  expect(await named()).toMatchObject({ [open]: [id, 'helper'] })
})

test('the run of the canary of doctor is listed by name alone', async () => {
  const definition = {
    id: canaryWorkflow.id,
    initial: 'a',
    states: { a: { on: { GO: 'z' } }, z: { type: 'final' } },
  }
  const run = await start(person, { definition })
  const ids = async (query?: string) => (await list(query)).map(({ run_id }) => run_id)
  expect(await ids()).not.toContain(run)
  expect(await ids(`?workflow=${canaryWorkflow.id}`)).toEqual([run])
})
