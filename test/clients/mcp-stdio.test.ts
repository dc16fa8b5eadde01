import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  runStatewright,
  type StartedServer,
  startStatewright,
} from '../../packages/server/testing/child.ts'

const command = fileURLToPath(new URL('../../packages/server/bin/statewright.mjs', import.meta.url))
const workflow = {
  id: 'two-steps',
  initial: 'one',
  states: { one: { on: { GO: 'two' } }, two: { on: { END: 'end' } }, end: { type: 'final' } },
}

let home: string
let server: StartedServer

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'statewright-mcp-'))
  mkdirSync(join(home, 'work'))
  server = await startStatewright({
    cwd: join(home, 'work'),
    environment: { PATH: '/usr/bin:/bin', HOME: home },
    args: ['--data', join(home, 'data')],
  })
  await server.ask('PUT', '/api/workflows/two-steps', workflow)
}, 60_000)

afterAll(async () => {
  await server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

async function agentToken(): Promise<string> {
  const { value } = await server.ask('POST', '/api/tokens', { kind: 'agent' })
  return (value as { token: string }).token // The published shape.
}

async function connect(mode: 'auto' | 'legacy', given?: string): Promise<Client> {
  const token = given ?? (await agentToken())
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp'],
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      STATEWRIGHT_URL: server.url,
      STATEWRIGHT_TOKEN: token,
    },
    cwd: join(home, 'work'),
  })
  await client.connect(transport)
  return client
}

test.each(['auto', 'legacy'] as const)(
  'statewright mcp is a bridge to the running server (%s)',
  async (mode) => {
    const client = await connect(mode)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toContain('statewright_transition')
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args })
    const loaded = await call('statewright_load_workflow', { name: 'two-steps' })
    const moved = await call('statewright_transition', { event: 'GO' })
    expect(moved.structuredContent).toMatchObject({ transitioned: true, from: 'one', to: 'two' })
    const { run_id } = loaded.structuredContent as { run_id: string } // By its output schema.
    const { value } = await server.ask('GET', `/api/runs/${run_id}`)
    expect(value).toMatchObject({ state: 'two' })
    await client.close()
  },
  60_000,
)

test.each(['auto', 'legacy'] as const)(
  'WF-27b: two of one token go on with what each loaded, and a third with what was left (%s)',
  async (mode) => {
    const token = await agentToken()
    const [one, two] = [await connect(mode, token), await connect(mode, token)]
    const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent
    const load = (client: Client, more: object = {}) =>
      call(client, 'statewright_load_workflow', { name: 'two-steps', ...more })
    const first = await load(one)
    const second = await load(two)
    await call(one, 'statewright_transition', { event: 'GO' })
    expect(await call(one, 'statewright_get_state')).toMatchObject({ state: 'two' })
    expect(await call(two, 'statewright_get_state')).toMatchObject({ state: 'one' })
    await one.close()
    const three = await connect(mode, token)
    expect(first).not.toMatchObject({ run_id: Object(second).run_id })
    const taken = await load(three, { resume: true })
    expect(taken).toMatchObject({ run_id: Object(first).run_id, state: 'two', resumed: true })
    expect(await call(two, 'statewright_get_state')).toMatchObject({ state: 'one' })
    await Promise.all([two.close(), three.close()])
  },
  60_000,
)

test('an agent’s bridge never speaks with a person’s key', async () => {
  const ran = await runStatewright(['mcp'], {
    cwd: join(home, 'work'),
    environment: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      STATEWRIGHT_URL: server.url,
      STATEWRIGHT_TOKEN: server.personToken,
    },
  })
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('not_permitted')])
}, 60_000)
