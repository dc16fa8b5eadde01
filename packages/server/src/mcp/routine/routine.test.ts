import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { asResponse } from '../../../testing/mcp-clients.ts'
import { callTool, newAgent } from '../../../testing/mcp-server.ts'
import { ann, save, start } from '../../../testing/runtime.ts'
import type { Caller } from '../../base/caller.ts'
import { allEntries } from '../../runtime/runs/read-run.ts'
import { refusalMetaKey } from '../front/results.ts'

const question = { question: 'Go on?', answers: { yes: { next: null }, no: { next: 'ask' } } }
const open = { name: 'open', initial: 'ask', states: { ask: question } }
const narrow = {
  ...open,
  name: 'narrow',
  allowed_tools: ['memory_get', 'task_*', 'statewright_force_state', 'Bash', 'echo'],
}
const closed = { ...open, name: 'closed', allowed_tools: ['Bash'] }
const calling = {
  id: 'calling',
  initial: 'before',
  states: {
    before: { on: { CHECK: { invoke: 'narrow', on_complete: 'after' } } },
    after: { type: 'final' },
  },
}

const everything = [
  'process_step',
  'process_state',
  'memory_set',
  'memory_get',
  'memory_list',
  'memory_search',
  'memory_delete',
  'task_create',
  'task_list',
  'task_get',
  'task_update',
  'task_claim',
  'task_complete',
]
const tasks = everything.filter((name) => name.startsWith('task_'))

let world: FrontWorld
const clients: Client[] = []

beforeAll(async () => {
  // Servers behind us and tools of our own are no part of this door.
  world = await openFrontWorld({ upstreams: { evil: hostile }, tools: true })
  for (const definition of [open, narrow, closed, calling]) await save(world.runtime, definition)
}, 60_000)
afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

async function connect(caller: Caller, era: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  const url = new URL('http://127.0.0.1:1/mcp/process')
  const fetch = (to: string | URL, init?: RequestInit) =>
    world.gateway.routines.answer(new Request(to, init), caller).then(asResponse)
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
  clients.push(client)
  return client
}

const namesOf = async (client: Client) =>
  (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map((tool) => tool.name)

async function routineNotes(run: string) {
  return (await allEntries(world.runtime, run)).flatMap(({ entry }) =>
    entry.type === 'notice' && entry.source === 'process'
      ? [[entry.text, ...(entry.code === undefined ? [] : [entry.code])]]
      : [],
  )
}

describe('the tools of /mcp/process', () => {
  test.each(['auto', 'legacy'] as const)(
    'PR-7: the whole safe list, and no more (%s)',
    async (era) => {
      const caller = newAgent()
      const client = await connect(caller, era)
      expect(await namesOf(client)).toEqual(everything)
      await start(world.runtime, caller, { process: 'open' })
      expect(await namesOf(client)).toEqual(everything)
      for (const name of ['statewright_transition', 'statewright_force_state', 'echo', 'Bash']) {
        const output = await callTool(client, name, { event: 'x' })
        expect([output.isError, output.value.code]).toEqual([true, 'tool_not_allowed'])
      }
    },
  )

  test('PR-7: allowed_tools narrows it, and names of other tools are ignored', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { process: 'narrow' })
    const client = await connect(caller)
    expect(await namesOf(client)).toEqual(['memory_get', ...tasks])
    const refused = await callTool(client, 'memory_set', { key: 'k', value: 'v' })
    expect(refused.value).toMatchObject({ code: 'tool_not_allowed' })
    const step = await callTool(client, 'process_step', { answer: 'yes' })
    expect(step.value).toMatchObject({ code: 'tool_not_allowed' })
    expect((await world.runtime.live.get(run))?.row.status).toBe('running')
  })

  test('PR-7: a list of none of them leaves none', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { process: 'closed' })
    expect(await namesOf(await connect(caller))).toEqual([])
  })

  test('PR-7: a process that a workflow invokes narrows it while it is on', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'calling' })
    const client = await connect(caller)
    expect(await namesOf(client)).toEqual(everything)
    const other = await world.connect(caller)
    await other.callTool({ name: 'statewright_transition', arguments: { event: 'CHECK', run } })
    expect(await namesOf(client)).toEqual(['memory_get', ...tasks])
  })

  test('PR-7: between several runs none is chosen, however much one of them lists', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { process: 'open' })
    const run = await start(world.runtime, caller, { process: 'narrow' })
    const client = await connect(caller)
    const unnamed = await callTool(client, 'memory_list')
    expect([unnamed.isError, unnamed.value.code]).toEqual([true, 'usage'])
    const named = await callTool(client, 'memory_list', { run })
    expect(named.value).toMatchObject({ code: 'tool_not_allowed' })
    const theirs = await start(world.runtime, newAgent(), { process: 'open' })
    const foreign = await callTool(client, 'memory_list', { run: theirs })
    expect(foreign.value).toMatchObject({ code: 'unknown_run' })
  })

  test('PR-7: each call is in the history, with its source and what came of it', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, {
      process: 'open',
      project: '/history',
      isProjectKnown: true,
    })
    const client = await connect(caller)
    await callTool(client, 'memory_set', { key: 'plan', value: 'a secret text' })
    await callTool(client, 'memory_get', { key: 'none' })
    await callTool(client, 'nothing_of_ours')
    await callTool(client, 'process_step', { answer: 'yes' })
    expect(await routineNotes(run)).toEqual([
      ['memory_set plan'],
      ['memory_get none', 'not_found'],
      ['nothing_of_ours', 'tool_not_allowed'],
      ['process_step yes'],
    ])
    expect((await world.runtime.live.get(run))?.row.status).toBe('completed')
    expect(JSON.stringify(await allEntries(world.runtime, run))).not.toContain('a secret text')
  })
})

