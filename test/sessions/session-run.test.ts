import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Serving, serve } from '../../packages/server/src/app/serve.ts'
import { createLog } from '../../packages/server/src/observe/logger.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import type { Store } from '../../packages/server/src/store/store.ts'

let folder: string
let store: Store
let serving: Serving
let person: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-session-run-')))
  store = await openStore({ folder: join(folder, 'data'), durability: 'crash' })
  const served = await serve({
    store,
    settings: defaultSettings,
    port: 0,
    log: createLog({ destination: { write: () => {} } }),
    environment: { PATH: process.env.PATH },
  })
  if (!served.ok) throw new Error(served.error.message)
  serving = served.value
  person = await serving.mintTestPerson()
})
afterEach(async () => {
  await serving.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(new URL(path, serving.url), {
    method,
    headers: { authorization: `Bearer ${person}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return (await answer.json()) as any
}

const session = (id: string) => ask('GET', `/api/sessions/${id}`)
const results = async (id: string): Promise<string[]> =>
  (await session(id)).conversation
    .filter(({ role }: { role: string }) => role === 'tool')
    .map(({ content }: { content: string }) => content)

const tool = (name: string, args: object = {}) => ({ tool: name, arguments: args })
const write = (path: string) => tool('write_file', { path, content: 'x' })
const move = (event: string) => tool('statewright_transition', { event })

async function begin(definition: object, turns: readonly object[][]) {
  await ask('PUT', '/api/workflows/guarding', { id: 'guarding', ...definition })
  const options = { script: { turns } }
  const spawn = { harness: 'scripted', projectPath: folder, options, workflow: 'guarding' }
  const { sessionId, runId } = await ask('POST', '/api/sessions', spawn)
  await until(sessionId, 'ready')
  return { id: sessionId as string, runId: runId as string }
}

/** Says something and waits until it was answered. */
async function talk(id: string, text = 'go'): Promise<void> {
  const { conversation } = await session(id)
  await ask('POST', `/api/sessions/${id}/input`, { text })
  await expect
    .poll(async () => {
      const now = await session(id)
      return now.kind === 'ready' && now.conversation.length > conversation.length + 1
    }, wait)
    .toBe(true)
}

const wait = { timeout: 15_000 }
const until = (id: string, kind: string) =>
  expect.poll(async () => (await session(id)).kind, wait).toBe(kind)

async function waiting(runId: string): Promise<string> {
  let found: string | undefined
  const look = async () => {
    const { approvals } = await ask('GET', `/api/approvals?status=waiting&run=${runId}`)
    found = approvals[0]?.approval_id
    return found
  }
  await expect.poll(look, wait).toBeDefined()
  return found ?? ''
}

const free = {
  initial: 'work',
  states: { work: { on: { DONE: 'done' } }, done: { type: 'final' } },
}
const asking = {
  initial: 'work',
  states: {
    work: { on: { SHIP: { target: 'shipping', requires_approval: true } } },
    shipping: { on: { DONE: 'done' } },
    done: { type: 'final' },
  },
  meta: { approval_mode: 'ui' },
  policy: { allow: [], ask: [{ capability: 'write' }], deny: [], default: 'allow' },
}
const limits = { timeout: 60_000 }

describe('the run that guards a session', limits, () => {
  test('SE-11a, SE-19: a resumed session works under a new run of its workflow', async () => {
    const work = { allowed_tools: ['Read'], on: { DONE: 'done' } }
    const { id, runId } = await begin({ ...free, states: { ...free.states, work } }, [
      [write('before.txt')],
      [{ text: 'over' }],
      [write('after.txt')],
      [{ text: 'over' }],
    ])
    await talk(id)
    await ask('POST', `/api/sessions/${id}/stop`, {})
    await until(id, 'stopped')
    await expect.poll(async () => (await ask('GET', `/api/runs/${runId}`)).status).toBe('stopped')
    const resumed = await ask('POST', `/api/sessions/${id}/resume`)
    expect(resumed.runId).not.toBe(runId)
    await until(id, 'ready')
    await talk(id)
    expect(await results(id)).toEqual([
      expect.stringContaining('tool_not_allowed'),
      expect.stringContaining('tool_not_allowed'),
    ])
    expect(await ask('GET', `/api/runs/${resumed.runId}`)).toMatchObject({
      status: 'running',
      workflow: 'guarding',
    })
  })

  test('SE-11a: no tool is there after its final state, until another run begins', async () => {
    const { id } = await begin(free, [
      [write('before.txt'), move('DONE')],
      [write('after.txt')],
      [{ text: 'over' }],
      [write('later.txt')],
      [{ text: 'over' }],
    ])
    await talk(id)
    await talk(id)
    const [, , after, later] = await results(id)
    expect(after).toContain('no_active_run')
    expect(later).toContain('no_active_run')
    expect(existsSync(join(folder, 'before.txt'))).toBe(true)
    expect(existsSync(join(folder, 'after.txt'))).toBe(false)
  })

  test('SE-11a: a person who stops it does not set the session free', async () => {
    const { id, runId } = await begin(free, [
      [write('before.txt')],
      [{ text: 'one' }],
      [write('after.txt')],
      [{ text: 'two' }],
    ])
    await talk(id)
    await ask('POST', `/api/runs/${runId}/stop`, {})
    await talk(id)
    expect((await results(id))[1]).toContain('no_active_run')
    expect(existsSync(join(folder, 'after.txt'))).toBe(false)
  })

  test('SE-11a: a stopped session ends it and withdraws what waits', async () => {
    const { id, runId } = await begin(asking, [[write('a.txt')], [{ text: 'over' }]])
    await ask('POST', `/api/sessions/${id}/input`, { text: 'go' })
    const approval = await waiting(runId)
    await ask('POST', `/api/sessions/${id}/stop`, { reason: 'no time' })
    await until(id, 'stopped')
    await expect
      .poll(async () => (await ask('GET', `/api/runs/${runId}`)).status, wait)
      .toBe('stopped')
    expect(await ask('GET', `/api/approvals/${approval}`)).not.toMatchObject({ status: 'waiting' })
    const { entries } = await ask('GET', `/api/runs/${runId}/entries?limit=50`)
    expect(JSON.stringify(entries)).toContain(id)
  })

  test('SE-11b: a session that is ready wakes when its transition is approved', async () => {
    const { id, runId } = await begin(asking, [
      [move('SHIP')],
      [{ text: 'I wait.' }],
      [move('DONE')],
      [{ text: 'shipped' }],
    ])
    await talk(id)
    const approval = await waiting(runId)
    await ask('POST', `/api/approvals/${approval}/approve`, { note: 'go ahead' })
    await expect
      .poll(async () => (await session(id)).conversation.at(-1).content, wait)
      .toBe('shipped')
    const inputs = (await session(id)).conversation.filter(
      ({ role }: { role: string }) => role === 'user',
    )
    expect(inputs).toHaveLength(2)
    expect(inputs[1].content).toMatch(/^\[STATEWRIGHT\] A person approved SHIP/)
    expect(inputs[1].content).toContain('go ahead')
    expect(await ask('GET', `/api/runs/${runId}`)).toMatchObject({ status: 'completed' })
  })

  test('SE-11b: why a person rejected reaches the model, also when it tries again', async () => {
    const { id, runId } = await begin(asking, [
      [write('a.txt')],
      [write('a.txt')],
      [move('SHIP')],
      [{ text: 'I wait.' }],
      [{ text: 'I see.' }],
    ])
    await ask('POST', `/api/sessions/${id}/input`, { text: 'go' })
    await ask('POST', `/api/approvals/${await waiting(runId)}/reject`, {
      reason: 'not today',
    })
    const approval = await waiting(runId)
    await until(id, 'ready')
    await ask('POST', `/api/approvals/${approval}/reject`, { reason: 'too early' })
    await expect
      .poll(async () => (await session(id)).conversation.at(-1).content, wait)
      .toBe('I see.')
    const [first, second] = await results(id)
    expect(first).toContain('not today')
    expect(second).toContain('not today')
    const { content } = (await session(id)).conversation.at(-2)
    expect(content).toContain('A person rejected SHIP')
    expect(content).toContain('too early')
  })

  test("SE-11c: the agent's transitions stand under the name of its session", async () => {
    const { id, runId } = await begin(free, [[move('DONE')], [{ text: 'over' }]])
    await talk(id)
    const { entries } = await ask('GET', `/api/runs/${runId}/entries?limit=50`)
    const moved = entries.find(({ type }: { type: string }) => type === 'transitioned')
    expect(JSON.stringify(moved)).toContain(`"by":"${id}"`)
  })
})
