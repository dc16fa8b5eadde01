import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'
import { type Ready, stopped, Testbed } from '../../packages/server/testing/testbed.ts'
import { Attached, type Followed, followEvents } from './session-kit.ts'

/** Two servers on one Postgres: what is begun at one goes on at the other. */

let postgres: TestPostgres
let one: Node
let other: Node
const testbed = new Testbed()

beforeAll(async () => {
  postgres = await startPostgres()
  const databaseUrl = await postgres.database()
  one = await startNode('one', databaseUrl)
  other = await startNode('other', databaseUrl)
}, 120_000)

afterAll(async () => {
  testbed.close()
  await postgres.stop()
}, 60_000)

const asking = {
  id: 'asking',
  initial: 'one',
  policy: { allow: [], ask: [{ capability: 'write' }], deny: [], default: 'allow' },
  states: { one: { on: { END: 'done' } }, done: { type: 'final' } },
} as const

const gated = {
  id: 'gated',
  meta: { approval_mode: 'ui' },
  initial: 'one',
  states: {
    one: { on: { SHIP: { target: 'done', requires_approval: true } } },
    done: { type: 'final' },
  },
} as const

/** One program for all hooks: files in the folder of a session say what it does there. */
const hook = `
if [ -e hook-fails ]; then echo failed >> hook.log; exit 1; fi
if [ -e hook-hangs ]; then echo began >> hook.log; sleep 60; fi
if [ -e hook-fails-once ]; then rm hook-fails-once; echo first >> hook.log; exit 1; fi
echo ran >> hook.log`

const hooks = [
  {
    name: 'after',
    command: ['bash', '-c', hook],
    failure_policy: { type: 'retry', max_attempts: 2, delay_ms: 8000 },
  },
]

class Node {
  readonly ready: Ready
  readonly child: ChildProcess

  constructor(ready: Ready, child: ChildProcess) {
    this.ready = ready
    this.child = child
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.ready.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.ready.person_token}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const value = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }

  async session(id: string): Promise<Attached> {
    return Attached.parse(await this.ask('GET', `/api/sessions/${id}`))
  }

  follow(id: string, isOver: (data: Record<string, unknown>) => boolean): Promise<Followed[]> {
    const { url, person_token: token = '' } = this.ready
    return followEvents({ url, token, id, after: '0' }, (_event, data) => isOver(data))
  }

  untilState(id: string, state: string, times = 1): Promise<Followed[]> {
    let left = times
    return this.follow(id, (data) => {
      if (data.type === 'state_changed' && data.to === state) left -= 1
      return left === 0
    })
  }
}

async function startNode(name: string, databaseUrl: string): Promise<Node> {
  const data = join(testbed.folder, name)
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'hooks.json'), JSON.stringify({ hooks }))
  const args = ['--test-person', '--data', data, '--database-url', databaseUrl]
  const { ready, child } = await testbed.up(...args)
  return new Node(ready, child)
}

/** A session in a folder of its own, told to go. */
async function begin(
  node: Node,
  name: string,
  { turns, files = [], workflow }: { turns: unknown[]; files?: string[]; workflow?: string },
) {
  const folder = join(testbed.project, name)
  mkdirSync(folder)
  for (const file of files) writeFileSync(join(folder, file), '')
  const spawned = Attached.parse(
    await node.ask('POST', '/api/sessions', {
      harness: 'scripted',
      projectPath: folder,
      options: { script: { turns } },
      ...(workflow === undefined ? {} : { workflow }),
    }),
  )
  const id = spawned.sessionId
  await node.untilState(id, 'ready')
  const go = () => node.ask('POST', `/api/sessions/${id}/input`, { text: 'go' })
  const path = (file: string) => join(folder, file)
  const read = (file: string) => readFileSync(path(file), 'utf8')
  return { id, go, path, read, has: (file: string) => existsSync(path(file)) }
}

const bash = (command: string) => ({ tool: 'bash', arguments: { command } })
const edit = [bash('echo once >> edit.log')]
const done = [{ text: 'Done.' }]
const isRunning = (data: Record<string, unknown>) =>
  data.type === 'tool_lifecycle' && data.status === 'running'

