import { afterEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
afterEach(() => server.close())

const reading = {
  id: 'reading',
  initial: 'one',
  states: { one: { allowed_tools: ['Read'], on: { END: 'end' } }, end: { type: 'final' } },
}

test.each([
  ['on', 'ls -la', 'allow'],
  ['on', 'rm -rf x', 'deny'],
  // Nobody knows which tools the caller has of its own.
  ['auto', 'ls -la', 'deny'],
  ['off', 'ls -la', 'deny'],
] as const)('SH-10: with read_only_shell %s, `%s` at /api/check is %s', async (...row) => {
  const [readOnlyShell, command, decision] = row
  server = await testServer({ settings: { readOnlyShell } })
  const [person, agent] = [await server.token('person'), await server.token('agent')]
  await server.ask('PUT', '/api/workflows/reading', { token: person, body: reading })
  const body = { workflow: 'reading', session: 's' }
  await server.ask('POST', '/api/runs', { token: agent, body })
  const check = { session: 's', tool: 'Bash', input: { command } }
  const answer = await server.ask('POST', '/api/check', { token: agent, body: check })
  expect(answer.body.decision).toBe(decision)
})
