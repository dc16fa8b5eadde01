import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkedStep } from '../../packages/core/src/agent/agent.test-kit.ts'
import { agentErrors } from '../../packages/core/src/agent/errors.ts'
import type { AgentEventType } from '../../packages/core/src/agent/events.ts'
import {
  type AgentStateKind,
  agentStateKinds,
  changeReasons,
} from '../../packages/core/src/agent/kinds.ts'
import {
  hookRetryDelay,
  llmRetryDelay,
  sessionTimeouts,
  toolRetryDelay,
} from '../../packages/core/src/agent/retry.ts'
import { codeWords, sectionOf, tableRows } from '../markdown-table.ts'
import type { MatrixCase } from './matrix-case.ts'
import { anyEvent, cases, inKind } from './matrix-cases.ts'

/** The compiler wants every event here, once. */
const everyEvent: Readonly<Record<AgentEventType, true>> = {
  spawn: true,
  harness_ready: true,
  user_input: true,
  input_withdrawn: true,
  interrupt_requested: true,
  compact_requested: true,
  model_chosen: true,
  window_known: true,
  resume_requested: true,
  harness_stream: true,
  tool_requested: true,
  agent_tool: true,
  tool_started: true,
  tool_completed: true,
  hook_started: true,
  hook_completed: true,
  retry_timeout: true,
  stop_requested: true,
  stop_timeout: true,
  harness_exited: true,
}
const agentEventTypes = Object.keys(everyEvent) as AgentEventType[]

const spec = readFileSync(new URL('../../docs/spec/session.md', import.meta.url), 'utf8')

const rows = tableRows(spec, 'in', 'event', 'case').flatMap(
  ([kinds = '', event = '', name = '', to = '', reasons = '', asks = '']) =>
    codeWords(kinds).map((kind) => ({
      kind: kind as AgentStateKind,
      event: codeWords(event)[0] as AgentEventType,
      name,
      to: codeWords(to),
      reasons: codeWords(reasons),
      asks: codeWords(asks),
    })),
)

function caseOf({ kind, event, name }: (typeof rows)[number]): MatrixCase {
  const special = cases[`${kind} ${event} ${name}`]
  if (special !== undefined) return special()
  expect(['–', 'late', 'ended run'], `case "${name}" needs a scene`).toContain(name)
  const state = inKind[kind]()
  return { state, event: anyEvent(event, state) }
}

describe('the table of states and events', () => {
  test('SE-1: it is there, with rows for every state and every event', () => {
    expect(rows.length).toBeGreaterThan(110)
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(agentStateKinds))
    expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(agentEventTypes))
    const names = new Set(rows.map(({ kind, event, name }) => `${kind} ${event} ${name}`))
    expect(Object.keys(cases).filter((name) => !names.has(name))).toEqual([])
  })

  test.each(rows)('SE-1: in $kind, $event ($name) leads to $to', (row) => {
    const { state, event } = caseOf(row)
    expect(state.kind).toBe(row.kind)
    expect(event.type).toBe(row.event)
    const step = checkedStep(state, event)
    const changes = step.actions.flatMap((action) =>
      action.type === 'emit_state_event' && action.event.type === 'state_changed'
        ? [action.event]
        : [],
    )
    const request = step.actions.flatMap(({ type }) =>
      type === 'emit_state_event' || type === 'wait' ? [] : [type],
    )
    if (row.to[0] === 'refused') {
      expect(step.refusal?.code).toBe('state_transition_invalid')
      expect(step.state).toBe(state)
    } else {
      expect(step.refusal).toBeUndefined()
      expect(changes.map(({ to }) => to)).toEqual(row.to[0] === 'same' ? [] : row.to)
    }
    expect(changes.map(({ reason }) => reason)).toEqual(row.reasons)
    expect(request).toEqual(row.asks)
  })

  const pairs = agentStateKinds.flatMap((kind) => agentEventTypes.map((event) => ({ kind, event })))
  const others = pairs.filter(
    (pair) => !rows.some(({ kind, event }) => kind === pair.kind && event === pair.event),
  )

  test.each(others)('SE-1: in $kind, $event is refused and the state kept', ({ kind, event }) => {
    const state = inKind[kind]()
    const step = checkedStep(state, anyEvent(event, state))
    expect(step.state).toBe(state)
    expect(step.refusal?.code).toBe('state_transition_invalid')
    expect(step.actions.map((action) => action.type)).toEqual(['emit_state_event'])
    expect(step.actions[0]).toMatchObject({
      event: { type: 'session_error', code: 'state_transition_invalid', source: 'orchestrator' },
    })
  })
})

describe('the other tables', () => {
  test('SE-1: the reasons of a change are those of the seed and five of ours', () => {
    const [, text = ''] = spec.split('Reasons of a change:')
    expect(codeWords(text.split('\n\n')[0] ?? '')).toEqual(changeReasons)
  })

  test('SE-4: errors are classified as the table says', () => {
    const words = { yes: true, no: false, 'by policy': 'policy' } as const
    const table = tableRows(spec, 'error code').map(([code = '', retry = '', source = '']) => [
      codeWords(code)[0],
      { retryable: words[retry as keyof typeof words], source },
    ])
    expect(Object.fromEntries(table)).toEqual(agentErrors)
  })

  test('SE-5: retries are as the table says', () => {
    const numbers = (cell: string) => cell.split(' ').filter(Boolean).map(Number)
    const table = tableRows(spec, 'retry', 'attempts after the first').map(
      ([what = '', , delays = '']) => [what, delays === '–' ? [] : delays],
    )
    const output = Object.fromEntries(table)
    const delaysOf = (delay: (attempt: number) => number | undefined) =>
      [1, 2, 3, 4].flatMap((attempt) => delay(attempt) ?? [])
    expect(delaysOf(llmRetryDelay)).toEqual(numbers(output.model))
    const tool = (mutating: boolean) => (attempt: number) => toolRetryDelay({ mutating, attempt })
    expect(delaysOf(tool(false))).toEqual(numbers(output['tool that reads']))
    expect(delaysOf(tool(true))).toEqual(output['tool that is mutating'])
    const failure_policy = { type: 'retry', max_attempts: 3, delay_ms: 40 } as const
    expect(delaysOf((attempt) => hookRetryDelay({ failure_policy }, { attempt }))).toEqual([40, 40])
    for (const type of ['fail_session', 'warn_continue'] as const) {
      const hook = { failure_policy: { type } }
      expect(delaysOf((attempt) => hookRetryDelay(hook, { attempt }))).toEqual([])
    }
  })

  test('SE-5, SE-7, SE-13: patience is as the table says', () => {
    const table = tableRows(spec, 'patience', 'ms').map(([name = '', ms = '']) => [
      codeWords(name)[0],
      Number(ms),
    ])
    expect(sessionTimeouts).toMatchObject(Object.fromEntries(table))
    expect(table).toHaveLength(6)
    expect(sectionOf(spec, '## State and event')).toContain('| patience | ms |')
  })
})
