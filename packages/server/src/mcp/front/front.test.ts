import type { Client } from '@modelcontextprotocol/client'
import { ownToolNames } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { ann, save, start } from '../../../testing/runtime.ts'
import { resolveApproval } from '../../runtime/runs/approvals.ts'
import { transition } from '../../runtime/runs/change-run.ts'
import { refusalMetaKey } from './results.ts'

const steps = {
  id: 'steps',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['mcp__evil__echo'], on: { GO: 'doing' } },
    doing: { allowed_tools: ['mcp__evil__*'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

const asking = {
  id: 'asking',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  policy: { default: 'allow', ask: [{ capability: 'mcp:evil:echo' }] },
}

const narrow = {
  id: 'narrow',
  initial: 'reading',
  states: {
    reading: { context_budget_bytes: 300, on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

let world: FrontWorld

beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { evil: hostile } })
  await save(world.runtime, steps)
  await save(world.runtime, asking)
  await save(world.runtime, narrow)
}, 60_000)
afterAll(() => world.close())

const isOurs = (name: string) => ownToolNames.some((own) => own === name)

const namesOf = async (client: Client) => {
  const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' })
  return tools.map((tool) => tool.name).filter((name) => !isOurs(name))
}

async function move(caller: ReturnType<typeof newAgent>, run: string, event: string) {
  const done = await transition(world.runtime, caller, { run, event })
  if (!done.ok) throw new Error(done.error.message)
}

/** The only question of a run, as soon as it is put. */
async function questionOf(run: string) {
  for (;;) {
    const { approvals } = world.runtime.store
    const [waiting] = await approvals.list({ status: 'waiting', runId: run, limit: 1 })
    if (waiting !== undefined) return waiting
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function answerOnceRequested(run: string, verdict: 'approve' | 'reject') {
  const { approvalId } = await questionOf(run)
  return resolveApproval(world.runtime, ann, { approvalId, verdict })
}

describe.each(['auto', 'legacy'] as const)('through the gateway (%s)', (era) => {
  test('the list shows what the state allows, and tells when that changes', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'steps' })
    const client = await world.connect(caller, era)
    expect(await namesOf(client)).toEqual(['echo'])
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve())
    })
    if (era === 'auto') await client.listen({ toolsListChanged: true })
    await move(caller, run, 'GO')
    await changed
    expect((await namesOf(client)).length).toBeGreaterThan(5)
    const other = await world.connect(newAgent(), era)
    expect((await namesOf(other)).length).toBeGreaterThan(5)
  })

  test('PO-7: a call that a person must allow waits, tells so, and then runs', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'asking' })
    const client = await world.connect(caller, era)
    const heard: string[] = []
    const called = client.callTool(
      { name: 'echo', arguments: { a: 1 } },
      { onprogress: ({ message }) => heard.push(message ?? '') },
    )
    await answerOnceRequested(run, 'approve')
    const result = await called
    expect(result.isError ?? false).toBe(false)
    expect(heard).toContain('Waiting for a person to approve this call.')
    const entries = await world.runtime.store.runs.entries(run, { after: 1, limit: 10 })
    expect(entries.map(({ entry }) => entry.type)).toEqual([
      'approval_opened',
      'call_decided',
      'approval_resolved',
      'call_decided',
      'call_finished',
    ])
  })

  test('PO-7: one that the person rejects is refused and never reaches the server', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'asking' })
    const client = await world.connect(caller, era)
    const called = client.callTool({ name: 'echo', arguments: { b: 2 } })
    await answerOnceRequested(run, 'reject')
    const { isError, _meta } = await called
    expect(isError).toBe(true)
    expect(_meta?.[refusalMetaKey]).toMatchObject({ code: 'approval_rejected' })
  })

  test('PO-7: a client that gives up waiting has not made the call', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'asking' })
    const client = await world.connect(caller, era)
    const giveUp = new AbortController()
    const called = client.callTool({ name: 'echo', arguments: { c: 3 } }, { signal: giveUp.signal })
    const refused = expect(called).rejects.toThrow()
    await questionOf(run)
    giveUp.abort()
    await refused
    const { entries } = world.runtime.store.runs
    const types = (await entries(run, { after: 1, limit: 10 })).map(({ entry }) => entry.type)
    expect(types).toEqual(['approval_opened', 'call_decided'])
  })
})

