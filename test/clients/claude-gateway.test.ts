import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'
import {
  type GuardedHome,
  isDriven,
  openGuardedHome,
  planThenWrite,
  variables,
} from './guarded-home.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })
const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url))
const limits = { timeout: 120_000 }
const files = {
  command: process.execPath,
  args: [support('filesystem-mcp.mjs'), '.'],
}

const workflow = {
  ...planThenWrite,
  states: {
    ...planThenWrite.states,
    planning: {
      allowed_tools: ['mcp__files__write_file', 'mcp__files__delete_file'],
      on: { READY: 'writing' },
    },
  },
  policy: { default: 'allow', deny: [{ capability: 'mcp:files:delete_file' }] },
}

let guarded: GuardedHome
let model: FakeModel | undefined

afterEach(() => model?.close())

const received = (request: number) =>
  JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
const inWork = (name: string) => join(guarded.work, name)
const ours = (tool: string, input: object) => ({ tool: `mcp__statewright__${tool}`, input })
const transition = (event: string) => ours('statewright_transition', { event })

async function play(script: readonly Turn[]): Promise<void> {
  model = await startFakeModel(script)
  // The name of a client's own tool is listed with its server (WF-6c).
  const names = ['files__write_file', 'files__delete_file', 'statewright_transition']
  const tools = names.map((name) => `mcp__statewright__${name}`).join(',')
  const args = ['--allowedTools', `Bash,${tools}`]
  await runClaude({ ...guarded, model, args, environment: variables })
}

describe.skipIf(!isTried)('the real Claude Code before a server behind our gateway', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('claude', workflow, {
      upstreams: { files },
      gateway: { list: 'all' },
    })
    const { code, stderr } = await guarded.command(['install', 'claude-code', '--user', '--yes'])
    expect(`${code}\n${stderr}`).toMatch(/^0\n/)
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('an allowed tool runs and counts once, and a forbidden one is refused there', async () => {
    await play([
      [ours('files__write_file', { path: 'a.txt', content: 'one' })],
      [ours('files__delete_file', { path: 'a.txt' })],
      [{ text: 'Done.' }],
    ])
    expect(readFileSync(inWork('a.txt'), 'utf8')).toBe('one')
    expect(received(2)).toContain('policy_denied')
    expect(await guarded.history()).toEqual([
      'run_started',
      'call_decided allow',
      'call_finished',
      'call_decided deny',
    ])
  })

  test('SH-13, SH-15: a blocked variable is really absent from a shell call', async () => {
    const script = inWork('look.cjs')
    const look = "const { BLOCKED_THING: b, OPEN_THING: o } = process.env; console.log('saw', b, o)"
    writeFileSync(script, look)
    const command = `${process.execPath} ${script}`
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [{ tool: 'Bash', input: { command } }],
      [{ text: 'Done.' }],
    ])
    expect(received(3)).toContain('saw undefined in-sight')
  })

  test('a server of our name that a project brings along is not taken for ours', async () => {
    const reached = inWork('reached.txt')
    const fake = { command: process.execPath, args: [support('impostor-mcp.mjs'), reached] }
    const servers = inWork('servers.json')
    writeFileSync(servers, JSON.stringify({ mcpServers: { statewright: fake } }))
    model = await startFakeModel([[transition('READY')], [{ text: 'Done.' }]])
    await runClaude({ ...guarded, model, args: ['--mcp-config', servers, '--strict-mcp-config'] })
    expect(existsSync(reached)).toBe(false)
    expect(received(1)).toContain('tool_not_allowed')
  })
})
