import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../testing/gateway.ts'
import { asResponse } from '../../testing/mcp-clients.ts'
import { callTool, newAgent } from '../../testing/mcp-server.ts'
import { ann, planThenWrite, save, start } from '../../testing/runtime.ts'
import { type Caller, sessionKey } from '../base/caller.ts'
import { processStart } from '../base/process-start.ts'
import { createGuard } from '../guard/guard.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { createGateway, defaultGateway, type Gateway } from './gateway.ts'

/** How each era tells connections apart: by the protocol's own id, or by our bridge's header. */
const eras = ['legacy', 'auto'] as const
type Era = (typeof eras)[number]

const open = { id: 'open', initial: 'a', states: { a: { on: { GO: 'b' } }, b: { type: 'final' } } }

let world: FrontWorld
const clients: Client[] = []
let names = 0

beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { evil: hostile }, names: 'always' })
  for (const definition of [open, planThenWrite]) await save(world.runtime, definition)
}, 60_000)

afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

interface How {
  readonly to?: () => Gateway
  readonly headers?: object
  readonly isNamed?: boolean
}

/** A connection; `to` says which server answers it, which may be another one after a restart. */
async function connect(
  caller: Caller,
  era: Era,
  { to = () => world.gateway, headers = {}, isNamed = era === 'auto' }: How = {},
): Promise<Client> {
  names += 1
  const named = isNamed ? { 'statewright-connection': `bridge ${names}` } : {}
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), {
    requestInit: { headers: { ...named, ...headers } },
    fetch: async (url, init) => asResponse(await to().mcp.answer(new Request(url, init), caller)),
  })
  await client.connect(transport)
  clients.push(client)
  return client
}

async function load(client: Client, name: string, more: object = {}): Promise<string> {
  const { isError, value } = await callTool(client, 'statewright_load_workflow', { name, ...more })
  expect([isError, value]).toEqual([false, value])
  return String(value.run_id)
}

const runOf = async (client: Client) => (await callTool(client, 'statewright_get_state')).value

/** Whether a tool of a server behind us runs: one that `planThenWrite` does not allow. */
async function echo(client: Client, args: Record<string, unknown> = {}): Promise<unknown> {
  const { _meta, isError } = await client.callTool({ name: 'evil__echo', arguments: args })
  const refusal = _meta?.['statewright/refusal'] as { code: string } | undefined
  return refusal?.code ?? (isError === true ? 'error' : 'ran')
}

describe.each(eras)('a connection of the %s era', (era) => {
  test('is bound to the run that it loaded, beside another of the same token', async () => {
    const caller = newAgent()
    const [one, two] = [await connect(caller, era), await connect(caller, era)]
    const first = await load(one, 'open')
    const second = await load(two, 'plan-then-write')
    expect((await runOf(one)).run_id).toBe(first)
    expect((await runOf(two)).run_id).toBe(second)
    expect([await echo(one), await echo(two)]).toEqual(['ran', 'tool_not_allowed'])
    const moved = await callTool(one, 'statewright_transition', { event: 'GO' })
    expect(moved.value).toMatchObject({ transitioned: true, to: 'b' })
    // What it loaded is over: it does not go on with what the other works at.
    expect(await runOf(one)).toMatchObject({
      code: 'no_active_run',
      message: 'No run is active. The run of open has ended: completed.',
    })
    expect((await runOf(two)).run_id).toBe(second)
  })

  test('is bound to what it loaded last', async () => {
    const client = await connect(newAgent(), era)
    await load(client, 'open')
    const second = await load(client, 'plan-then-write')
    expect((await runOf(client)).run_id).toBe(second)
    expect(await echo(client)).toBe('tool_not_allowed')
  })

  test('goes on with another run after it paused one, and takes that up by its id', async () => {
    const client = await connect(newAgent(), era)
    const first = await load(client, 'open')
    await callTool(client, 'statewright_pause')
    const second = await load(client, 'plan-then-write')
    expect((await runOf(client)).run_id).toBe(second)
    expect(await load(client, 'open', { run: first })).toBe(first)
    expect(await runOf(client)).toMatchObject({ run_id: first, status: 'running' })
  })

  test('is known again by a server that was restarted', async () => {
    const caller = newAgent()
    let gateway = world.gateway
    const to = () => gateway
    const [one, two] = [await connect(caller, era, { to }), await connect(caller, era, { to })]
    const [first, second] = [await load(one, 'open'), await load(two, 'open')]
    const again = restarted()
    gateway = again
    try {
      expect((await runOf(one)).run_id).toBe(first)
      expect((await runOf(two)).run_id).toBe(second)
    } finally {
      gateway = world.gateway
      await again.close()
    }
  })

  test('PO-8a: gets no way out of the runs of its token by naming a session', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'plan-then-write' })
    const client = await connect(caller, era, { headers: { 'statewright-session': 'made up' } })
    expect(await echo(client)).toBe('tool_not_allowed')
  })

  test('PO-8a: gets nothing by naming the session of another', async () => {
    const session = `theirs ${era}`
    const run = await start(world.runtime, ann, { workflow: 'plan-then-write', session })
    const headers = { 'statewright-session': session }
    const owner = await connect(newAgent(), era, { headers })
    expect((await runOf(owner)).run_id).toBe(run)
    const thief = await connect(newAgent(), era, { headers })
    expect(await runOf(thief)).toMatchObject({ code: 'no_active_run' })
    const named = await callTool(thief, 'statewright_transition', { event: 'READY', run })
    expect(named.value).toMatchObject({ code: 'unknown_run' })
    expect(await runOf(owner)).toMatchObject({ run_id: run, state: 'planning' })
  })
})

