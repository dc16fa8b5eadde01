import { describe, expect, test } from 'vitest'
import { cursorInstaller } from '../client-settings/cursor-install.ts'
import { editFile, undoEdit } from '../client-settings/edit-file.ts'
import { cursor } from './cursor.ts'

const head = {
  conversation_id: 'c1',
  generation_id: 'g1',
  workspace_roots: ['/home/ann/work'],
}
const pre = (tool_name: string, tool_input: unknown) => ({
  ...head,
  hook_event_name: 'preToolUse',
  tool_name,
  tool_input,
  tool_use_id: 't1',
})

function event(body: object) {
  const parsed = cursor.parse(body)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

describe('what Cursor says', () => {
  test('a shell call, and where the client works', () => {
    expect(event(pre('Shell', { command: 'ls' }))).toEqual({
      session: 'c1',
      cwd: '/home/ann/work',
      event: {
        type: 'tool_requested',
        callId: 't1',
        tool: 'Shell',
        input: { command: 'ls' },
        toUs: false,
      },
    })
  })

  test.each([
    ['MCP:statewright:statewright_transition', true, 'statewright_transition', undefined],
    ['MCP:statewright_transition', true, 'statewright_transition', undefined],
    ['MCP:other:statewright_transition', false, 'statewright_transition', 'other'],
    ['MCP:statewright:format_disk', false, 'format_disk', 'statewright'],
    ['MCP:Read', false, 'Read', 'unknown'],
    ['statewright_transition', false, 'statewright_transition', undefined],
  ])('WF-7: %s is ours: %s', (name, toUs, tool, server) => {
    const { event: read } = event(pre(name, '{"event":"READY"}'))
    expect(read).toEqual({
      type: 'tool_requested',
      callId: 't1',
      tool,
      ...(server === undefined ? {} : { server }),
      input: { event: 'READY' },
      toUs,
    })
  })

  test('WF-31: the result of a shell proves nothing', () => {
    const body = { ...pre('Shell', {}), hook_event_name: 'postToolUse', tool_output: 'ok' }
    expect(event(body).event).toMatchObject({ type: 'tool_finished', bytes: 2, exit: null })
  })
})

describe('what Cursor is told', () => {
  test('a denial, never an ask', () => {
    const deny = { permission: 'deny', user_message: 'no', agent_message: 'no' }
    for (const kind of ['deny', 'fault'] as const) {
      expect(cursor.render(pre('Shell', {}), { kind, text: 'no' })).toEqual(deny)
      expect(cursor.render('garbage', { kind, text: 'no' })).toEqual(deny)
      expect(cursor.render({ ...head, hook_event_name: 'stop' }, { kind, text: 'no' })).toEqual({})
    }
  })

  test('words beside a result', () => {
    const body = { ...pre('Shell', {}), hook_event_name: 'postToolUse' }
    expect(cursor.render(body, { kind: 'tell', text: 'x' })).toEqual({ additional_context: 'x' })
  })
})

describe('installing into Cursor', () => {
  const facts = {
    url: 'http://127.0.0.1:4747',
    token: 'sw_agent_secret',
    hookToken: 'sw_hook_secret',
    node: '/usr/bin/node',
    hookFile: '/opt/statewright/hook.cjs',
    commandFile: '/opt/statewright/statewright.mjs',
    keyFile: '/home/ann/key.json',
  }
  const target = { scope: 'user', project: undefined, home: '/home/ann', environment: {} } as const

  function install(text: string | undefined) {
    const [hooks] = cursorInstaller.files(target, facts)
    if (hooks === undefined) throw new Error('a file was expected')
    const edited = editFile(text, hooks, new Map())
    if (!edited.ok) throw new Error(edited.error.message)
    return { path: hooks.path, created: text === undefined, ...edited.value }
  }

  test('the guard is closed when it fails', () => {
    const { hooks, version } = JSON.parse(install(undefined).text)
    expect(version).toBe(1)
    expect(hooks.preToolUse).toEqual([
      {
        command: '/usr/bin/node /opt/statewright/hook.cjs cursor /home/ann/key.json || exit 2',
        failClosed: true,
      },
    ])
  })

  test.each([
    undefined,
    '{\n  "version": 1\n}\n',
    '{"version":1,"hooks":{"stop":[{"command":"x"}]}}',
    '{}',
  ])('goes in and out without a trace: %j', (text) => {
    const installed = install(text)
    expect(undoEdit(installed.text, installed)).toEqual({ ok: true, value: text })
  })

  test('a file of ours that others moved into stays one that the client can read', () => {
    const installed = install(undefined)
    const more = installed.text.replace('"version": 1', '"version": 1, "mine": true')
    const clean = undoEdit(more, installed)
    expect(JSON.parse((clean.ok && clean.value) || '')).toEqual({ version: 1, mine: true })
  })
})