describe('memory and tasks of a project', () => {
  async function inProject(project: string) {
    const caller = newAgent()
    await start(world.runtime, caller, { process: 'open', project, isProjectKnown: true })
    const client = await connect(caller)
    return { caller, call: (name: string, args: object = {}) => callTool(client, name, args) }
  }

  test('PR-8: memory is shared within a project and closed to others', async () => {
    const one = await inProject('/shared')
    const two = await inProject('/shared')
    const three = await inProject('/other')
    await one.call('memory_set', { key: 'build', value: 'npm test', tags: ['how'] })
    expect((await two.call('memory_get', { key: 'build' })).value).toMatchObject({
      value: 'npm test',
      tags: ['how'],
    })
    expect((await three.call('memory_get', { key: 'build' })).value.code).toBe('not_found')
    expect((await two.call('memory_search', { query: 'NPM' })).value.memories).toMatchObject([
      { key: 'build', excerpt: 'npm test', bytes: 8 },
    ])
    expect((await two.call('memory_list', { tag: 'nope' })).value.memories).toEqual([])
    expect((await two.call('memory_delete', { key: 'build' })).isError).toBe(false)
    expect((await one.call('memory_list')).value.memories).toEqual([])
  })

  test('PO-8b: an agent that names a project itself gets nothing of what that keeps', async () => {
    const one = await inProject('/secret')
    await one.call('memory_set', { key: 'build', value: 'npm test' })
    const caller = newAgent()
    await start(world.runtime, caller, { process: 'open', project: '/secret' })
    const client = await connect(caller)
    for (const name of everything.filter((tool) => /^(memory|task)_/.test(tool))) {
      const output = await callTool(client, name, {
        key: 'build',
        value: 'x',
        query: 'npm',
        task_id: 'x',
        title: 'x',
      })
      expect([name, output.isError, output.value.code]).toEqual([name, true, 'not_found'])
    }
    expect((await one.call('memory_get', { key: 'build' })).value.value).toBe('npm test')
  })

  test('PR-8: a value has at most 64 kB, counted in bytes', async () => {
    const { call } = await inProject('/large')
    expect((await call('memory_set', { key: 'a', value: 'x'.repeat(65_536) })).isError).toBe(false)
    for (const value of ['x'.repeat(65_537), 'ä'.repeat(32_769)]) {
      expect((await call('memory_set', { key: 'a', value })).value.code).toBe('usage')
      expect((await call('task_create', { title: 't', body: value })).value.code).toBe('usage')
    }
    expect((await call('memory_set', { key: '', value: 'x' })).value.code).toBe('usage')
  })

  test('PR-8: of many who claim a task one gets it, and only that one completes it', async () => {
    const workers = await Promise.all(Array.from({ length: 6 }, () => inProject('/work')))
    const [first] = workers
    if (first === undefined) throw new Error('no worker')
    const made = await first.call('task_create', { title: 'Fix it', priority: 3, tags: ['bug'] })
    const { task_id } = made.value
    const claims = await Promise.all(workers.map(({ call }) => call('task_claim', { task_id })))
    const winners = workers.filter((_, index) => claims[index]?.isError === false)
    expect(winners.length).toBe(1)
    expect(claims.filter(({ value }) => value.code === 'task_taken').length).toBe(5)
    const [winner] = winners
    const loser = workers.find((worker) => worker !== winner)
    for (const [name, args] of [
      ['task_complete', { task_id }],
      ['task_update', { task_id, status: 'open' }],
    ] as const) {
      expect((await loser?.call(name, args))?.value.code).toBe('task_taken')
    }
    expect((await winner?.call('task_complete', { task_id }))?.value).toMatchObject({
      status: 'done',
      claimed_by: winner?.caller.tokenId,
    })
    expect((await winner?.call('task_complete', { task_id }))?.value.code).toBe('task_taken')
    expect(
      (await first.call('task_list', { status: 'done', tag: 'bug' })).value.tasks,
    ).toMatchObject([{ task_id, title: 'Fix it', priority: 3 }])
  })

  test('PR-8: workers that take the next one share them out, none twice', async () => {
    const workers = await Promise.all(Array.from({ length: 4 }, () => inProject('/queue')))
    for (let n = 0; n < 8; n++) await workers[0]?.call('task_create', { title: `t${n}` })
    const taken = await Promise.all(
      workers.flatMap(({ call }) => [0, 1, 2].map(() => call('task_claim'))),
    )
    const ids = taken.filter((one) => !one.isError).map(({ value }) => value.task_id)
    expect([ids.length, new Set(ids).size]).toEqual([8, 8])
    const rest = taken.filter((one) => one.isError).map(({ value }) => value.code)
    expect(rest).toEqual(['not_found', 'not_found', 'not_found', 'not_found'])
  })

  test('PR-8: parallel changes of one task are all kept', async () => {
    const { call } = await inProject('/edits')
    const { task_id } = (await call('task_create', { title: 'a' })).value
    await Promise.all([
      call('task_update', { task_id, title: 'b' }),
      call('task_update', { task_id, body: 'c' }),
      call('task_update', { task_id, priority: 7 }),
      call('task_update', { task_id, tags: ['d'] }),
    ])
    expect((await call('task_get', { task_id })).value).toMatchObject({
      title: 'b',
      body: 'c',
      priority: 7,
      tags: ['d'],
    })
  })

  test('PR-8: without a run they are those of the server’s project', async () => {
    const client = await connect(newAgent())
    await callTool(client, 'memory_set', { key: 'loose', value: 'x' })
    expect(await world.runtime.store.notebook.memory(world.folder, 'loose')).toMatchObject({
      value: 'x',
    })
    const asPerson = await connect(ann)
    expect((await callTool(asPerson, 'memory_get', { key: 'loose' })).value.value).toBe('x')
  })

  test('PR-8: the same names at /mcp are not there', async () => {
    const client = await world.connect(newAgent())
    const result = await client.callTool({
      name: 'memory_set',
      arguments: { key: 'a', value: 'b' },
    })
    expect(result._meta?.[refusalMetaKey] ?? result.isError).toBeTruthy()
  })
})
