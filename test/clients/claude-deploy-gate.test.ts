import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  runStatewright,
  type StartedServer,
  startStatewright,
} from '../../packages/server/testing/child.ts'
import { type FakeModel, type Reply, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'
import { isDriven } from './guarded-home.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })

const upstream = fileURLToPath(new URL('../support/filesystem-mcp.mjs', import.meta.url))
const seed = JSON.parse(readFileSync(new URL('../seeds/deploy-gate.json', import.meta.url), 'utf8'))
const limits = { timeout: 120_000 }

let home: string
let work: string
let files: string
let server: StartedServer
let model: FakeModel | undefined

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Any = any

async function ask(method: string, path: string, body?: object): Promise<Any> {
  return (await server.ask(method, path, body)).value
}

/** Plays a script in a client session of its own, with the file server beside ours. */
async function play(script: readonly Turn[]): Promise<void> {
  model = await startFakeModel(script)
  const config = join(home, 'files.json')
  const filesystem = { command: process.execPath, args: [upstream, files] }
  writeFileSync(config, JSON.stringify({ mcpServers: { filesystem } }))
  const tools = ['mcp__statewright__process_step', 'mcp__filesystem', 'Bash', 'Read']
  const args = ['--mcp-config', config, '--allowedTools', tools.join(',')]
  await runClaude({ home, work, model, args })
}

/** What the model was given with a request: results of tools and words of ours. */
function received(request: number): string {
  return JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
}

const step = (answer: string): Reply => ({
  tool: 'mcp__statewright__process_step',
  input: { answer },
})
const bash = (command: string): Reply => ({ tool: 'Bash', input: { command } })
const file = (tool: string, input: object): Reply => ({ tool: `mcp__filesystem__${tool}`, input })

async function newestRun(): Promise<Any> {
  const { runs } = await ask('GET', '/api/runs')
  return ask('GET', `/api/runs/${runs[0].run_id}`)
}

/** Says yes to what waits, as a person in the dashboard would, before the model goes on. */
function approving(next: readonly Reply[]): Turn {
  return async () => {
    const { approvals } = await ask('GET', '/api/approvals?status=waiting')
    expect(approvals).toHaveLength(1)
    await ask('POST', `/api/approvals/${approvals[0].approval_id}/approve`, {})
    return next
  }
}

describe.skipIf(!isTried)('deploy-gate in the real Claude Code', limits, () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'statewright-gate-'))
    work = join(home, 'work')
    files = join(home, 'files')
    mkdirSync(work)
    mkdirSync(files)
    const environment = { PATH: '/usr/bin:/bin', HOME: home }
    const args = ['--data', join(home, 'data'), '--workflow', 'deploy-gate']
    server = await startStatewright({ cwd: work, environment, args })
    expect((await server.ask('POST', '/api/processes', seed)).status).toBe(201)
    const person = { STATEWRIGHT_URL: server.url, STATEWRIGHT_TOKEN: server.personToken }
    const installed = await runStatewright(['install', 'claude-code', '--user', '--yes'], {
      cwd: work,
      environment: { ...environment, ...person },
    })
    expect(installed.code, installed.stderr).toBe(0)
  }, limits.timeout)

  afterEach(() => model?.close())

  afterAll(async () => {
    await server.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  })

  test('PR-6: asks all three questions, each in its brief, and is completed', async () => {
    await play([[step('yes')], [step('n/a')], [step('yes')], [{ text: 'Done.' }]])
    const { 'env-check': env, 'migration-check': migration, 'traffic-check': traffic } = seed.states
    expect(received(0)).toContain(seed.initial_prompt)
    expect(received(0)).toContain(JSON.stringify(env.question).slice(1, -1))
    expect(received(1)).toContain(migration.question)
    expect(received(2)).toContain(traffic.question)
    expect(await newestRun()).toMatchObject({ workflow: 'deploy-gate', status: 'completed' })
  })

  test('PR-4: an answer that blocks ends what the agent may do', async () => {
    await play([
      [step('yes')],
      [step('no')],
      [bash(`touch ${files}/after`)],
      [step('yes')],
      [{ tool: 'mcp__statewright__statewright_load_workflow', input: { name: 'deploy-gate' } }],
      [bash(`touch ${files}/after`)],
    ])
    expect(received(3)).toContain('run_blocked')
    expect(received(4)).toContain('run_not_active')
    expect(received(5)).toContain('run_blocked')
    expect(existsSync(join(files, 'after'))).toBe(false)
    expect(await newestRun()).toMatchObject({ status: 'blocked' })
  })

  test('PO-7: write_file is asked about, passes once, and is asked about anew', async () => {
    const one = file('write_file', { path: 'a.txt', content: 'one' })
    const two = file('write_file', { path: 'a.txt', content: 'two' })
    await play([
      [one],
      approving([one]),
      [two],
      approving([file('delete_file', { path: 'a.txt' })]),
      [{ text: 'Done.' }],
    ])
    expect(received(1)).toContain('approval_required')
    expect(received(2)).toContain('done')
    expect(received(3)).toContain('approval_required')
    expect(received(4)).toContain('approval_required')
    expect(readFileSync(join(files, 'a.txt'), 'utf8')).toBe('one')
  })

  test('PO-5: the 51st bash of an hour is denied and told when there is room', async () => {
    const calls = Array.from({ length: 10 }, (_, turn) =>
      Array.from({ length: 5 }, (_, n) => bash(`echo ${turn} ${n} >> ${files}/echoed`)),
    )
    await play([...calls, [bash(`echo too much >> ${files}/echoed`)], [{ text: 'Done.' }]])
    expect(readFileSync(join(files, 'echoed'), 'utf8').trim().split('\n')).toHaveLength(50)
    expect(received(11)).toContain('rate_exceeded')
    expect(received(11)).toMatch(/50 used\. Try again after \d{4}-/)
  })
})
