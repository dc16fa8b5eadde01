import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type StartedServer, startStatewright } from '../../packages/server/testing/child.ts'
import { scriptedAcpOptions, writeScriptedClaude } from '../doors/agent-doors.ts'
import { followEvents } from './session-kit.ts'

let home: string
let project: string
let server: StartedServer

/** Fails where the project says so, and keeps what it was told. */
const hook = {
  name: 'note',
  command: ['/bin/sh', '-c', 'cat > hooked.json; test ! -e broken || { echo no; exit 3; }'],
}
const reading = {
  id: 'reading',
  initial: 'look',
  states: {
    look: { allowed_tools: ['Read', 'Grep'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-agent-tools-')))
  for (const name of ['bin', 'data', 'work']) mkdirSync(join(home, name))
  writeFileSync(join(home, 'data', 'hooks.json'), JSON.stringify({ hooks: [hook] }))
  writeScriptedClaude(join(home, 'bin'))
  server = await startStatewright({
    cwd: join(home, 'work'),
    environment: {
      HOME: home,
      PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    },
    args: ['--data', join(home, 'data')],
  })
  await server.ask('PUT', '/api/workflows/reading', reading)
}, 60_000)
afterAll(async () => {
  await server.kill()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(() => {
  project = mkdtempSync(join(home, 'work', 'project-'))
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function ask(method: string, path: string, body?: object): Promise<any> {
  return (await server.ask(method, path, body)).value
}

async function untilRest(id: string): Promise<string> {
  const look = async () => (await ask('GET', `/api/sessions/${id}`)).kind
  await expect
    .poll(look, { timeout: 30_000, interval: 30 })
    .toSatisfy((kind) => kind === 'ready' || kind === 'error')
  return look()
}

/** Starts an agent and has it make one call; what it says of its tools and hooks comes back. */
async function made(harness: string, call: object, more: object = {}) {
  const options = harness === 'acp' ? scriptedAcpOptions : {}
  const body = { harness, projectPath: project, options, ...more }
  const { sessionId: id } = await ask('POST', '/api/sessions', body)
  await untilRest(id)
  await ask('POST', `/api/sessions/${id}/input`, { text: JSON.stringify(call) })
  const kind = await untilRest(id)
  return { id, kind, ...(await ask('GET', `/api/sessions/${id}`)) }
}

/** How runs of tools and hooks were told, in order, with the states between them. */
async function lifecycle(id: string): Promise<string[]> {
  const { lastEventId } = await ask('GET', `/api/sessions/${id}`)
  const from = { url: server.url, token: server.personToken, id, after: '0' }
  const seen = await followEvents(from, (_event, _data, at) => at === lastEventId)
  return seen.flatMap(({ data }) => {
    if (data.type === 'state_changed') return [`${data.to}`]
    if (data.type === 'tool_lifecycle') return [`${data.toolName} ${data.status}`]
    return data.type === 'hook_lifecycle' ? [`${data.hookName} ${data.status}`] : []
  })
}

const write = (path: string) => ({
  tool: 'Write',
  input: { file_path: join(project, path), content: 'x' },
})

describe.each(['acp', 'claude-code'])('calls of %s', { timeout: 90_000 }, (harness) => {
  test('SE-6a: are tool runs, and a hook follows what they change', async () => {
    const { id, kind, state } = await made(harness, write('a.txt'))
    expect(kind).toBe('ready')
    expect(state.toolRuns).toMatchObject([
      { toolName: 'Write', mutating: true, status: 'succeeded' },
    ])
    expect(state.hookRuns).toMatchObject([
      { hookName: 'note', status: 'succeeded', toolRunIds: [state.toolRuns[0].runId] },
    ])
    expect(JSON.parse(readFileSync(join(project, 'hooked.json'), 'utf8'))).toMatchObject({
      toolRuns: [{ toolName: 'Write', arguments: { file_path: join(project, 'a.txt') } }],
    })
    const steps = await lifecycle(id)
    expect(steps.slice(steps.indexOf('calling_llm'))).toEqual([
      'calling_llm',
      expect.stringMatching(/^Write (queued|running)$/),
      'Write succeeded',
      'processing_response',
      'post_tools_hook',
      'note queued',
      'note running',
      'note succeeded',
      'ready',
    ])
  })

  test('SE-6a: no hook follows what only reads, or was denied', async () => {
    const { kind, state } = await made(harness, { tool: 'Bash', input: { command: 'ls' } })
    expect([kind, state.hookRuns]).toEqual(['ready', []])
    expect(state.toolRuns).toMatchObject([{ toolName: 'Bash', mutating: false }])
    const denied = await made(harness, write('b.txt'), { workflow: 'reading' })
    expect([denied.kind, denied.state.hookRuns]).toEqual(['ready', []])
    expect(denied.state.toolRuns).toMatchObject([
      { toolName: 'Write', mutating: false, isError: true },
    ])
    expect([existsSync(join(project, 'b.txt')), existsSync(join(project, 'hooked.json'))]).toEqual([
      false,
      false,
    ])
  })

  test('SE-6a: a hook that fails is run again by a person, and then the turn is over', async () => {
    writeFileSync(join(project, 'broken'), '')
    const { id, kind, lastError, retries, state } = await made(harness, write('a.txt'))
    expect(kind).toBe('error')
    expect(lastError.message).toContain('note')
    const [failed] = state.hookRuns
    expect(retries).toEqual([{ kind: 'hook', runId: failed.runId }])
    rmSync(join(project, 'broken'))
    await ask('POST', `/api/sessions/${id}/hooks/${failed.runId}/retry`)
    expect(await untilRest(id)).toBe('ready')
    expect((await lifecycle(id)).slice(-4)).toEqual([
      'note queued',
      'note running',
      'note succeeded',
      'ready',
    ])
  })
})
