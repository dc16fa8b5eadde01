import { describe, expect, test } from 'vitest'
import { codexHooks, codexInstaller, trustedHash } from '../client-settings/codex-install.ts'
import { editFile } from '../client-settings/edit-file.ts'
import { codex } from './codex.ts'

const head = {
  session_id: 's1',
  turn_id: 'u1',
  transcript_path: '/home/ann/.codex/sessions/x.jsonl',
  cwd: '/home/ann/work/sub',
  model: 'gpt-5.5',
  permission_mode: 'default',
}
const pre = (tool_name: string, tool_input: object) => ({
  ...head,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 'call_1',
})

function event(body: object) {
  const parsed = codex.parse(body)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

describe('what Codex says', () => {
  test('a shell call, where it would run, and the sub-agent that makes it', () => {
    expect(event({ ...pre('Bash', { command: 'ls' }), agent_id: 'a1' })).toEqual({
      session: 's1',
      agentId: 'a1',
      cwd: '/home/ann/work/sub',
      event: {
        type: 'tool_requested',
        callId: 'call_1',
        tool: 'Bash',
        input: { command: 'ls' },
        toUs: false,
      },
    })
  })

  test('WF-7: a call of our own tools, and of others that only look so', () => {
    expect(event(pre('mcp__statewright__statewright_transition', {})).event).toMatchObject({
      tool: 'statewright_transition',
      toUs: true,
    })
    for (const name of ['mcp__statewright__format_disk', 'mcp__other__statewright_transition']) {
      expect(event(pre(name, {})).event).toMatchObject({ tool: name, toUs: false })
    }
  })

  test.each([
    ['Bash', 'all tests passed\n', null],
    ['apply_patch', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 'success'],
    ['apply_patch', 'Exit code: 1\nOutput:\n', 'failure'],
    ['mcp__fs__read', { content: [] }, 'success'],
  ])('WF-31: the result of %s proves no more than it says', (tool_name, tool_response, exit) => {
    const body = { ...pre(tool_name, {}), hook_event_name: 'PostToolUse', tool_response }
    expect(event(body).event).toMatchObject({ type: 'tool_finished', callId: 'call_1', exit })
  })

  test('the call of an MCP request is the one that its hook named', () => {
    expect(codex.toolUseOf({ callId: 'call_1', sessionId: 's1' })).toBe('call_1')
    expect(codex.toolUseOf({ callId: 1 })).toBeUndefined()
    expect(codex.toolUseOf({})).toBeUndefined()
  })
})

describe('what Codex is told', () => {
  const body = pre('Bash', { command: 'ls' })
  const named = (name: string) => ({ ...head, hook_event_name: name })

  test('a denial has exactly the fields of its schema', () => {
    const deny = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    }
    expect(codex.render(body, { kind: 'deny', text: 'no' })).toEqual(deny)
    expect(codex.render(body, { kind: 'fault', text: 'no' })).toEqual(deny)
    expect(codex.render({ hook: 'unreadable' }, { kind: 'fault', text: 'no' })).toEqual({
      decision: 'block',
      reason: 'no',
    })
  })

  test('another input comes together with an allow, or the client would run the first', () => {
    const input = { command: 'statewright exec t1' }
    expect(codex.render(body, { kind: 'rewrite', input })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: input,
      },
    })
  })

  test('words stand under the name of their event, and nothing ever holds a turn open', () => {
    for (const name of ['PostToolUse', 'UserPromptSubmit', 'SessionStart']) {
      expect(codex.render(named(name), { kind: 'tell', text: 'x'.repeat(20_000) })).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: `${'x'.repeat(9500)}…` },
      })
    }
    for (const kind of ['tell', 'deny', 'fault'] as const) {
      expect(codex.render(named('Stop'), { kind, text: 'x' })).toEqual({})
      expect(codex.render(named('SubagentStop'), { kind, text: 'x' })).toEqual({})
    }
  })
})

describe('installing into Codex', () => {
  const facts = {
    url: 'http://127.0.0.1:4747',
    token: 'sw_agent_secret',
    hookToken: 'sw_hook_secret',
    node: '/opt/my node/bin/node',
    hookFile: '/opt/statewright/hook.cjs',
    commandFile: '/opt/statewright/statewright.mjs',
    keyFile: "/home/ann/it's/key.json",
  }

  test('the guard blocks by whatever code its command ends, and words are quoted', () => {
    const [guard, ...others] = codexHooks(facts).map(({ value }) => JSON.stringify(value))
    expect(guard).toContain("'/opt/my node/bin/node' /opt/statewright/hook.cjs codex ")
    expect(guard).toContain(' || exit 2"')
    expect(others.join()).not.toContain('exit 2')
    expect(JSON.stringify(codexHooks(facts))).not.toContain('sw_agent_secret')
  })

  test('a hook is trusted by the hash that the client makes of it', () => {
    // As version 0.166 told them for these very hooks.
    const hook = (command: string, timeout: number) => ({
      hooks: [{ type: 'command', command, timeout }],
    })
    expect(trustedHash('PreToolUse', hook('/bin/true a', 30))).toBe(
      'sha256:29fb0af2e5902546eea1cd297662b765955d256b162e8cc9138b568b5c909fd4',
    )
    expect(trustedHash('UserPromptSubmit', hook('/bin/true b', 600))).toBe(
      'sha256:cdd7fb9e9c5460923cf45f64fee3149d734223c1a8764bf2a14898eb0c476457',
    )
  })

  test('trust names the place that the hook really has', () => {
    const target = {
      scope: 'user',
      project: undefined,
      home: '/home/ann',
      environment: {},
    } as const
    const [hooks, config] = codexInstaller.files(target, facts)
    if (hooks === undefined || config === undefined) throw new Error('two files were expected')
    const theirs = '{"hooks":{"PreToolUse":[{"hooks":[]},{"hooks":[]}]}}'
    const first = editFile(theirs, hooks, new Map())
    if (!first.ok) throw new Error(first.error.message)
    const second = editFile(undefined, config, new Map([[hooks.path, first.value.text]]))
    if (!second.ok) throw new Error(second.error.message)
    expect(second.value.text).toContain('/home/ann/.codex/hooks.json:pre_tool_use:2:0"]')
    expect(second.value.text).toContain('/home/ann/.codex/hooks.json:post_tool_use:0:0"]')
    expect(second.value.text).toContain('[mcp_servers.statewright]\ncommand = ')
    expect(second.value.text).toContain('required = true')
  })
})
