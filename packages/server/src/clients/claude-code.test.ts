import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { claudeCode } from './claude-code.ts'

// Bodies as the client sent them (version 2.1.325), with the paths and ids of its home replaced.
const recorded: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
  readFileSync(new URL('./fixtures/claude-code.json', import.meta.url), 'utf8'),
)

const from = {
  session: '5e551011-0000-4000-8000-000000000001',
  cwd: '/home/ann/work',
  transcriptPaths: [
    '/home/ann/.claude/projects/-home-ann-work/5e551011-0000-4000-8000-000000000001.jsonl',
  ],
}

function bodyOf(event: string, toolUse?: string): Readonly<Record<string, unknown>> {
  const found = recorded.find(
    (body) =>
      body.hook_event_name === event && (toolUse === undefined || body.tool_use_id === toolUse),
  )
  if (found === undefined) throw new Error(`no ${event} ${toolUse} was recorded`)
  return found
}

describe('what Claude Code sends', () => {
  test.each([
    [
      bodyOf('PreToolUse', 'toolu_1_0'),
      { type: 'tool_requested', callId: 'toolu_1_0', tool: 'Bash', input: { command: 'false' } },
    ],
    [
      bodyOf('PreToolUse', 'toolu_2_0'),
      {
        type: 'tool_requested',
        callId: 'toolu_2_0',
        tool: 'Write',
        input: { file_path: '/home/ann/work/a.txt', content: 'hi\n' },
      },
    ],
  ])('a request for a tool is read whole %#', (body, event) => {
    expect(claudeCode.parse(body)).toEqual({
      ok: true,
      value: { ...from, event: { ...event, toUs: false } },
    })
  })

  test.each([
    ['PostToolUseFailure', 'toolu_1_0', 'Exit code 1', 'failure', 39],
    ['PostToolUse', 'toolu_3_0', 'hi\n', 'success', 17],
    ['PostToolUse', 'toolu_4_0', 'hello\nerr', 'success', 16],
  ])('WF-11, WF-32: %s of %s has the result %j', (name, callId, output, exit, durationMs) => {
    const bytes = output.length
    const tool = bodyOf(name, callId).tool_name
    expect(claudeCode.parse(bodyOf(name, callId))).toEqual({
      ok: true,
      value: {
        ...from,
        event: {
          type: 'tool_finished',
          callId,
          tool,
          toUs: false,
          bytes,
          output,
          exit,
          durationMs,
        },
      },
    })
  })

  test('a batch lists calls that ran, ours, and those the client turned away', () => {
    expect(claudeCode.parse(bodyOf('PostToolBatch'))).toEqual({
      ok: true,
      value: {
        ...from,
        event: {
          type: 'batch_finished',
          calls: [
            { callId: 'toolu_1_0', tool: 'Bash', toUs: false, ran: true },
            {
              callId: 'toolu_1_1',
              tool: 'mcp__statewright__statewright_transition',
              toUs: true,
              ran: true,
            },
            { callId: 'toolu_1_2', tool: 'Nope', toUs: false, ran: false },
          ],
        },
      },
    })
  })

  test.each([
    ['UserPromptSubmit', { type: 'prompt_given', text: 'go' }],
    ['SessionStart', { type: 'session_started' }],
    ['SessionEnd', { type: 'session_ended' }],
    ['Stop', { type: 'turn_ended' }],
    ['ConfigChange', { type: 'settings_changed', file: '/home/ann/.claude/settings.json' }],
  ])('%s', (name, event) => {
    expect(claudeCode.parse(bodyOf(name))).toEqual({ ok: true, value: { ...from, event } })
  })

  test('an event of a later version is none of ours', () => {
    const body = { ...bodyOf('Stop'), hook_event_name: 'MoonPhase' }
    expect(claudeCode.parse(body)).toEqual({
      ok: true,
      value: { ...from, event: { type: 'other' } },
    })
  })

  test('WF-25: a sub-agent is told apart by its own id', () => {
    const body = { ...bodyOf('PreToolUse', 'toolu_1_0'), agent_id: 'a1', agent_type: 'worker' }
    const parsed = claudeCode.parse(body)
    expect(parsed.ok && parsed.value.agentId).toBe('a1')
  })
})