test('WF-11: a result is cut at the budget of the state, and the next call is denied', async () => {
  const caller = newAgent()
  const run = await start(world.runtime, caller, { workflow: 'narrow' })
  const client = await world.connect(caller, 'auto')
  const given = await client.callTool({ name: 'echo', arguments: { a: 'x'.repeat(2000) } })
  const text = JSON.stringify(given.content)
  expect(text).toContain('[STATEWRIGHT] The result was cut here')
  expect(text.length).toBeLessThan(700)
  const { isError, _meta } = await client.callTool({ name: 'echo', arguments: {} })
  expect(isError).toBe(true)
  expect(_meta?.[refusalMetaKey]).toMatchObject({ code: 'context_budget_exhausted' })
  const live = await world.runtime.live.get(run)
  expect(live?.snapshot.main.frames.at(-1)?.counters.bytes).toBe(300)
})

test('a denial is a result that says what is possible now', async () => {
  const caller = newAgent()
  await start(world.runtime, caller, { workflow: 'steps' })
  const client = await world.connect(caller)
  const { isError, _meta, content } = await client.callTool({ name: 'costly', arguments: {} })
  const [first] = content
  expect(isError).toBe(true)
  expect(_meta?.[refusalMetaKey]).toMatchObject({
    code: 'tool_not_allowed',
    decision: 'deny',
    allowed_tools: ['mcp__evil__echo'],
    way: [{ event: 'GO', target: 'doing' }],
  })
  expect(JSON.parse(first?.type === 'text' ? first.text : '')).toEqual(_meta?.[refusalMetaKey])
})

test('strict: without a run nothing behind us is shown or called', async () => {
  const strict = await openFrontWorld({ upstreams: { evil: hostile } }, { strict: true })
  try {
    const client = await strict.connect(newAgent())
    expect(await namesOf(client)).toEqual([])
    const { _meta } = await client.callTool({ name: 'echo', arguments: {} })
    expect(_meta?.[refusalMetaKey]).toMatchObject({ code: 'no_active_run' })
  } finally {
    await strict.close()
  }
}, 30_000)

test('with `names: always` and `list: all` every tool is shown with its server', async () => {
  const all = await openFrontWorld({ upstreams: { evil: hostile }, names: 'always', list: 'all' })
  try {
    await save(all.runtime, steps)
    const caller = newAgent()
    await start(all.runtime, caller, { workflow: 'steps' })
    const names = await namesOf(await all.connect(caller))
    expect(names).toContain('evil__costly')
    expect(names.every((name) => name.startsWith('evil__'))).toBe(true)
  } finally {
    await all.close()
  }
}, 30_000)

describe('a server that is just being started', () => {
  test.each(['list', 'call'] as const)(
    'a first %s waits for it',
    async (what) => {
      const fresh = await openFrontWorld({ upstreams: {} })
      try {
        await save(fresh.runtime, steps)
        const caller = newAgent()
        await start(fresh.runtime, caller, { workflow: 'steps' })
        const client = await fresh.connect(caller)
        await fresh.gateway.upstreams.apply({ evil: hostile })
        expect(fresh.gateway.upstreams.status()).toMatchObject([{ state: 'starting' }])
        if (what === 'list') expect(await namesOf(client)).toEqual(['echo'])
        else {
          const { isError } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
          expect(isError).not.toBe(true)
        }
      } finally {
        await fresh.close()
      }
    },
    30_000,
  )

  test('holds nobody up for long', async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
    const fresh = await openFrontWorld({ upstreams: {} })
    try {
      const client = await fresh.connect(newAgent())
      await fresh.gateway.upstreams.apply({ silent })
      expect(await namesOf(client)).toEqual([])
      expect(fresh.gateway.upstreams.status()).toMatchObject([{ state: 'starting' }])
    } finally {
      await fresh.close()
    }
  }, 30_000)
})
