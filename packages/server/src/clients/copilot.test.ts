import { describe, expect, test } from 'vitest'
import { copilot } from './copilot.ts'

const head = {
  session_id: 's1',
  timestamp: '2026-11-15T12:45:30.665Z',
  cwd: '/home/ann/work',
}
const pre = (tool_name: string, tool_input: object, more: object = {}) => ({
  ...head,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...more,
})

function call(body: object) {
  const parsed = copilot.parse(body)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

describe('what Copilot CLI says', () => {
  test('a call and its result have one name, which nothing else has', () => {
    const idOf = (body: object) => {
      const { event } = call(body)
      return 'callId' in event ? event.callId : ''
    }
    const request = idOf(pre('Bash', { command: 'ls', description: 'd' }))
    const answered = { hook_event_name: 'PostToolUse', tool_result: { result_type: 'success' } }
    expect(idOf({ ...pre('Bash', { description: 'd', command: 'ls' }), ...answered })).toBe(request)
    expect(idOf(pre('Bash', { command: 'pwd', description: 'd' }))).not.toBe(request)
    expect(idOf({ ...pre('Bash', { command: 'ls' }), session_id: 's2' })).not.toBe(request)
  })

  test('a sub-agent belongs to the session of its parent', () => {
    const agent = { session_id: 'a1', agent_id: 'a1', parent_agent_id: 's1' }
    expect(call(pre('Read', { path: '/x' }, agent))).toMatchObject({ session: 's1', agentId: 'a1' })
    expect(call(pre('Read', { path: '/x' }))).toMatchObject({ session: 's1' })
    const ended = {
      ...head,
      hook_event_name: 'SubagentStop',
      agent_id: 'a1',
      parent_agent_id: 's1',
    }
    expect(call(ended)).toEqual({
      session: 's1',
      agentId: 'a1',
      cwd: '/home/ann/work',
      event: { type: 'agent_ended' },
    })
  })

  test.each([
    ['statewright-statewright_transition', true, 'statewright_transition', undefined],
    ['statewright-format_disk', false, 'format_disk', 'statewright'],
    ['my-statewright-statewright_transition', false, 'statewright_transition', 'my-statewright'],
    ['github-mcp-server-get_file', false, 'get_file', 'github-mcp-server'],
    ['Bash', false, 'Bash', undefined],
    ['-x', false, '-x', undefined],
  ])('WF-7: %s is ours: %s', (name, toUs, tool, server) => {
    const { event } = call(pre(name, {}))
    expect(event).toMatchObject({ tool, toUs })
    expect('server' in event ? event.server : undefined).toBe(server)
  })

  test.each([
    ['ok\n<shellId: 0 completed with exit code 0>', 'success'],
    ['<shellId: 0 completed with exit code 0>\n<shellId: 0 completed with exit code 3>', 'failure'],
    ['<shellId: 0 completed with exit code 0>\nstill running', null],
    ['<shellId: 1 is still running>', null],
    ['', null],
  ])('WF-31: a shell that ends with %j is known as %s', (text, exit) => {
    const result = { result_type: 'success', text_result_for_llm: text }
    const body = { ...pre('Bash', {}), hook_event_name: 'PostToolUse', tool_result: result }
    expect(call(body).event).toMatchObject({ exit, bytes: text.length })
  })

  test('a failed call is told as one', () => {
    const body = { ...pre('Edit', {}), hook_event_name: 'PostToolUseFailure', error: 'none' }
    expect(call(body).event).toMatchObject({ type: 'tool_finished', exit: 'failure', bytes: 4 })
  })
})

describe('what Copilot CLI is told', () => {
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    },
  }

  test('a denial in the dialect of the event, also when it cannot be read', () => {
    expect(copilot.render(pre('Bash', {}), { kind: 'deny', text: 'no' })).toEqual(deny)
    expect(copilot.render(pre('Bash', {}), { kind: 'fault', text: 'no' })).toEqual(deny)
    expect(copilot.render(undefined, { kind: 'fault', text: 'no' })).toEqual(deny)
  })

  test('words at the top, where alone it reads them', () => {
    for (const hook_event_name of ['PreToolUse', 'PostToolUse', 'UserPromptSubmit']) {
      const body = { ...head, hook_event_name }
      expect(copilot.render(body, { kind: 'tell', text: 'x' })).toEqual({ additionalContext: 'x' })
    }
    expect(copilot.render({ hook_event_name: 'Stop' }, { kind: 'deny', text: 'x' })).toEqual({})
  })

  test('another input without a decision, so that its own prompts still hold', () => {
    expect(copilot.render(pre('Bash', {}), { kind: 'rewrite', input: { command: 'x' } })).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'x' } },
    })
  })
})