describe('a client of the new era that nothing tells apart', () => {
  test('goes on with the run that it did not pause', async () => {
    const client = await world.connect(newAgent())
    await load(client, 'open')
    await callTool(client, 'statewright_pause')
    const second = await load(client, 'plan-then-write')
    expect((await runOf(client)).run_id).toBe(second)
  })

  test('hands along which of its runs it means, to tools of other servers as well', async () => {
    const caller = newAgent()
    const client = await world.connect(caller)
    const first = await load(client, 'open')
    const second = await load(client, 'plan-then-write')
    expect(await echo(client)).toBe('usage')
    expect(await echo(client, { statewright_run: first })).toBe('ran')
    expect(await echo(client, { statewright_run: second })).toBe('tool_not_allowed')
    const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' })
    const { inputSchema } = tools.find(({ name }) => name === 'evil__echo') ?? {}
    expect(inputSchema?.properties).toHaveProperty('statewright_run')
    const output = await client.callTool({
      name: 'evil__echo',
      arguments: { statewright_run: first, plain: 1 },
    })
    expect(JSON.stringify(output.content)).not.toContain('statewright_run')
  })

  test('is known by its process, where the kernel shows it', async () => {
    const caller = newAgent()
    const of = (process: string) =>
      connect(caller, 'auto', {
        isNamed: false,
        to: () => fromProcess(process),
      })
    const [one, two] = [await of('11@1'), await of('22@1')]
    const [first, second] = [await load(one, 'open'), await load(two, 'open')]
    expect((await runOf(one)).run_id).toBe(first)
    expect((await runOf(two)).run_id).toBe(second)
    const stranger = await world.connect(caller)
    expect(await runOf(stranger)).toMatchObject({ code: 'usage', where: 'run' })
  })
})

describe('sessions that make the same call at the same time', () => {
  test.each(['legacy', 'auto'] as const)(
    'are told apart by the request of the call, also when older connections have ended (%s)',
    async (era) => {
      const caller = newAgent()
      const { waiting } = world.gateway.hooks.toolUses
      const of = (gateway: Gateway) => connect(caller, era, { to: () => gateway })
      const [one, two] = [await of(fromNewest('11@1')), await of(fromNewest('22@1'))]
      const call = { tool: 'statewright_load_workflow', input: { name: 'open' } }
      for (const [session, process] of [
        ['first', '11@1'],
        ['second', '22@1'],
      ] as const) {
        const use = { client: 'gemini', session }
        waiting.add(caller, call, { callId: `${era}-${session}`, use, process })
      }
      const runs = [await load(two, 'open'), await load(one, 'open')]
      const rows = await Promise.all(runs.map((run) => world.runtime.store.runs.load(run)))
      const expected = ['second', 'first'].map((session) => sessionKey(caller, session))
      expect(rows.map((run) => run?.row.session)).toEqual(expected)
    },
  )
})