test('SE-18: a session is spoken to and followed from the node that does not have it', {
  timeout: 120_000,
}, async () => {
  const { id } = await begin(one, 'talked', { turns: [[{ text: 'Hello there.' }], done] })
  const followed = other.untilState(id, 'ready', 2)
  await other.ask('POST', `/api/sessions/${id}/input`, { text: 'go' })
  expect(await followed).toEqual(await one.untilState(id, 'ready', 2))
  const { conversation } = await other.session(id)
  expect(conversation.map(({ content }) => content)).toEqual(['go', 'Hello there.'])
  await expect(other.ask('POST', `/api/sessions/${id}/tools/toolrun_x/retry`)).rejects.toThrow(
    'state_transition_invalid',
  )
  await other.ask('POST', `/api/sessions/${id}/stop`, {})
  await one.untilState(id, 'stopped')
})

test('SE-11b, SE-18: a session goes on when a person answers at the other node', {
  timeout: 120_000,
}, async () => {
  await one.ask('PUT', '/api/workflows/gated', gated)
  const move = [{ tool: 'statewright_transition', arguments: { event: 'SHIP' } }]
  const { id, go } = await begin(one, 'gated', { turns: [move, done, done], workflow: 'gated' })
  await go()
  await one.untilState(id, 'ready', 2)
  const waiting = await waitingApprovals(other)
  await other.ask('POST', `/api/approvals/${waiting[0]}/approve`, { note: 'on a Friday?' })
  await one.untilState(id, 'ready', 3)
  const { conversation } = await one.session(id)
  expect(conversation.at(-2)?.content).toContain('A person approved SHIP and wrote: on a Friday?')
})

test('SE-18: a node that hung finds its session taken, and does nothing more with it', {
  timeout: 120_000,
}, async () => {
  const turn = { attempts: [[{ text: 'half an ans' }, { delay_ms: 60_000 }], [{ text: 'Whole.' }]] }
  const { id, go } = await begin(other, 'hung', { turns: [turn, done] })
  await go()
  await other.follow(id, (data) => data.type === 'text_delta')
  other.child.kill('SIGSTOP')
  await one.untilState(id, 'ready', 2)
  other.child.kill('SIGCONT')
  await other.ask('POST', `/api/sessions/${id}/input`, { text: 'go on' })
  await other.untilState(id, 'ready', 3)
  const { conversation } = await other.session(id)
  expect(conversation.map(({ content }) => content)).toEqual(['go', 'Whole.', 'go on', 'Done.'])
})

