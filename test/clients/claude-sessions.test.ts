import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChildResult } from '../../packages/server/testing/child.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'
import { type GuardedHome, isDriven, openGuardedHome, planThenWrite } from './guarded-home.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })

const limits = { timeout: 120_000 }

let guarded: GuardedHome
let model: FakeModel | undefined

afterEach(() => model?.close())

async function play(
  script: readonly Turn[],
  agents: Readonly<Record<string, readonly Turn[]>> = {},
  args: readonly string[] = [],
): Promise<ChildResult> {
  model = await startFakeModel(script, agents)
  return runClaude({ ...guarded, model, args })
}

function received(request: number): string {
  return JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
}

function receivedBy(agent: string, request: number): string {
  return JSON.stringify(model?.agentRequests.get(agent)?.[request]?.messages.slice(-2) ?? [])
}

const inWork = (name: string) => join(guarded.work, name)
const write = (name: string) => () => [
  { tool: 'Write', input: { file_path: inWork(name), content: 'written\n' } },
]
const read = (name: string) => () => [{ tool: 'Read', input: { file_path: inWork(name) } }]
const own = (tool: string, input: object) => ({
  tool: `mcp__statewright__statewright_${tool}`,
  input,
})
const transition = (event: string) => own('transition', { event })
const done: Turn = [{ text: 'Done.' }]

const forked = {
  id: 'forked',
  initial: 'start',
  meta: { locked: false },
  states: {
    start: {
      on: {
        SPLIT: {
          fork: {
            branches: {
              left: { initial: 'reading', terminal: 'left_end' },
              right: { initial: 'making', terminal: 'right_end' },
            },
            join: 'all',
            on_complete: 'end',
          },
        },
      },
    },
    reading: { allowed_tools: ['Read', 'Agent'], on: { READ: 'left_end' } },
    left_end: { type: 'final' },
    making: { allowed_tools: ['Write'], on: { MADE: 'right_end' } },
    right_end: { type: 'final' },
    end: { type: 'final' },
  },
}

const startAgent = (prompt: string) => ({
  tool: 'Agent',
  input: {
    description: prompt,
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: false,
  },
})

async function open(workflow: { readonly id: string }): Promise<void> {
  guarded = await openGuardedHome('claude', workflow)
  const { code, stderr } = await guarded.command(['install', 'claude-code', '--user', '--yes'])
  expect(`${code}\n${stderr}`).toMatch(/^0\n/)
}

describe.skipIf(!isTried)('sub-agents of Claude Code', limits, () => {
  beforeAll(() => open(forked), limits.timeout)
  afterAll(() => guarded.close())

  test('WF-25: two in two branches are each held to their own', async () => {
    const bind = (branch: string) => [own('load_workflow', { name: 'forked', branch })]
    await play([[transition('SPLIT')], [startAgent('work-left'), startAgent('work-right')], done], {
      'work-left': [bind('left'), write('left.txt'), read('x.txt'), [transition('READ')], done],
      'work-right': [
        bind('right'),
        write('right.txt'),
        read('right.txt'),
        [transition('MADE')],
        done,
      ],
    })
    expect(existsSync(inWork('left.txt'))).toBe(false)
    expect(readFileSync(inWork('right.txt'), 'utf8')).toBe('written\n')
    expect(receivedBy('work-left', 2)).toContain('tool_not_allowed')
    expect(receivedBy('work-left', 3)).not.toContain('tool_not_allowed')
    expect(receivedBy('work-right', 2)).not.toContain('tool_not_allowed')
    expect(receivedBy('work-right', 3)).toContain('tool_not_allowed')
    const entries = await guarded.history()
    expect(entries.filter((entry) => entry === 'branch_bound').length).toBe(2)
    expect(entries.filter((entry) => entry === 'branch_ended').length).toBe(2)
    expect(entries).toContain('joined')
  })

  test('WF-24: one that finishes the branch of another is refused', async () => {
    const bind = (branch: string) => [own('load_workflow', { name: 'forked', branch })]
    await play(
      [[transition('SPLIT')], [startAgent('work-left')], [startAgent('work-right')], done],
      {
        'work-left': [bind('left'), [transition('BRANCH_FAIL:right')], done],
        'work-right': [
          bind('right'),
          [transition('BRANCH_DONE:left')],
          bind('left'),
          write('stolen.txt'),
          done,
        ],
      },
    )
    expect(receivedBy('work-left', 2)).toContain('branch_bound')
    expect(receivedBy('work-right', 2)).toContain('branch_bound')
    expect(receivedBy('work-right', 3)).toContain('branch_bound')
    expect(readFileSync(inWork('stolen.txt'), 'utf8')).toBe('written\n')
    expect(await guarded.history()).not.toContain('branch_ended')
  })
})

const pausable = { ...planThenWrite, id: 'pausable', meta: { locked: false } }

describe.skipIf(!isTried)('sessions of Claude Code', limits, () => {
  beforeAll(() => open(pausable), limits.timeout)
  afterAll(() => guarded.close())

  test('WF-27: a paused run goes on in a new client session, where it stood', async () => {
    await play([[transition('READY')], [own('pause', {})], done])
    expect(await guarded.history()).toContain('paused')
    await play([
      [own('load_workflow', { name: 'pausable', resume: true })],
      write('resumed.txt'),
      done,
    ])
    expect(received(1)).toContain('resumed')
    expect(received(1)).toContain('writing')
    expect(readFileSync(inWork('resumed.txt'), 'utf8')).toBe('written\n')
  })

  test('a client session that is taken up again goes on with its run', async () => {
    const session = randomUUID()
    await play([[transition('READY')], done], {}, ['--session-id', session])
    await play([write('again.txt'), done], {}, ['--resume', session])
    expect(readFileSync(inWork('again.txt'), 'utf8')).toBe('written\n')
    expect(received(0)).toContain('Phase: writing.')
  })
})
