import { describe, expect, test } from 'vitest'
import { gemini } from './gemini.ts'

const head = { session_id: 's', cwd: '/w', timestamp: '2026-01-01T00:00:00Z' }
const gateway = ['/node', '/statewright.mjs', 'mcp', '--key', '/key', '--client', 'gemini']
const context = {
  server_name: 'statewright',
  tool_name: 'statewright_transition',
  command: '/node',
  args: gateway.slice(1),
}

function before(tool_name: string, tool_input: unknown, more: object = {}): object {
  return { ...head, hook_event_name: 'BeforeTool', tool_name, tool_input, ...more }
}

function after(tool_name: string, tool_response: unknown): object {
  return { ...head, hook_event_name: 'AfterTool', tool_name, tool_input: {}, tool_response }
}

function eventOf(body: object, origin = {}) {
  const parsed = gemini.parse(body, origin)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value.event
}

describe('what Gemini CLI asks', () => {
  test('a call has the same id when it is asked for and when it ended', () => {
    const input = { file_path: 'a', content: 'x' }
    const turned = { content: 'x', file_path: 'a' }
    const ended = { ...before('write_file', turned), hook_event_name: 'AfterTool' }
    const request = eventOf(before('write_file', input))
    const done = eventOf({ ...ended, tool_response: { llmContent: 'äb' } })
    expect(request).toMatchObject({
      type: 'tool_requested',
      tool: 'write_file',
      input,
      toUs: false,
    })
    expect(done).toMatchObject({ type: 'tool_finished', bytes: 3, exit: 'success' })
    expect('callId' in request && request.callId).toBe('callId' in done && done.callId)
    const other = eventOf({ ...before('write_file', input), session_id: 't' })
    expect('callId' in other && other.callId).not.toBe('callId' in request && request.callId)
  })

  test('a tool of an MCP server is judged under its own name', () => {
    const mcp_context = { ...context, server_name: 'fs', tool_name: 'write_file' }
    const event = eventOf(before('mcp_fs_write_file', {}, { mcp_context }), { gateway })
    expect(event).toMatchObject({ tool: 'write_file', server: 'fs', toUs: false })
  })

  test('only the very command that install entered is our server', () => {
    const ask = (mcp_context: object, origin: object) => {
      const body = before('mcp_statewright_statewright_transition', {}, { mcp_context })
      const event = eventOf(body, origin)
      return event.type === 'tool_requested' && event.toUs
    }
    expect(ask(context, { gateway })).toBe(true)
    expect(ask(context, {})).toBe(false)
    expect(ask({ ...context, command: '/other' }, { gateway })).toBe(false)
    expect(ask({ ...context, args: [...context.args, '--more'] }, { gateway })).toBe(false)
    expect(ask({ ...context, command: undefined, url: 'http://x' }, { gateway })).toBe(false)
    expect(ask({ ...context, server_name: 'other' }, { gateway })).toBe(false)
  })

  test.each([
    ['read_file', { llmContent: 'x' }, 'success'],
    ['read_file', { llmContent: 'x', error: { message: 'no' } }, 'failure'],
    ['run_shell_command', { llmContent: 'Output: hi\nProcess Group PGID: 1' }, 'success'],
    ['run_shell_command', { llmContent: 'Output: hi\nExit Code: 0' }, 'success'],
    ['run_shell_command', { llmContent: 'Output: hi\nExit Code: 1\nx' }, 'failure'],
    ['run_shell_command', { llmContent: 'Output: Exit Code: 0\nSignal: 9' }, 'failure'],
    ['run_shell_command', {}, 'failure'],
    ['run_shell_command', { llmContent: 'Command moved to background (PID: 7).' }, null],
    ['run_shell_command', { llmContent: 'Command was automatically cancelled because' }, null],
  ])('a result of %s that says %j is a %s', (tool, response, exit) => {
    expect(eventOf(after(tool, response))).toMatchObject({ type: 'tool_finished', exit })
  })

  test.each([undefined, null, 3, 'x', [], {}, { session_id: 's' }])('%j is no hook', (body) => {
    expect(gemini.parse(body).ok).toBe(false)
  })
})

describe('how Gemini CLI is answered', () => {
  const request = before('write_file', {})
  test('an allow is silence, so that its own prompts hold', () => {
    expect(gemini.render(request, { kind: 'nothing' })).toEqual({})
    expect(gemini.render(request, { kind: 'tell', text: 'x' })).toEqual({})
  })

  test.each(['deny', 'fault'] as const)('%s is a denial in its own words', (kind) => {
    const denial = { decision: 'deny', reason: 'no' }
    expect(gemini.render(request, { kind, text: 'no' })).toEqual(denial)
    // What cannot be read may be a tool call.
    expect(gemini.render('?', { kind, text: 'no' })).toEqual(denial)
  })

  test('another input is given whole', () => {
    const answer = { kind: 'rewrite', input: { command: 'y' } } as const
    expect(gemini.render(request, answer)).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'y' } },
    })
  })

  test.each(['AfterTool', 'BeforeAgent', 'SessionStart'])('words stand beside %s', (name) => {
    const body = { ...head, hook_event_name: name }
    expect(gemini.render(body, { kind: 'tell', text: 'x' })).toEqual({
      hookSpecificOutput: { hookEventName: name, additionalContext: 'x' },
    })
  })
})
