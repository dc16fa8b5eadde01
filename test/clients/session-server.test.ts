import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Attached, type Followed, followEvents } from '../sessions/session-kit.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { homeOf, running } from '../support/running.ts'
import { type StartedServer, startStatewright } from '../support/statewright.ts'
import { claudeEnvironment, claudeProgram, isClaudeInstalled } from './claude-client.ts'
import { isDriven, planThenWrite } from './guarded-home.ts'

const cache = (name: string) =>
  fileURLToPath(new URL(`../../.cache/clients/${name}`, import.meta.url))
const acpProgram = cache('claude-acp/node_modules/.bin/claude-agent-acp')
const claude = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })
const acp = isDriven('ACP agent', { isInstalled: existsSync(acpProgram) })

let home: string
let work: string
let model: FakeModel
let server: StartedServer

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-started-')))
  work = join(home, 'work')
  mkdirSync(work)
})
afterEach(async () => {
  await server.kill()
  await model.close()
  rmSync(home, { recursive: true, force: true })
})

/** A server that finds the agents in its PATH, as it would on a person's machine. */
async function begin(script: readonly Turn[]): Promise<void> {
  model = await startFakeModel(script)
  const environment = claudeEnvironment(home, model)
  const programs = [dirname(acpProgram), dirname(claudeProgram)]
  const PATH = [...programs, dirname(process.execPath), environment.PATH].join(':')
  const args = ['--data', join(home, 'data')]
  server = await startStatewright({ cwd: work, environment: { ...environment, PATH }, args })
  const saved = await server.ask('PUT', `/api/workflows/${planThenWrite.id}`, planThenWrite)
  expect(saved.status).toBe(200)
}

async function ask(path: string, body?: object): Promise<Attached> {
  const { status, value } = await server.ask(body === undefined ? 'GET' : 'POST', path, body)
  expect([path, status, value]).toEqual([
    path,
    body === undefined ? 200 : expect.any(Number),
    value,
  ])
  return Attached.parse(value)
}

function until(id: string, state: string): Promise<Followed[]> {
  const from = { url: server.url, token: server.personToken, id, after: '0' }
  return followEvents(from, (_, data) => data.type === 'state_changed' && data.to === state)
}

/** Says a word to a new session, and gives back its id once the turn is over. */
async function start(harness: string, more: object): Promise<string> {
  const body = { harness, projectPath: work, options: { agent: 'claude' }, ...more }
  const { sessionId } = await ask('/api/sessions', body)
  await until(sessionId, 'ready')
  await ask(`/api/sessions/${sessionId}/input`, { text: 'go' })
  return sessionId
}

const write = (name: string) => () => [
  { tool: 'Write', input: { file_path: join(work, name), content: 'written\n' } },
]

/** The server with our own tools has a name of its own in sessions of ACP agents. */
const ready: Turn = ({ messages, tools }) => {
  const listed = [...tools.map(({ name }) => name), JSON.stringify(messages)].join(' ')
  const tool = /mcp__statewright\w*?__statewright_transition/.exec(listed)?.[0] ?? 'none'
  return [{ tool, input: { event: 'READY' } }]
}

const limits = { timeout: 120_000 }

describe.each([
  { harness: 'claude-code', isWanted: claude },
  { harness: 'acp', isWanted: acp },
])('a session of $harness that a server started', limits, ({ harness, isWanted }) => {
  test.skipIf(!isWanted)(
    'SE-11, SE-12, SE-14: is held by its workflow, and its results count',
    async () => {
      const [early, note, secret] = ['early.txt', 'note.txt', 'some.env'].map(write)
      if (early === undefined || note === undefined || secret === undefined) throw new Error('bug')
      await begin([early, ready, note, secret, write('later.txt'), [{ text: 'Done.' }]])
      const id = await start(harness, { workflow: planThenWrite.id })
      const told = await until(id, 'processing_response')
      const calls = told
        .filter(({ data }) => data.type === 'tool_call_completed')
        // The published shape.
        .map(({ data }) => data.payload as { name: string; isError: boolean })
      expect(calls.map(({ name, isError }) => `${name} ${isError}`)).toEqual([
        'Write true',
        expect.stringMatching(/__statewright_transition false$/),
        'Write false',
        'Write false',
        'Write false',
      ])
      expect(existsSync(join(work, 'early.txt'))).toBe(false)
      expect(readFileSync(join(work, 'note.txt'), 'utf8')).toBe('written\n')
      const { runId } = await ask(`/api/sessions/${id}`)
      const page = await server.ask('GET', `/api/runs/${runId}/entries?limit=100`)
      const { entries } = page.value as { entries: { type: string }[] } // As above.
      const types = entries.map(({ type }) => type)
      expect(types.filter((type) => type === 'call_finished')).toHaveLength(3)
      expect(types).toContain('interrupted')
      expect(await ask(`/api/sessions/${id}/stop`, {})).toMatchObject({ sessionId: id })
      await until(id, 'stopped')
      expect(running('').filter((pid) => homeOf(pid) === home && isAgent(pid))).toEqual([])
    },
  )

  test.skipIf(!isWanted)('SE-7: stop ends all that it has started', async () => {
    const name = `started-${process.pid}-${Date.now()}`
    const child = `exec -a ${name} sleep 300`
    const command = `bash -c '${child}' & setsid bash -c '${child}' & ${child}`
    await begin([[{ tool: 'Bash', input: { command } }], [{ text: 'Done.' }]])
    const id = await start(harness, {})
    await expect.poll(() => running(name).length, { timeout: 60_000 }).toBe(3)
    await ask(`/api/sessions/${id}/stop`, {})
    await until(id, 'stopped')
    expect(running(name)).toEqual([])
    expect(running('').filter((pid) => homeOf(pid) === home && isAgent(pid))).toEqual([])
  })
})

/** Everything of this home but the server itself. */
function isAgent(pid: string): boolean {
  return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('statewright.mjs')
}
