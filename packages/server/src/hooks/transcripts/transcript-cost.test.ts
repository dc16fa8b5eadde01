import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '@statewright/core/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../../testing/runtime.ts'
import { createGuard } from '../../guard/guard.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { allEntries } from '../../runtime/runs/read-run.ts'
import { defaultSettings } from '../../runtime/settings.ts'
import { answerClientHook } from '../client-hook.ts'
import { ToolUses } from '../tool-uses.ts'

const budgeted = {
  name: 'budgeted',
  initial: 'ask',
  states: { ask: { question: 'Go on?', answers: { yes: { next: null } } } },
  session_budget_usd: 1,
}

const million = 1_000_000
const prices = { plain: { input: 1, output: 10, cache_read: 0.1 } }

let world: RuntimeWorld
let projects: string
let path: string
let session: string
let run: string
let turn = 0
let faults: unknown[] = []

beforeAll(async () => {
  const outer = await openRuntime()
  const settings = { ...defaultSettings, home: outer.folder, prices }
  const { store, clock } = outer.runtime
  const runtime = createRuntime({ store, clock, settings })
  world = { ...outer, runtime, guard: createGuard({ runtime: runtime }) }
  await save(world.runtime, budgeted)
  projects = join(world.folder, '.claude', 'projects', '-work')
  mkdirSync(projects, { recursive: true })
})
afterAll(() => world.close())

beforeEach(async () => {
  turn += 1
  session = `session-${turn}`
  path = join(projects, `${session}.jsonl`)
  faults = []
  // The client's hooks have told of the session: it has a budget of its own.
  await world.runtime.sessions.keysOf({ ...agent, kind: 'hook' }, session)
  run = await start(world.runtime, agent, { process: 'budgeted', session })
})

function line(id: string, output: number, more: { model?: string; timestamp?: string } = {}) {
  const { model = 'plain', timestamp = new Date(Date.now() + 1000).toISOString() } = more
  const usage = { input_tokens: 0, output_tokens: output, cache_read_input_tokens: 0 }
  return `${JSON.stringify({ type: 'assistant', timestamp, message: { id, model, usage } })}\n`
}

async function send(body: object = {}) {
  const text = JSON.stringify({
    session_id: session,
    hook_event_name: 'Stop',
    transcript_path: path,
    ...body,
  })
  const toolUses = new ToolUses(() => world.runtime.clock.now())
  const options = {
    guard: world.guard,
    toolUses,
    onFault: (fault: unknown) => faults.push(fault),
  }
  return answerClientHook(options, { client: 'claude-code', caller: agent, text })
}

const cost = async (of = run) => (await world.runtime.live.get(of))?.row.costMicros

describe('the transcript of Claude Code', () => {
  test('PR-9b: costs the run what its models used, each answer once', async () => {
    writeFileSync(path, '{"type":"user","message":{"content":"hi"}}\n')
    appendFileSync(path, line('m1', 1000) + line('m1', 1000) + line('m2', 500))
    await send()
    expect([await cost(), faults]).toEqual([15_000, []])
    await send()
    expect(await cost()).toBe(15_000)
    appendFileSync(path, line('m3', 100))
    await send({ hook_event_name: 'PostToolBatch', tool_calls: [] })
    expect(await cost()).toBe(16_000)
  })

  test('PR-9b: an answer that grows costs what it has grown', async () => {
    writeFileSync(path, line('m1', 5))
    await send()
    expect(await cost()).toBe(50)
    appendFileSync(path, line('m1', 90))
    await send()
    expect(await cost()).toBe(900)
  })

  test('PR-9b: half a line waits for the rest of it', async () => {
    const whole = line('m1', 100)
    writeFileSync(path, whole.slice(0, 60))
    await send()
    expect(await cost()).toBe(0)
    appendFileSync(path, whole.slice(60))
    await send()
    expect(await cost()).toBe(1000)
  })

  test('PR-9b: once the budget is used up, tools are denied', async () => {
    writeFileSync(path, line('m1', million))
    await send({ hook_event_name: 'SubagentStop' })
    const answer = await send({
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_use_id: 't1',
      tool_input: { file_path: '/x' },
    })
    expect(JSON.stringify(answer)).toContain('session_budget_exhausted')
  })

  test('PR-9b: what was used before the run began is not the run’s', async () => {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    writeFileSync(path, line('m0', 1000, { timestamp }) + line('m1', 100))
    await send()
    expect(await cost()).toBe(1000)
  })

  test('PR-9b, PR-9a: a model without a price is told in the history, once', async () => {
    writeFileSync(path, line('m1', 7, { model: 'nobody-knows' }))
    await send()
    await send()
    const notices = (await allEntries(world.runtime, run)).flatMap(({ entry }) =>
      entry.type === 'notice' && entry.code === 'unknown_model' ? [textOf(entry.text)] : [],
    )
    expect(notices).toEqual([expect.stringContaining('nobody-knows')])
    expect(await cost()).toBe(0)
  })

  test('PR-9b: a restart counts nothing twice', async () => {
    writeFileSync(path, line('m1', 100))
    await send()
    const { store, clock, settings } = world.runtime
    const before = world
    const runtime = createRuntime({ store, clock, settings })
    world = { ...world, runtime, guard: createGuard({ runtime: runtime }) }
    await send()
    appendFileSync(path, line('m2', 100))
    await send()
    expect(await cost()).toBe(2000)
    world = before
  })

  test('PR-9b: a transcript that was cut does not make what was counted cheap again', async () => {
    writeFileSync(path, line('m1', 100))
    await send()
    truncateSync(path, 0)
    appendFileSync(path, line('m1', 100))
    await send()
    expect(await cost()).toBe(1000)
  })

  test('PR-9b: only files in the folder of the client are read', async () => {
    const outside = join(world.folder, 'outside.jsonl')
    writeFileSync(outside, line('m1', 100))
    const link = join(projects, `${session}-link.jsonl`)
    symlinkSync(outside, link)
    const odd = [
      outside,
      link,
      join(projects, '..', '..', '..', 'outside.jsonl'),
      '/etc/passwd',
      'relative.jsonl',
      projects,
      `${path}\0.jsonl`,
    ]
    for (const transcript_path of odd) await send({ transcript_path })
    for (const transcript_path of [7, 'x'.repeat(5000), null]) await send({ transcript_path })
    expect([await cost(), faults]).toEqual([0, []])
  })
})

test('PR-9: the cost that a result tells counts at the hooks, too', async () => {
  const tool = {
    tool_name: 'mcp__paint__draw',
    tool_use_id: 't9',
    tool_input: {},
    mcp_server: { name: 'paint' },
  }
  await send({ hook_event_name: 'PreToolUse', ...tool })
  const tool_response = { content: [], _meta: { cost_usd: 0.25 } }
  await send({ hook_event_name: 'PostToolUse', ...tool, tool_response })
  expect(await cost()).toBe(250_000)
})
