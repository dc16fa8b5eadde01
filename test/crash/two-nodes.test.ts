import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'
import { patience, Testbed } from '../../packages/server/testing/testbed.ts'
import { entriesOf, type ServerAddress, send } from './server-load.ts'

/** How often each change is made: what lags by a moment is seen in one of them. */
const turns = 8

let postgres: TestPostgres
const testbed = new Testbed()
let nodes: readonly [ServerAddress, ServerAddress]

beforeAll(async () => {
  postgres = await startPostgres()
  const databaseUrl = await postgres.database()
  nodes = [await node('first', databaseUrl), await node('second', databaseUrl)]
  await person(nodes[0], 'PUT', '/api/workflows/narrow', narrow)
}, 120_000)

afterAll(async () => {
  testbed.close()
  await postgres.stop()
}, 60_000)

const narrow = {
  id: 'narrow',
  initial: 'one',
  policy: { allow: [{ capability: 'bash', rate_limit: { max_calls: 20, window_seconds: 3600 } }] },
  states: {
    one: { allowed_tools: ['Read', 'Bash'], on: { END: 'done' } },
    done: { type: 'final' },
  },
} as const

async function node(name: string, databaseUrl: string): Promise<ServerAddress> {
  const data = join(testbed.folder, name)
  const { ready } = await testbed.up(
    ...['--test-person', '--data', data, '--database-url', databaseUrl],
  )
  return { url: ready.url, token: ready.person_token ?? '' }
}

async function person(server: ServerAddress, method: string, path: string, body?: unknown) {
  const answer = await send(server, method, path, body)
  if (answer === undefined || answer.status >= 300) {
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  }
  return answer.body
}

async function newRun(server: ServerAddress, more: object = {}): Promise<string> {
  const started = await person(server, 'POST', '/api/runs', { workflow: 'narrow', ...more })
  return String(started.run_id)
}

/** Asks about a call, and says in a word what became of it. */
async function asked(server: ServerAddress, call: object): Promise<unknown> {
  const answer = await send(server, 'POST', '/api/check', call)
  return answer?.body.decision ?? answer?.body.code ?? 'no answer'
}

const edit = { tool: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } }
const read = { tool: 'Read', input: { file_path: 'a.ts' } }

/** In turn each of the two changes something, and the other one is asked. */
async function inTurn(
  work: (here: ServerAddress, there: ServerAddress, turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const [first, second] = nodes
    await (turn % 2 === 0 ? work(first, second, turn) : work(second, first, turn))
  }
}

test(
  'ND-1: a switched mode holds on the other node before it is acknowledged',
  patience,
  async () => {
    const run = await newRun(nodes[0])
    const seen: unknown[] = []
    await inTurn(async (here, there) => {
      await person(here, 'PUT', '/api/mode', { mode: 'observe' })
      seen.push(await asked(there, { run, ...edit }))
      await person(there, 'PUT', '/api/mode', { mode: 'enforce' })
      seen.push(await asked(here, { run, ...edit }))
    })
    expect(seen).toEqual(Array.from({ length: turns }, () => ['allow', 'deny']).flat())
  },
)

test('ND-1: a revoked token counts on no node once that is acknowledged', patience, async () => {
  const seen: unknown[] = []
  await inTurn(async (here, there, turn) => {
    const session = `token ${turn}`
    const made = await person(here, 'POST', '/api/tokens', { kind: 'agent', name: session })
    const agent = { url: there.url, token: String(made.token) }
    seen.push(await asked(agent, { session, ...read }))
    await person(here, 'DELETE', `/api/tokens/${made.id}`)
    seen.push(await asked(agent, { session, ...read }))
  })
  expect(seen).toEqual(Array.from({ length: turns }, () => ['allow', 'unauthenticated']).flat())
})

test(
  'ND-1: an accepted configuration holds on the other node before it is acknowledged',
  patience,
  async () => {
    const seen: unknown[] = []
    const live = await newRun(nodes[0])
    await inTurn(async (here, there, turn) => {
      const strict = turn % 2 === 0
      writeFileSync(join(testbed.project, 'statewright.yaml'), `strict: ${strict}\n`)
      await person(here, 'POST', '/api/config/reload')
      await person(here, 'POST', '/api/config/accept', {})
      seen.push(await asked(there, { session: `config ${turn}`, ...read }))
    })
    await person(nodes[0], 'POST', `/api/runs/${live}/stop`, {})
    expect(seen).toEqual(Array.from({ length: turns }, (_, turn) => (turn % 2 ? 'allow' : 'deny')))
  },
)

test(
  'ND-2: a run that one node starts for a session holds it on the other one',
  patience,
  async () => {
    const seen: unknown[] = []
    await inTurn(async (here, there, turn) => {
      const session = `bond ${turn}`
      seen.push(await asked(there, { session, ...edit }))
      const run = await newRun(here, { session })
      seen.push(await asked(there, { session, ...edit }))
      await person(here, 'POST', `/api/runs/${run}/stop`, {})
    })
    expect(seen).toEqual(Array.from({ length: turns }, () => ['allow', 'deny']).flat())
  },
)

test('ND-3, PO-5: a rate is exact over both nodes', patience, async () => {
  const runs = await Promise.all(nodes.map((server) => newRun(server)))
  const shell = { tool: 'Bash', input: { command: 'ls' } }
  const calls = Array.from({ length: 40 }, (_, at) => {
    const [first, second] = nodes
    return asked(at % 2 === 0 ? first : second, { run: runs[at % 3 === 0 ? 0 : 1], ...shell })
  })
  const decisions = await Promise.all(calls)
  expect(decisions.filter((one) => one === 'allow')).toHaveLength(20)
  expect(decisions.filter((one) => one === 'deny')).toHaveLength(20)
})

test('ND-6: a call that is announced to one node is known on the other', patience, async () => {
  const made = await person(nodes[0], 'POST', '/api/tokens', { kind: 'agent', with_hook: true })
  const tool_name = 'mcp__statewright__statewright_get_state'
  const runs: string[] = []
  const seen: unknown[] = []
  await inTurn(async (here, there, turn) => {
    const session = `announced ${turn}`
    const call = { session_id: session, cwd: testbed.project, tool_name, tool_input: {} }
    const use = { ...call, tool_use_id: `toolu_${turn}` }
    const hook = { url: here.url, token: String(made.hook_token) }
    const tell = (server: ServerAddress, event: string, more: object = {}) =>
      send(server, 'POST', '/hooks/claude-code', { ...use, hook_event_name: event, ...more })
    await tell(hook, 'UserPromptSubmit', { prompt: 'go on' })
    runs.push(await newRun(here, { session }))
    await tell(hook, 'PreToolUse')
    const agent = await connectTo(there, String(made.token))
    const _meta = { 'claudecode/toolUseId': use.tool_use_id }
    const answer = await agent.callTool({ name: 'statewright_get_state', arguments: {}, _meta })
    seen.push(JSON.stringify(answer.structuredContent))
    await agent.close()
    await tell(hook, 'PostToolUse', { tool_response: {} })
  })
  expect(seen).toEqual(runs.map((run) => expect.stringContaining(`"run_id":"${run}"`)))
  for (const run of runs) {
    const entries = await entriesOf(nodes[0], run)
    expect(entries.map(({ type }) => type)).toEqual(['run_started'])
  }
})

async function connectTo({ url }: ServerAddress, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  )
  return client
}
