import type { Entry } from '@statewright/core/internal'
import { afterEach, expect, test } from 'vitest'
import {
  call,
  completed,
  openWorld,
  say,
  spawn,
  story,
  type World,
} from '../../../testing/broker.ts'
import { ann, save } from '../../../testing/runtime.ts'
import { resolveApproval } from '../../runtime/runs/approvals.ts'
import type { HarnessContext, HarnessPart } from '../ports.ts'

let world: World
afterEach(() => world.close())

const readThenWrite = {
  id: 'read-then-write',
  initial: 'reading',
  states: {
    reading: {
      allowed_tools: ['Read'],
      instructions: 'Read first.',
      model: 'small',
      thinking_level: 'low',
      on: { READ: 'writing' },
    },
    writing: { allowed_tools: ['Read', 'Write'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

const asking = {
  id: 'asking',
  initial: 'work',
  states: { work: { on: { DONE: 'done' } }, done: { type: 'final' } },
  policy: { allow: [], ask: [{ capability: 'write' }], deny: [], default: 'allow' },
}

test('SE-11, SE-4: a denied call is answered with why, and the turn goes on', async () => {
  world = await openWorld({
    answers: [
      [call('write_file', 'a', { path: 'x', content: 'y' }), call('read_file', 'b'), completed],
      [completed],
    ],
  })
  await save(world.runtime, readThenWrite)
  const id = await spawn(world, { workflow: 'read-then-write' })
  await say(world, id)
  await world.until(id, 'ready')
  expect(world.toolRuns.map(({ name }) => name)).toEqual(['read_file'])
  const [, , denied] = world.requests[1]?.messages ?? []
  expect(denied).toMatchObject({ role: 'tool', toolCallId: 'a', isError: true })
  expect(denied?.content).toContain('tool_not_allowed')
  expect(denied?.content).toContain('READ')
  const lines = story(await world.updates(id))
  expect(lines).not.toContain('tool write_file running')
  expect(lines).toContain('tool write_file succeeded')
})

test('SE-11, SE-12: a bound session gets brief, tools and model with each request', async () => {
  const request: string[] = []
  world = await openWorld({
    answers: [[call('statewright_transition', 'a', { event: 'READ' }), completed], [completed]],
    ownTools: {
      definitions: [
        { name: 'statewright_transition', description: 'Moves.', inputSchema: { type: 'object' } },
      ],
      call: async ({ session }, name, args) => {
        request.push(`${name} ${JSON.stringify(args)} ${session.startsWith('sess_')}`)
        return { output: 'moved', isError: false }
      },
    },
  })
  await save(world.runtime, readThenWrite)
  const free = await spawn(world)
  await say(world, free)
  await world.until(free, 'ready')
  expect(world.requests[0]).toMatchObject({ brief: null, tools: [{ name: 'read_file' }] })
  const id = await spawn(world, { workflow: 'read-then-write' })
  await say(world, id)
  await world.until(id, 'ready')
  const last = world.requests.at(-1)
  expect(last).toMatchObject({ model: 'small', thinkingLevel: 'low' })
  expect(last?.brief).toContain('[STATEWRIGHT]')
  expect(last?.brief).toContain('Read first.')
  expect(last?.tools.map(({ name }) => name)).toContain('statewright_transition')
  expect(request).toContain('statewright_transition {"event":"READ"} true')
  expect(world.toolRuns).toEqual([])
})

test('WF-28a: what a tool of a server is known to write counts in a session', async () => {
  const keep = (id: string, to: string) => call('mcp__side__save', id, { to, content: 'x' })
  world = await openWorld({
    answers: [[keep('a', 'one'), completed], [keep('b', 'two'), completed], [completed]],
    writes: { mcp__side__save: ['to'] },
  })
  const work = { max_files_per_state: 1, on: { DONE: 'done' } }
  const states = { work, done: { type: 'final' } }
  await save(world.runtime, { id: 'one-file', initial: 'work', states })
  const id = await spawn(world, { workflow: 'one-file' })
  await say(world, id)
  await world.until(id, 'ready')
  expect(world.toolRuns.map(({ callId }) => callId)).toEqual(['a'])
  expect(world.requests.at(-1)?.messages.at(-1)?.content).toContain('too_many_files')
})

test('SE-14a, SE-11: a call that a person must allow is queued until they did', async () => {
  world = await openWorld({
    answers: [[call('write_file', 'a', { path: 'x', content: 'y' }), completed], [completed]],
  })
  await save(world.runtime, asking)
  const id = await spawn(world, { workflow: 'asking' })
  await say(world, id)
  const approvalId = await waitingApproval(world)
  expect(world.toolRuns).toEqual([])
  const attached = await world.broker.attach(ann, id)
  expect(attached).toMatchObject({ value: { snapshot: { toolRuns: [{ status: 'queued' }] } } })
  const verdict = { approvalId, verdict: 'approve' } as const
  expect((await resolveApproval(world.runtime, ann, verdict)).ok).toBe(true)
  await world.until(id, 'ready')
  expect(world.toolRuns.map(({ name }) => name)).toEqual(['write_file'])
})

test('SE-14a, SE-11: a call that a person rejects is told to the model', async () => {
  world = await openWorld({
    answers: [[call('write_file', 'a', { path: 'x', content: 'y' }), completed], [completed]],
  })
  await save(world.runtime, asking)
  const id = await spawn(world, { workflow: 'asking' })
  await say(world, id)
  const approvalId = await waitingApproval(world)
  await resolveApproval(world.runtime, ann, { approvalId, verdict: 'reject' })
  await world.until(id, 'ready')
  expect(world.toolRuns).toEqual([])
  expect(world.requests[1]?.messages.at(-1)?.content).toContain('approval_rejected')
})

test('SE-11: an unknown workflow starts no session', async () => {
  world = await openWorld({ answers: [[completed]] })
  const request = { harness: 'scripted', projectPath: '/', options: {}, workflow: 'nowhere' }
  expect(await world.broker.spawn(ann, request)).toMatchObject({
    error: { code: 'unknown_workflow' },
  })
  expect(await world.broker.list(ann, 10)).toEqual([])
})

const budgeted = {
  name: 'budgeted',
  initial: 'start',
  session_budget_usd: 0.015,
  states: {
    start: { question: 'Done?', answers: { yes: { next: 'end' } } },
    end: { question: 'Nothing is left to ask.' },
  },
}

test('PR-9b: what the model costs counts for the budget of the run, before its calls', async () => {
  const read = (id: string): HarnessPart[] => [call('read_file', id), completed]
  world = await openWorld({ answers: [read('a'), read('b'), [completed]] })
  await save(world.runtime, budgeted)
  const id = await spawn(world, { process: 'budgeted' })
  await say(world, id)
  await world.until(id, 'ready')
  // A cent each: the first call is within the budget, the second is not.
  expect(world.toolRuns.map(({ callId }) => callId)).toEqual(['a'])
  await expect.poll(() => entriesOf(world, id, 'cost_reported')).toHaveLength(2)
  // Nor is the model asked again, not even by its user.
  await say(world, id)
  await world.until(id, 'ready')
  expect(world.requests).toHaveLength(2)
})

test('PR-9a, PR-9b: a model without a price is told in the history of the run', async () => {
  const payload = { costUnknown: 'no price', model: 'odd-1', inputTokens: 7, outputTokens: 2 }
  world = await openWorld({ answers: [[{ type: 'completed', payload }]] })
  await save(world.runtime, readThenWrite)
  const id = await spawn(world, { workflow: 'read-then-write' })
  await say(world, id)
  await world.until(id, 'ready')
  await expect
    .poll(() => entriesOf(world, id, 'notice'))
    .toMatchObject([{ code: 'unknown_model', text: { values: { input: 7 } } }])
  const attached = await world.broker.attach(ann, id)
  expect(attached).toMatchObject({ ok: true, value: { row: { state: { unpriced: 1 } } } })
})

test('SE-11: results of an agent with tools of its own count, and fire interrupts', async () => {
  let context: HarnessContext | undefined
  world = await openWorld({
    answers: [[completed]],
    harness: {
      runsOwnTools: true,
      start: async (given) => {
        context = given
        return { send: async () => {}, stop: async () => 0, kill: async () => {} }
      },
    },
  })
  const secret = { trigger: { file_pattern: '**/*.env' }, target: 'mending' }
  const states = { open: { on: { DONE: 'done' } }, mending: { on: { OK: '$return' } } }
  const done = { type: 'final' }
  await save(world.runtime, {
    id: 'interrupted',
    initial: 'open',
    states: { ...states, done },
    interrupts: { secret },
  })
  const id = await spawn(world, { workflow: 'interrupted' })
  const input = { file_path: '/x.env', content: 'y' }
  const judged = await context?.calls.judge({ callId: 'a', name: 'Write', arguments: input })
  expect(judged).toMatchObject({ isAllowed: true })
  const result = { callId: 'a', bytes: 12, exit: 'success' } as const
  const notices = await context?.calls.finished(result)
  expect(notices).toEqual([expect.stringContaining('mending')])
  // Neither a second result nor one of a call that nobody judged counts.
  expect(await context?.calls.finished(result)).toEqual([])
  expect(await context?.calls.finished({ ...result, callId: 'b' })).toEqual([])
  expect(await entriesOf(world, id, 'call_finished')).toMatchObject([{ bytes: 12 }])
})

async function entriesOf({ runtime, broker }: World, id: string, type: Entry['type']) {
  const found = await broker.attach(ann, id)
  const runId = found.ok ? (found.value.row.runId ?? '') : ''
  const page = await runtime.store.runs.entries(runId, { after: 0, limit: 100 })
  return page.map(({ entry }) => entry).filter((entry) => entry.type === type)
}

async function waitingApproval({ runtime }: World): Promise<string> {
  for (;;) {
    const [found] = await runtime.store.approvals.list({ status: 'waiting', limit: 1 })
    if (found !== undefined) return found.approvalId
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('FC-11, FC-2: what a person writes is the task, and our own tools teach', async () => {
  world = await openWorld({
    answers: [
      [call('write_file', 'a', { path: 'notes.md', content: 'y' }), completed],
      [call('write_file', 'b', { path: 'other.md', content: 'y' }), completed],
      [call('read_file', 'c', { path: 'other.md' }), completed],
      [call('write_file', 'd', { path: 'other.md', content: 'y' }), completed],
      [completed],
    ],
  })
  await save(world.runtime, {
    id: 'named-files',
    initial: 'work',
    facts: { shown: { from: 'Read', key: 'args.path' } },
    calls: {
      Write: [
        {
          require: 'mentions(task, args.path) || args.path in facts.shown',
          message: 'Only files that were named or read.',
        },
      ],
    },
    states: { work: { on: { DONE: 'done' } }, done: { type: 'final' } },
  })
  const id = await spawn(world, { workflow: 'named-files' })
  await world.broker.input(ann, id, { text: 'Please write notes.md.' })
  await world.until(id, 'ready')
  expect(world.toolRuns.map(({ callId }) => callId)).toEqual(['a', 'c', 'd'])
})
