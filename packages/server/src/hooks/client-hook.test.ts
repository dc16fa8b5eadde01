import { shownEntry } from '@statewright/core/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  agent,
  ann,
  openRuntime,
  other,
  planThenWrite,
  type RuntimeWorld,
  save,
  start,
} from '../../testing/runtime.ts'
import type { Caller } from '../base/caller.ts'
import { createGuard } from '../guard/guard.ts'
import { allEntries } from '../runtime/runs/read-run.ts'
import { answerClientHook } from './client-hook.ts'
import { ToolUses } from './tool-uses.ts'

let world: RuntimeWorld
let session = ''
let turn = 0
let toolUses: ToolUses

beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, planThenWrite)
})
afterAll(() => world.close())
beforeEach(() => {
  turn += 1
  session = `session-${turn}`
  toolUses = new ToolUses(() => world.runtime.clock.now())
})

function begin(caller: Caller = ann): Promise<string> {
  return start(world.runtime, caller, {
    workflow: 'plan-then-write',
    session,
    workspace: world.folder,
  })
}

function send(body: object, more: { caller?: Caller | undefined; client?: string } = {}) {
  const { client = 'claude-code' } = more
  const caller = 'caller' in more ? more.caller : agent
  const text = JSON.stringify({ session_id: session, cwd: world.folder, ...body })
  return answerClientHook({ guard: world.guard, toolUses }, { client, caller, text })
}

const write = (path = 'a.txt', tool_use_id = 't1') => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_use_id,
  tool_input: { file_path: `${world.folder}/${path}`, content: 'hi\n' },
})

function denial(answer: object): string {
  const { hookSpecificOutput } = answer as { hookSpecificOutput?: Record<string, string> } // Ours.
  expect(hookSpecificOutput?.permissionDecision).toBe('deny')
  expect(hookSpecificOutput?.hookEventName).toBe('PreToolUse')
  return hookSpecificOutput?.permissionDecisionReason ?? ''
}

function context(answer: object): string {
  const { hookSpecificOutput } = answer as { hookSpecificOutput?: Record<string, string> } // Ours.
  return hookSpecificOutput?.additionalContext ?? ''
}

describe('a tool that Claude Code wants to use', () => {
  test('WF-14: is denied with the way on', async () => {
    await begin()
    const text = denial(await send(write()))
    expect(text).toContain('tool_not_allowed: ')
    expect(text).toContain('Allowed: Read, Grep.\nEvents: ')
    expect(text).toContain('To go on, call statewright_transition with READY to writing.')
  })

  test('is let through in silence, so that the own prompts of the client still hold', async () => {
    await begin()
    const read = { tool_name: 'Read', tool_input: { file_path: `${world.folder}/a` } }
    expect(await send({ ...write(), ...read })).toEqual({})
  })

  test('WF-7: goes to our own server unjudged, but its id is kept for the join', async () => {
    await begin()
    const answer = await send({
      ...write('', 't-own'),
      tool_name: 'mcp__statewright__statewright_transition',
      tool_input: { event: 'READY' },
      mcp_server: { name: 'statewright', source: 'user' },
      agent_id: 'sub-1',
    })
    expect(answer).toEqual({})
    expect(toolUses.find(agent, 't-own')).toEqual({
      client: 'claude-code',
      session,
      agentId: 'sub-1',
      project: world.folder,
    })
    expect(toolUses.find(other, 't-own')).toBeUndefined()
  })

  test('WF-7: goes to a server of our name in the project, and is judged', async () => {
    await begin()
    const answer = await send({
      ...write(),
      tool_name: 'mcp__statewright__statewright_transition',
      mcp_server: { name: 'statewright', source: 'project' },
    })
    expect(denial(answer)).toContain('tool_not_allowed')
  })

  test('SH-10: a searching shell call passes where Grep is allowed, no other', async () => {
    await begin()
    const bash = (command: string, tool_use_id: string) => ({
      ...write('', tool_use_id),
      tool_name: 'Bash',
      tool_input: { command },
    })
    expect(await send(bash('grep -rn needle .', 't1'))).toEqual({})
    expect(denial(await send(bash('echo x > y', 't2')))).toContain('tool_not_allowed')
  })

  test('passes where the session has no run', async () => {
    expect(await send(write())).toEqual({})
  })
})

describe('no answer means no', () => {
  test.each([
    ['without a token that counts', { caller: undefined }],
    ['for a client that nobody knows', { client: 'emacs' }],
  ])('%s', async (_name, more) => {
    expect(denial(await send(write(), more))).toContain('could not check')
  })

  test.each(['', '{', 'null', '[]', '{}', '{"hook_event_name":"PreToolUse"}'])(
    'a body of %s',
    async (text) => {
      const request = { client: 'claude-code', caller: agent, text }
      denial(await answerClientHook({ guard: world.guard, toolUses }, request))
    },
  )

  test('a body that could not be read', async () => {
    const request = { client: 'claude-code', caller: agent, text: undefined }
    denial(await answerClientHook({ guard: world.guard, toolUses }, request))
  })

  test('a store that fails, and one that never answers', async () => {
    const faults: unknown[] = []
    const failing = { activeRun: () => Promise.reject(new Error('disk on fire')) }
    const hanging = { activeRun: () => new Promise(() => {}) }
    for (const sessions of [failing, hanging]) {
      // A broken one.
      const runtime = { ...world.runtime, sessions } as unknown as RuntimeWorld['runtime']
      const onFault = (fault: unknown) => faults.push(fault)
      const guard = createGuard({ runtime, onFault })
      const text = JSON.stringify({ session_id: session, ...write() })
      const answer = await answerClientHook(
        { guard, toolUses, deadlineMs: 50, onFault },
        { client: 'claude-code', caller: agent, text },
      )
      expect(denial(answer)).not.toContain('fire')
    }
    expect(faults.length).toBe(2)
  })
})