test('SE-9, SE-18: when one of two nodes is killed, the other takes its sessions over', {
  timeout: 180_000,
}, async () => {
  await one.ask('PUT', '/api/workflows/asking', asking)
  const answering = await begin(one, 'answering', {
    turns: [{ attempts: [[{ text: 'half an ans' }, { delay_ms: 60_000 }], [{ text: 'Whole.' }]] }],
  })
  const reading = await begin(one, 'reading', { turns: [[bash('cat slow')], done] })
  execFileSync('mkfifo', [reading.path('slow')])
  const editing = await begin(one, 'editing', {
    turns: [[bash('echo once >> edit.log; touch began; sleep 60')], done],
  })
  const inHook = await begin(one, 'in-hook', { turns: [edit, done], files: ['hook-hangs'] })
  const waiting = await begin(one, 'waiting', {
    turns: [[{ tool: 'write_file', arguments: { path: 'made.txt', content: 'x' } }], done],
    workflow: 'asking',
  })
  const broken = await begin(one, 'broken', { turns: [edit, done], files: ['hook-fails'] })
  const retrying = await begin(one, 'retrying', { turns: [edit, done], files: ['hook-fails-once'] })
  const idle = await begin(one, 'idle', { turns: [done, done] })

  for (const session of [answering, reading, editing, inHook, waiting, broken, retrying, idle]) {
    await session.go()
  }
  await one.follow(answering.id, (data) => data.type === 'text_delta')
  await one.follow(reading.id, isRunning)
  await expect.poll(() => editing.has('began'), { timeout: 30_000 }).toBe(true)
  await expect.poll(() => inHook.has('hook.log'), { timeout: 30_000 }).toBe(true)
  const [approval] = await waitingApprovals(one)
  await one.untilState(broken.id, 'error', 2)
  await one.untilState(retrying.id, 'error')
  await one.untilState(idle.id, 'ready', 2)
  const sessions = { answering, reading, editing, inHook, waiting, broken, retrying, idle }
  const before = new Map<string, string[]>()
  for (const { id } of Object.values(sessions)) before.set(id, await eventIds(one, id))

  // The one that reads is run again, and must come to an end this time: the file is another one
  // before the node is gone, since the other node may be quicker than this test.
  rmSync(reading.path('slow'))
  writeFileSync(reading.path('slow'), 'read at last')
  await stopped(one.child, 'SIGKILL')

  await other.untilState(answering.id, 'ready', 2)
  await other.untilState(reading.id, 'ready', 2)
  await other.untilState(editing.id, 'error')
  await other.untilState(inHook.id, 'error')
  await other.untilState(retrying.id, 'ready', 2)

  const answered = await other.session(answering.id)
  expect(answered.conversation.at(-1)?.content).toBe('Whole.')
  expect(JSON.stringify(await other.session(reading.id))).toContain('read at last')
  for (const { id } of [editing, inHook]) {
    const { state } = await other.session(id)
    const runs = [...state.toolRuns, ...state.hookRuns].filter(({ status }) => status === 'failed')
    expect(runs).toMatchObject([{ error: expect.stringContaining('interrupted') }])
  }
  // A person approves at the node that is left; the call runs there, once.
  await other.ask('POST', `/api/approvals/${approval}/approve`, {})
  await other.untilState(waiting.id, 'ready', 2)
  expect(waiting.read('made.txt')).toBe('x')
  for (const { id } of [broken, idle, editing, inHook]) {
    await other.ask('POST', `/api/sessions/${id}/input`, { text: 'go on' })
  }
  await other.untilState(broken.id, 'ready', 2)
  await other.untilState(idle.id, 'ready', 3)
  await other.untilState(editing.id, 'ready', 2)
  await other.untilState(inHook.id, 'ready', 2)

  // Nothing was done twice, and whoever followed goes on where they were.
  expect(editing.read('edit.log')).toBe('once\n')
  expect(inHook.read('hook.log')).toBe('began\n')
  expect(broken.read('hook.log')).toBe('failed\nfailed\n')
  expect(retrying.read('hook.log')).toBe('first\nran\n')
  for (const { id } of Object.values(sessions)) {
    const known = before.get(id) ?? []
    expect(known.length).toBeGreaterThan(0)
    const after = await eventIds(other, id)
    expect(after.slice(0, known.length)).toEqual(known)
    expect(new Set(after).size).toBe(after.length)
  }
})

/** What waits for a person, as soon as something does. */
async function waitingApprovals(node: Node): Promise<string[]> {
  let ids: string[] = []
  const look = async () => {
    const Waiting = z.looseObject({
      approvals: z.array(z.looseObject({ approval_id: z.string() })),
    })
    const { approvals } = Waiting.parse(await node.ask('GET', '/api/approvals?status=waiting'))
    ids = approvals.map((one) => one.approval_id)
    return ids.length
  }
  await expect.poll(look, { timeout: 30_000 }).toBeGreaterThan(0)
  return ids
}

/** The ids of all that a session has told so far. */
async function eventIds(node: Node, id: string): Promise<string[]> {
  const { lastEventId } = await node.session(id)
  const { url, person_token: token = '' } = node.ready
  const isLast = (_event: string, _data: unknown, position: string) => position === lastEventId
  const reported = await followEvents({ url, token, id, after: '0' }, isLast)
  return reported.filter(({ id: at }) => at !== '').map(({ data }) => String(data.eventId))
}
