import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { followEvents, SessionTestbed } from './session-kit.ts'
import { special, startTaskModel, type TaskModel, type TaskWire, taskWires } from './task-model.ts'

const steps = 40
/** Filled once by the task, at a different step in each format: what they want back differs. */
const windows: Readonly<Record<TaskWire, number>> = {
  anthropic: 6000,
  openai: 6000,
  'openai-responses': 9000,
}
const workflow = {
  id: 'shipping',
  initial: 'work',
  states: {
    work: { on: { SHIP: { target: 'ship', requires_approval: true } } },
    ship: { on: { DONE: 'done' } },
    done: { type: 'final' },
  },
  meta: { approval_mode: 'ui' },
}
const hook = {
  name: 'check',
  command: ['sh', '-c', 'echo ran >> hook.log; test -f fixed'],
  failure_policy: { type: 'fail_session' },
}

let testbed: SessionTestbed
let model: TaskModel
afterEach(async () => {
  await model.close()
  testbed.close()
})

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${testbed.server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${testbed.server.person_token}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const value = (await answer.json()) as any
  expect(answer.ok, `${method} ${path}: ${JSON.stringify(value)}`).toBe(true)
  return value
}

const patient = { timeout: 30_000, interval: 10 }
const session = (id: string) => ask('GET', `/api/sessions/${id}`)
const until = (id: string, kind: string) =>
  expect.poll(async () => (await session(id)).kind, patient).toBe(kind)
const say = (id: string, step: number) =>
  ask('POST', `/api/sessions/${id}/input`, { text: wordsOf(step) })
const wordsOf = (step: number) => `step ${step}: ${'go on with the task, please. '.repeat(4)}`
const untilWaiting = (step: number) =>
  expect.poll(() => model.waiting.has(step), patient).toBe(true)

/** What the person does about a step beside saying it. */
const meanwhile: Readonly<Record<number, (id: string) => Promise<void>>> = {
  async [special.hook](id) {
    await until(id, 'error')
    const { retries, lastError } = await session(id)
    expect(lastError.code).toBe('hook_execution_failed')
    testbed.file('fixed', '')
    await ask('POST', `/api/sessions/${id}/hooks/${retries[0].runId}/retry`)
  },
  async [special.approval](id) {
    await until(id, 'ready')
    const { runId } = await session(id)
    const { approvals } = await ask('GET', `/api/approvals?status=waiting&run=${runId}`)
    await ask('POST', `/api/approvals/${approvals[0].approval_id}/approve`, { note: 'go ahead' })
    const last = async () => (await session(id)).conversation.at(-1).content
    await expect.poll(last, patient).toBe('It was approved.')
  },
  async [special.interruption](id) {
    await untilWaiting(special.interruption)
    await ask('POST', `/api/sessions/${id}/interrupt`)
  },
  async [special.kill](id) {
    await untilWaiting(special.kill)
    await testbed.kill()
    await testbed.boot()
    await until(id, 'ready')
  },
}

/** The messages of a step, as they must stand in the conversation: none doubled, none lost. */
function expectedOf(step: number): string[] {
  const words = `user ${wordsOf(step)}`
  if (step === special.interruption) return [words]
  if (step === special.hook) {
    return [words, 'assistant write_file', 'tool write_file', `assistant Step ${step} is done.`]
  }
  if (step === special.approval) {
    const calls = ['assistant statewright_transition', 'tool statewright_transition']
    return [
      words,
      ...calls,
      'assistant I wait for you.',
      'user woken',
      'assistant It was approved.',
    ]
  }
  const notes = 'assistant read_file'
  return [words, notes, 'tool read_file the notes', `assistant Step ${step} is done.`]
}

interface Message {
  readonly role: string
  readonly content: string
  readonly toolName?: string
  readonly toolCalls?: readonly { readonly name: string; readonly callId: string }[]
  readonly toolCallId?: string
}

function lineOf({ role, content, toolName, toolCalls = [] }: Message): string {
  const [call] = toolCalls
  if (call !== undefined) return `${role} ${toolCalls.map(({ name }) => name).join(' ')}`
  if (toolName === 'read_file')
    return `tool read_file ${content.includes('the notes') ? 'the notes' : content}`
  if (toolName !== undefined) return `tool ${toolName}`
  return content.startsWith('[STATEWRIGHT] A person approved') ? 'user woken' : `${role} ${content}`
}

test.each(taskWires)(
  'SE-9, SE-12c, SE-19, SE-20: a task of 40 turns comes through all of it, over %s',
  { timeout: 120_000 },
  async (wire) => {
    testbed = new SessionTestbed()
    model = await startTaskModel(wire)
    testbed.file('notes.txt', 'the notes\n')
    writeFileSync(join(testbed.data, 'hooks.json'), JSON.stringify({ hooks: [hook] }))
    await testbed.boot()
    await ask('PUT', '/api/workflows/shipping', workflow)
    const { sessionId: id } = await ask('POST', '/api/sessions', {
      harness: 'model',
      projectPath: testbed.project,
      options: model.options,
      workflow: 'shipping',
      limits: { context_tokens: windows[wire] },
    })
    await until(id, 'ready')
    for (let step = 1; step <= steps; step += 1) {
      await say(id, step)
      await meanwhile[step]?.(id)
      await until(id, 'ready')
    }
    const { conversation, lastError, state, lastEventId } = await session(id)
    const messages: readonly Message[] = conversation
    const compactions = messages.filter(({ role }) => role === 'compaction')
    expect(compactions).toMatchObject([{ how: 'summary', content: 'ok' }])
    const lines = messages.filter(({ role }) => role !== 'compaction').map(lineOf)
    expect(lines).toEqual(Array.from({ length: steps }, (_, at) => expectedOf(at + 1)).flat())
    expect(callsWithoutResult(messages)).toEqual([])
    expect(lastError).toBeNull()
    expect(state.turns).toBe(steps + 1)
    expect(readFileSync(join(testbed.project, 'hook.log'), 'utf8')).toBe('ran\nran\n')
    // Two for each step; one more after the approval and the kill, one less where interrupted.
    expect(model.requests()).toBe(steps * 2 + 1 + 1 - 1)
    await everyRunEndsOnce(id, lastEventId)
  },
)

function callsWithoutResult(messages: readonly Message[]): string[] {
  const results = messages.flatMap(({ toolCallId }) => toolCallId ?? [])
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ callId }) => callId))
  expect(new Set(calls).size).toBe(calls.length)
  return calls.filter((callId) => results.filter((one) => one === callId).length !== 1)
}

async function everyRunEndsOnce(id: string, lastEventId: string): Promise<void> {
  const { url, person_token: token = '' } = testbed.server
  const events = await followEvents(
    { url, token, id, after: '0' },
    (_, __, at) => at === lastEventId,
  )
  const ends = events.flatMap(({ data }) =>
    data.type === 'tool_lifecycle' && data.status === 'succeeded' ? [String(data.runId)] : [],
  )
  expect(ends).toHaveLength(steps - 1)
  expect(new Set(ends).size).toBe(ends.length)
  const ids = events.map((event) => Number(event.id))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
}
