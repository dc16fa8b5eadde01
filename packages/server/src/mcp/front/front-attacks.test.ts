import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { planThenWrite, save, start } from '../../../testing/runtime.ts'
import { transition } from '../../runtime/runs/change-run.ts'
import { refusalMetaKey } from './results.ts'

/** What a child must never see. */
const environment = {
  PATH: process.env.PATH,
  HOME: '/nowhere',
  STATEWRIGHT_TOKEN: 'sw_person_secret',
  DATABASE_URL: 'postgres://secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  GIVEN: 'given on',
}

const smallBudget = {
  id: 'small-budget',
  initial: 'a',
  states: { a: { context_budget_bytes: 1000, on: { B: 'b' } }, b: { type: 'final' } },
}

let world: FrontWorld

beforeAll(async () => {
  const filled = (name: string) => `$\{${name}}`
  const env = {
    MINE: filled('GIVEN'),
    THEIRS: `${filled('STATEWRIGHT_TOKEN')}x`,
    DEFAULTED: filled('NOPE:-default'),
  }
  world = await openFrontWorld(
    { upstreams: { evil: { ...hostile, timeoutMs: 6000, env }, twin: hostile } },
    {},
    environment,
  )
  await save(world.runtime, planThenWrite)
  await save(world.runtime, smallBudget)
}, 60_000)
beforeEach(() => until(isReady('evil')), 40_000)
afterAll(() => world.close())

interface ToolReply {
  readonly isError: boolean
  readonly text: string
  readonly code: unknown
}

async function call(client: Client, name: string, args = {}, _meta?: object): Promise<ToolReply> {
  const result = await client.request({
    method: 'tools/call',
    params: { name, arguments: args, ...(_meta === undefined ? {} : { _meta: { ..._meta } }) },
  })
  const first = result.content?.[0]
  const refusal: unknown = result._meta?.[refusalMetaKey]
  const code =
    typeof refusal === 'object' && refusal !== null && 'code' in refusal ? refusal.code : 0
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    code,
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200 && !holds(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  expect(holds()).toBe(true)
}

const isReady = (name: string) => () => world.gateway.upstreams.find(name)?.status.state === 'ready'

describe('names', () => {
  test('two servers with the same tool are both named with their server', async () => {
    const { tools } = await (await world.connect(newAgent())).listTools()
    const names = tools.map((tool) => tool.name)
    expect(names.filter((name) => name.endsWith('echo')).sort()).toEqual([
      'evil__echo',
      'twin__echo',
    ])
    expect(names).not.toContain('echo')
  })

  test('a tool named like ours never stands in its place', async () => {
    const client = await world.connect(newAgent())
    const { tools } = await client.listTools()
    const ours = tools.filter((tool) => tool.name === 'statewright_transition')
    expect(ours).toHaveLength(1)
    expect(ours[0]?.outputSchema).toBeDefined()
    const own = await call(client, 'statewright_transition', { event: 'X' })
    expect(own.code).toBe('no_active_run')
    const theirs = await call(client, 'evil__statewright_transition', { event: 'X' })
    expect(JSON.parse(theirs.text)).toMatchObject({ params: { name: 'statewright_transition' } })
  })

  test('what is not well formed is left out, and the rest is kept', async () => {
    const { tools } = await (await world.connect(newAgent())).listTools()
    const names = tools.map((tool) => tool.name).join(' ')
    expect(names).not.toMatch(/mcp__evil__read|no schema|what/)
    expect(names).toContain('evil__lies_about_schema')
    expect(world.notes.some((note) => note.startsWith('left out of its tools'))).toBe(true)
  })
})

describe('a server that misbehaves', () => {
  test('lies about its schema: the result passes as it came, and decides nothing', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'plan-then-write' })
    const client = await world.connect(caller)
    // It claims to read only; the state allows Read and Grep, and neither is this tool.
    const denied = await call(client, 'evil__lies_about_schema')
    expect(denied).toMatchObject({ isError: true, code: 'tool_not_allowed' })
    const free = await world.connect(newAgent())
    expect((await call(free, 'evil__lies_about_schema')).text).toBe('not a number')
    // A result that is none is told as such, and nothing else breaks.
    expect(await call(free, 'evil__liar')).toMatchObject({ code: 'upstream_failed' })
  })

  test('never answers: the call ends in time and says that it may have happened', async () => {
    const client = await world.connect(newAgent())
    const output = await call(client, 'evil__silent')
    expect(output).toMatchObject({ isError: true, code: 'upstream_timeout' })
    expect((await call(client, 'evil__echo', { still: 'here' })).isError).toBe(false)
  })

  test('dies in the middle of a call: the call fails, and the server comes back', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'small-budget' })
    const client = await world.connect(caller)
    const output = await call(client, 'evil__die')
    expect(output).toMatchObject({ isError: true, code: 'upstream_failed' })
    // Whether it happened nobody knows, and so says the history.
    const entries = await world.runtime.store.runs.entries(run, { after: 1, limit: 10 })
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      { type: 'call_decided', decision: 'allow' },
      { type: 'call_finished', exit: null },
    ])
    await until(isReady('evil'))
    expect((await call(client, 'evil__echo')).isError).toBe(false)
  })

  test.each(['flood_bytes', 'flood_messages'])(
    'floods us (%s): it is cut off and started again',
    async (tool) => {
      const client = await world.connect(newAgent())
      const output = await call(client, `evil__${tool}`)
      expect(output).toMatchObject({ isError: true, code: 'upstream_failed' })
      await until(isReady('evil'))
      expect((await call(client, 'evil__echo')).isError).toBe(false)
    },
    30_000,
  )

  test('answers twice: the first counts', async () => {
    const client = await world.connect(newAgent())
    expect((await call(client, 'evil__twice')).text).toBe('first')
  })

  test('refuses in the words of the protocol: they are passed on whole', async () => {
    const client = await world.connect(newAgent())
    await expect(call(client, 'evil__failing')).rejects.toMatchObject({
      code: -32_050,
      data: { why: 1 },
    })
  })

  test('sees nothing of our environment but what its entry names', async () => {
    const client = await world.connect(newAgent())
    const seen = JSON.parse((await call(client, 'evil__environment')).text)
    expect(seen).toMatchObject({ MINE: 'given on', THEIRS: 'x', DEFAULTED: 'default' })
    expect(JSON.stringify(seen)).not.toMatch(/secret/)
  })
})