describe('a run that was left without a pause', () => {
  test('WF-27b: on a closed connection is taken up by its name with resume', async () => {
    const caller = newAgent()
    const before = await connect(caller, 'legacy')
    const run = await load(before, 'plan-then-write')
    await callTool(before, 'statewright_transition', { event: 'READY' })
    const after = await connect(caller, 'legacy')
    const beside = await load(after, 'plan-then-write', { resume: true })
    expect(beside).not.toBe(run)
    await callTool(after, 'statewright_deactivate')
    const { transport } = before
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
    const { value } = await callTool(after, 'statewright_load_workflow', {
      name: 'plan-then-write',
      resume: true,
    })
    expect(value).toMatchObject({ run_id: run, state: 'writing', resumed: true })
    expect((await runOf(after)).run_id).toBe(run)
  })

  test('WF-27b: by a client that was killed is taken up, by one that runs it is not', async () => {
    const caller = newAgent()
    const alive = `${process.pid}@${processStart(process.pid)}`
    const of = (key: string) => connect(caller, 'auto', { to: () => fromProcess(key) })
    const [one, two, three] = [await of(alive), await of('999999999@1'), await of(alive)]
    const first = await load(one, 'open')
    const second = await load(two, 'open')
    expect(await load(three, 'open', { resume: true })).toBe(second)
    expect((await runOf(one)).run_id).toBe(first)
    expect((await runOf(three)).run_id).toBe(second)
  })

  test('WF-27b: by a session that ended is taken up by the next, never before', async () => {
    const caller = newAgent()
    const hook: Caller = { ...caller, kind: 'hook' }
    const client = await world.connect(caller)
    const { toolUses } = world.gateway.hooks
    const joined = (session: string) => {
      names += 1
      toolUses.announce(caller, `u${names}`, { client: 'claude-code', session })
      return { 'claudecode/toolUseId': `u${names}` }
    }
    const say = async (event: string, session: string) => {
      const { answerClientHook } = await import('../hooks/client-hook.ts')
      const body = { hook_event_name: event, session_id: session, cwd: '/', prompt: 'x' }
      const text = JSON.stringify({ ...body, reason: 'other', source: 'startup' })
      await answerClientHook(world.gateway.hooks, { client: 'claude-code', caller: hook, text })
    }
    const loadIn = async (session: string, args: object) =>
      (
        await callTool(
          client,
          'statewright_load_workflow',
          { name: 'open', ...args },
          joined(session),
        )
      ).value
    await say('UserPromptSubmit', 'old')
    const run = (await loadIn('old', {})).run_id
    expect(await loadIn('new', { run })).toMatchObject({ code: 'locked' })
    await say('UserPromptSubmit', 'new')
    const fresh = await loadIn('new', { resume: true })
    expect([fresh.run_id === run, fresh.resumed]).toEqual([false, false])
    await say('SessionEnd', 'old')
    expect(await loadIn('newer', { resume: true })).toMatchObject({ run_id: run, resumed: true })
    const state = await callTool(client, 'statewright_get_state', {}, joined('newer'))
    expect(state.value.run_id).toBe(run)
  })
})

/** A server that was started again on the same store: nothing that was in memory is there. */
function restarted(): Gateway {
  const { store, clock, settings } = world.runtime
  const guard = createGuard({ runtime: createRuntime({ store, clock, settings }) })
  return createGateway({
    guard,
    version: '0.0.0',
    settings: () => defaultGateway,
    folder: world.folder,
    environment: process.env,
    onFault: (fault) => world.faults.push(fault),
    onNote: () => {},
  })
}

/** The same, where each request has a connection of its own, and those before have ended. */
function fromNewest(process: string): Gateway {
  const { mcp } = world.gateway
  let requests = 0
  const question: Gateway['mcp'] = {
    ...mcp,
    answer: (request, caller) => {
      const at = ++requests
      return mcp.answer(request, caller, { ancestors: () => (at === requests ? [process] : []) })
    },
  }
  return { ...world.gateway, mcp: question }
}

/** The same server, asked by a process that the kernel shows. */
function fromProcess(process: string): Gateway {
  const { mcp } = world.gateway
  const question: Gateway['mcp'] = {
    ...mcp,
    answer: (request, caller) => mcp.answer(request, caller, { ancestors: () => [process] }),
  }
  return { ...world.gateway, mcp: question }
}
