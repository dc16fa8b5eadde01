import { describe, expect, test } from 'vitest'
import { opencode } from './opencode.ts'

const base = { session: 'ses_1', root: 'ses_1', directory: '/w' }
const call = { call: 'call_1', tool: 'write', to_us: false }
const before = { event: 'tool.before', ...base, ...call, args: { filePath: 'a' } }

describe('what our plugin for opencode asks', () => {
  test('a call of the main session and one of a sub-agent', () => {
    const event = {
      type: 'tool_requested',
      callId: 'ses_1/call_1',
      tool: 'write',
      input: { filePath: 'a' },
      toUs: false,
    }
    expect(opencode.parse(before)).toEqual({
      ok: true,
      value: { session: 'ses_1', cwd: '/w', event },
    })
    expect(opencode.parse({ ...before, session: 'ses_2', server: 'fs' })).toEqual({
      ok: true,
      value: {
        session: 'ses_1',
        agentId: 'ses_2',
        cwd: '/w',
        event: { ...event, callId: 'ses_2/call_1', server: 'fs' },
      },
    })
  })

  test.each([
    [{ event: 'tool.after', ...call, bytes: 3, exit: 'failure' }, 'tool_finished'],
    [{ event: 'request' }, 'prompt_given'],
    [{ event: 'session.started' }, 'session_started'],
    [{ event: 'session.idle' }, 'turn_ended'],
    [{ event: 'session.idle', session: 'ses_2' }, 'agent_ended'],
  ])('%j is %s', (message, type) => {
    const parsed = opencode.parse({ ...base, ...message })
    expect(parsed.ok && parsed.value.event.type).toBe(type)
  })

  test.each([
    null,
    {},
    { ...before, call: '' },
    { ...before, to_us: 'yes' },
    { ...before, event: 'tool.maybe' },
  ])('%j cannot be read', (body) => {
    expect(opencode.parse(body).ok).toBe(false)
  })
})

describe('how the plugin is answered', () => {
  test.each([
    [{ kind: 'nothing' }, { decision: 'allow' }],
    [
      { kind: 'tell', text: 'x' },
      { decision: 'allow', say: 'x' },
    ],
    [
      { kind: 'rewrite', input: { command: 'y' } },
      { decision: 'allow', args: { command: 'y' } },
    ],
    [
      { kind: 'deny', text: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [
      { kind: 'fault', text: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
  ] as const)('a call that gets %j is told %j', (answer, reported) => {
    expect(opencode.render(before, answer)).toEqual(reported)
    // What cannot be read may be a tool call.
    expect(opencode.render(undefined, answer)).toEqual(reported)
  })

  test('elsewhere nothing is allowed or denied, only said', () => {
    const after = { ...base, ...call, event: 'tool.after', bytes: 1, exit: 'success' }
    expect(opencode.render(after, { kind: 'tell', text: 'x' })).toEqual({ say: 'x' })
    expect(opencode.render(after, { kind: 'nothing' })).toEqual({})
    expect(opencode.render(after, { kind: 'fault', text: 'x' })).toEqual({ say: 'x' })
  })
})