describe('a result', () => {
  test('WF-11: that is huge is cut where the state has a budget, and counted', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'small-budget' })
    const client = await world.connect(caller)
    const large = await call(client, 'evil__huge', { bytes: 3_000_000 })
    expect(large.text.length).toBeLessThan(2000)
    expect(await call(client, 'evil__echo')).toMatchObject({ code: 'context_budget_exhausted' })
  })

  test.each([
    [0.25, 250_000],
    [-1, 0],
    ['much', 0],
    [Number.MAX_VALUE, 10_000_000],
  ])('that says it cost %s is booked with %s micro-dollars', async (cost, micros) => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, {
      definition: undefined,
      workflow: 'small-budget',
    })
    const client = await world.connect(caller)
    await call(client, 'evil__costly', { cost })
    const live = await world.runtime.live.get(run)
    expect(live?.snapshot.costMicros).toBe(micros)
  })
})

describe('a call', () => {
  test('is never judged by another’s run', async () => {
    const owner = newAgent()
    const run = await start(world.runtime, owner, { workflow: 'small-budget' })
    const stranger = await world.connect(newAgent())
    const output = await call(stranger, 'evil__echo', {}, { 'statewright/run': run })
    expect(output).toMatchObject({ isError: true, code: 'unknown_run' })
  })

  test('is not guessed between two runs, and may name one', async () => {
    const caller = newAgent()
    const first = await start(world.runtime, caller, { workflow: 'small-budget', session: 'a' })
    await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'b' })
    const client = await world.connect(caller)
    expect(await call(client, 'evil__echo')).toMatchObject({ isError: true, code: 'usage' })
    const named = await call(client, 'evil__echo', {}, { 'statewright/run': first })
    expect(named.isError).toBe(false)
    const inSession = await world.connect(caller, 'auto', { 'statewright-session': 'b' })
    expect(await call(inSession, 'evil__echo')).toMatchObject({ code: 'tool_not_allowed' })
  })

  test('has to name its run from the start of a second one to the end of one', async () => {
    const caller = newAgent()
    const client = await world.connect(caller)
    const first = await start(world.runtime, caller, { workflow: 'small-budget', session: 'a' })
    expect((await call(client, 'evil__echo')).isError).toBe(false)
    await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'b' })
    expect(await call(client, 'evil__echo')).toMatchObject({ code: 'usage' })
    await transition(world.runtime, caller, { run: first, event: 'B' })
    expect(await call(client, 'evil__echo')).toMatchObject({ code: 'tool_not_allowed' })
  })

  test('with __proto__ in its arguments pollutes nothing and is sent as judged', async () => {
    const client = await world.connect(newAgent())
    const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"a":1},"plain":2}')
    const output = await call(client, 'evil__echo', args)
    expect(output.text).toContain('"plain":2')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('that is denied never reaches the server', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'plan-then-write' })
    const client = await world.connect(caller)
    expect(await call(client, 'evil__die')).toMatchObject({ code: 'tool_not_allowed' })
    expect(isReady('evil')()).toBe(true)
    const entries = await world.runtime.store.runs.entries(run, { after: 0, limit: 10 })
    expect(entries.map(({ entry }) => entry.type)).toEqual(['run_started', 'call_decided'])
  })

  test('is not passed on when our own store fails', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'small-budget' })
    const client = await world.connect(caller)
    const { runs } = world.runtime.store
    const append = runs.append
    runs.append = () => Promise.reject(new Error('disk full'))
    const output = await call(client, 'evil__die').finally(() => {
      runs.append = append
    })
    expect(output).toMatchObject({ isError: true, code: 'internal' })
    expect(isReady('evil')()).toBe(true)
  })
})

test('WF-6: what is typed for a prompt reaches no server that is not allowed', async () => {
  const complete = async (client: Client) => {
    const { prompts } = await client.listPrompts()
    const name = prompts.find((one) => one.name.endsWith('greet'))?.name ?? ''
    const argument = { name: 'who', value: 'secret' }
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name }, argument })
    return completion.values
  }
  const open = newAgent()
  await start(world.runtime, open, { workflow: 'small-budget' })
  expect(await complete(await world.connect(open))).toEqual(['heard secret'])
  const held = newAgent()
  await start(world.runtime, held, { workflow: 'plan-then-write' })
  expect(await complete(await world.connect(held))).toEqual([])
})
