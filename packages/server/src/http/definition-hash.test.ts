import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

const end = { type: 'final' }
const child = (tool: string) => ({
  id: 'child',
  initial: 'work',
  states: { work: { allowed_tools: [tool], on: { GO: 'end' } }, end },
})
const parent = {
  id: 'parent',
  initial: 'work',
  states: { work: { on: { CALL: { invoke: 'child', on_complete: 'end' } } }, end },
}
const gate = {
  name: 'gate',
  initial: 'asks',
  states: { asks: { question: 'Ready?', answers: { yes: { next: null } } } },
}

let server: TestServer
let token: string

beforeAll(async () => {
  server = await testServer()
  token = await server.token('person')
})
afterAll(() => server.close())

async function ask(method: string, path: string, body?: object) {
  return (await server.ask(method, path, { token, body })).body
}

const saveChild = (tool: string) => ask('PUT', '/api/workflows/child', child(tool))

test('WF-4: saving a definition and starting a run of it answer the same hash', async () => {
  const process = await ask('POST', '/api/processes', gate)
  expect((await ask('POST', '/api/runs', { process: 'gate' })).hash).toBe(process.hash)
  expect((await ask('POST', '/api/runs', { definition: gate })).hash).toBe(process.hash)
  await saveChild('Read')
  const saved = await ask('PUT', '/api/workflows/parent', parent)
  const run = await ask('POST', '/api/runs', { workflow: 'parent' })
  expect(run.hash).toBe(saved.hash)
  expect((await ask('GET', `/api/runs/${run.run_id}`)).hash).toBe(saved.hash)
  expect((await ask('GET', '/api/workflows/parent')).hash).toBe(saved.hash)
})

test('WF-4: what a run is bound to, with all that it invokes, is its program hash', async () => {
  await saveChild('Read')
  const saved = await ask('PUT', '/api/workflows/parent', parent)
  const before = await ask('POST', '/api/runs', { workflow: 'parent' })
  await saveChild('Write')
  const after = await ask('POST', '/api/runs', { workflow: 'parent' })
  expect([before.hash, after.hash]).toEqual([saved.hash, saved.hash])
  expect(after.program_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(after.program_hash).not.toBe(before.program_hash)
  const { runs } = await ask('GET', `/api/runs?ids=${before.run_id}`)
  expect(runs[0]).toMatchObject({ program_hash: before.program_hash })
  expect(runs[0]).not.toHaveProperty('hash')
  const program = await ask('GET', `/api/runs/${after.run_id}/program`)
  expect(program).toMatchObject({ program_hash: after.program_hash })
  expect(program).not.toHaveProperty('hash')
})