describe('WF-7: which server is ours', () => {
  const own = 'mcp__statewright__statewright_transition'
  test.each([
    [own, { name: 'statewright', source: 'user' }, 'statewright_transition', undefined],
    [own, { name: 'statewright', source: 'local' }, 'statewright_transition', undefined],
    [own, undefined, 'statewright_transition', undefined],
    // A project brought along a server of our name.
    [own, { name: 'statewright', source: 'project' }, own, 'statewright'],
    [own, { name: 'other', source: 'user' }, own, 'other'],
    [
      'mcp__statewright__run_anything',
      { name: 'statewright', source: 'user' },
      undefined,
      'statewright',
    ],
    ['mcp__evil__statewright_transition', { name: 'evil', source: 'user' }, undefined, 'evil'],
    ['mcp__statewright_x__statewright_transition', undefined, undefined, undefined],
    ['statewright_transition', undefined, undefined, undefined],
  ])('%s of %o', (tool, mcp_server, tool_after, server) => {
    const base = bodyOf('PreToolUse', 'toolu_1_0')
    const parsed = claudeCode.parse({ ...base, tool_name: tool, ...(mcp_server && { mcp_server }) })
    if (!parsed.ok || parsed.value.event.type !== 'tool_requested') throw new Error('not read')
    const { event } = parsed.value
    expect([event.tool, event.server, event.toUs]).toEqual([
      tool_after ?? tool,
      server,
      tool_after === 'statewright_transition',
    ])
  })
})

describe('what cannot be read', () => {
  test.each([
    undefined,
    null,
    'text',
    [],
    {},
    { hook_event_name: 'PreToolUse' },
    { ...bodyOf('PreToolUse'), tool_use_id: 7 },
    { ...bodyOf('PreToolUse'), tool_name: '' },
    { ...bodyOf('PreToolUse'), session_id: '' },
    { ...bodyOf('PostToolBatch'), tool_calls: 'all' },
  ])('is a problem, not a guess %#', (body) => {
    expect(claudeCode.parse(body).ok).toBe(false)
  })

  test.each([undefined, 7, {}, { hook_event_name: 4 }])(
    'is denied in every way the client knows %#',
    (body) => {
      expect(claudeCode.render(body, { kind: 'fault', text: 'why' })).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'why',
        },
        decision: 'block',
        reason: 'why',
      })
    },
  )
})

describe('answers in the dialect of Claude Code', () => {
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'words',
    },
  }
  const tell = (hookEventName: string) => ({
    hookSpecificOutput: { hookEventName, additionalContext: 'words' },
  })
  const block = { decision: 'block', reason: 'words' }
  test.each([
    ['PreToolUse', 'nothing', {}],
    ['PreToolUse', 'deny', deny],
    ['PreToolUse', 'fault', deny],
    ['PreToolUse', 'tell', tell('PreToolUse')],
    ['PostToolUse', 'tell', tell('PostToolUse')],
    ['PostToolUseFailure', 'tell', tell('PostToolUseFailure')],
    ['PostToolBatch', 'tell', tell('PostToolBatch')],
    ['UserPromptSubmit', 'tell', tell('UserPromptSubmit')],
    ['UserPromptSubmit', 'fault', tell('UserPromptSubmit')],
    ['SessionStart', 'tell', tell('SessionStart')],
    ['ConfigChange', 'deny', block],
    ['ConfigChange', 'fault', block],
    ['ConfigChange', 'nothing', {}],
    ['Stop', 'fault', {}],
    ['SessionEnd', 'tell', {}],
  ] as const)('%s answered with %s', (hook_event_name, kind, wanted) => {
    const answer = kind === 'nothing' ? { kind } : { kind, text: 'words' }
    expect(claudeCode.render({ hook_event_name }, answer)).toEqual(wanted)
  })

  test('keeps texts below the length at which the client cuts them', () => {
    const text = 'x'.repeat(20_000)
    const answer = claudeCode.render({ hook_event_name: 'PostToolBatch' }, { kind: 'tell', text })
    expect(JSON.stringify(answer).length).toBeLessThan(10_000)
  })
})

test('the id that joins a client hook and an MCP call', () => {
  expect(claudeCode.toolUseOf({ 'claudecode/toolUseId': 'toolu_1' })).toBe('toolu_1')
  expect(claudeCode.toolUseOf({ 'claudecode/toolUseId': 7 })).toBeUndefined()
  expect(claudeCode.toolUseOf({})).toBeUndefined()
})