describe('what the model is told', () => {
  test.each(['UserPromptSubmit', 'PostToolBatch', 'SessionStart'])(
    'WF-13: the brief on %s',
    async (hook_event_name) => {
      await begin()
      const answer = await send({ hook_event_name, tool_calls: [] })
      expect(context(answer)).toMatch(/^\[STATEWRIGHT\] Phase: planning\. Tools: Read, Grep\./)
    },
  )

  test('WF-22: a question that waits, in words', async () => {
    const run = await begin(agent)
    const { transition } = await import('../runtime/runs/change-run.ts')
    await transition(world.runtime, agent, { run, event: 'ASK' })
    const reported = context(await send({ hook_event_name: 'UserPromptSubmit' }))
    expect(reported).toContain('Waiting: ASK waits for a person (Approve the move to writing?).')
  })

  test('WF-25: sub-agents may work a fork at once, where the client names them', async () => {
    const branch = (name: string) => ({ initial: name, terminal: `${name}_done` })
    await save(world.runtime, {
      id: 'lanes',
      initial: 'build',
      states: {
        build: {
          on: { GO: { fork: { branches: { a: branch('a'), b: branch('b') }, on_complete: 'z' } } },
        },
        a: { on: { OK: 'a_done' } },
        b: { on: { OK: 'b_done' } },
        a_done: { type: 'final' },
        b_done: { type: 'final' },
        z: { type: 'final' },
      },
    })
    const run = await start(world.runtime, agent, { workflow: 'lanes', session })
    const { transition } = await import('../runtime/runs/change-run.ts')
    await transition(world.runtime, agent, { run, event: 'GO' })
    const reported = context(await send({ hook_event_name: 'UserPromptSubmit' }))
    expect(reported).toContain('statewright_load_workflow with name "lanes" and its branch.')
    const gemini = await send({ hook_event_name: 'BeforeAgent', prompt: '' }, { client: 'gemini' })
    expect(context(gemini)).toContain('Branch: a')
    expect(context(gemini)).not.toContain('Workers')
  })

  test('nothing without a run', async () => {
    expect(await send({ hook_event_name: 'UserPromptSubmit' })).toEqual({})
  })

  test('WF-28: an interrupt beside the result that caused it', async () => {
    const run = await begin(agent)
    const { transition } = await import('../runtime/runs/change-run.ts')
    await transition(world.runtime, agent, { run, event: 'READY' })
    expect(await send(write('prod.env'))).toEqual({})
    const done = await send({
      ...write('prod.env'),
      hook_event_name: 'PostToolUse',
      tool_response: { type: 'create' },
      duration_ms: 3,
    })
    expect(context(done)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(context(done)).toContain('prod.env')
  })
})

test('settings are kept while a run is active, and only then', async () => {
  const change = { hook_event_name: 'ConfigChange', source: 'user_settings', file_path: '/s.json' }
  expect(await send(change)).toEqual({})
  await begin()
  expect(await send(change)).toMatchObject({ decision: 'block' })
})

test('unjudged_call: a call that no client hook announced is written down', async () => {
  const run = await begin()
  const read = { ...write(), tool_name: 'Read', tool_input: { file_path: '/x' } }
  await send(read)
  const calls = [
    { tool_name: 'Read', tool_use_id: 't1', tool_input: {}, tool_response: 'text' },
    { tool_name: 'Write', tool_use_id: 't9', tool_input: {}, tool_response: 'written' },
    { tool_name: 'Nope', tool_use_id: 't8', tool_input: {}, tool_response: '<tool_use_error>x' },
  ]
  await send({ hook_event_name: 'PostToolBatch', tool_calls: calls })
  const entries = await allEntries(world.runtime, run)
  const gaps = entries.map(({ entry }) => shownEntry(entry)).filter(({ type }) => type === 'gap')
  expect(gaps).toMatchObject([
    { code: 'unjudged_call', text: 'Calls that were not checked: Write (t9).' },
  ])
})

describe('autostart', () => {
  test('prompt: the first prompt of a session starts the configured workflow, once', async () => {
    const own = await openRuntime({
      settings: { workflow: 'plan-then-write', autostart: 'prompt' },
    })
    try {
      await save(own.runtime, planThenWrite)
      const text = JSON.stringify({
        session_id: 's',
        cwd: own.folder,
        hook_event_name: 'UserPromptSubmit',
      })
      const ask = () =>
        answerClientHook(
          { guard: own.guard, toolUses },
          { client: 'claude-code', caller: agent, text },
        )
      expect(context(await ask())).toContain('Phase: planning.')
      await ask()
      const { runs } = await own.runtime.store.runs.list({ limit: 10 })
      expect(runs.map(({ locked, project, client }) => ({ locked, project, client }))).toEqual([
        { locked: true, project: own.folder, client: 'claude-code' },
      ])
    } finally {
      await own.close()
    }
  })
})
