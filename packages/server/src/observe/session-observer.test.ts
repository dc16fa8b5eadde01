import { context, ROOT_CONTEXT, type Span, type Tracer, trace } from '@opentelemetry/api'
import type { AgentStateEvent } from '@statewright/core/internal'
import { expect, test } from 'vitest'
import { createLog } from './logger.ts'
import { Metrics } from './metrics.ts'
import { sessionObserver } from './session-observer.ts'
import { TurnTraces } from './turn-traces.ts'

const envelope = { sessionId: 'sess_1', eventId: 'evt_1' }
const changed = (
  from: 'ready' | 'calling_llm' | 'executing_tools',
  to: 'ready' | 'calling_llm' | 'executing_tools',
  timestampMs: number,
): AgentStateEvent => ({
  ...envelope,
  type: 'state_changed',
  from,
  to,
  reason: from === 'ready' ? 'user_input' : 'tools_completed',
  timestampMs,
  streamId: 'turn_1',
})
const run = (status: 'running' | 'failed', timestampMs: number): AgentStateEvent => ({
  ...envelope,
  type: 'tool_lifecycle',
  timestampMs,
  runId: 'toolrun_1',
  callId: 'a',
  toolName: 'bash',
  mutating: true,
  status,
  attempt: 1,
  startedAtMs: 100,
  ...(status === 'failed' ? { finishedAtMs: 140, error: 'timeout' } : {}),
})
const hook = (status: 'running' | 'succeeded', timestampMs: number): AgentStateEvent => ({
  ...envelope,
  type: 'hook_lifecycle',
  timestampMs,
  runId: 'hookrun_1',
  hookName: 'lint',
  toolRunIds: ['toolrun_1'],
  status,
  attempt: 1,
  startedAtMs: 142,
  ...(status === 'succeeded' ? { finishedAtMs: 148 } : {}),
})
const story = [
  changed('ready', 'calling_llm', 10),
  changed('calling_llm', 'executing_tools', 50),
  run('running', 100),
  run('failed', 140),
  hook('running', 142),
  hook('succeeded', 148),
  changed('executing_tools', 'calling_llm', 150),
  changed('calling_llm', 'ready', 200),
]

test('SE-16: transitions, durations and errors are counted under their names', async () => {
  const metrics = new Metrics()
  const observer = sessionObserver(createLog({ level: 'silent' }), metrics.sessions)
  for (const event of story) observer.onEvent(event)
  const error = { code: 'tool_execution_failed', message: 'x', retryable: true } as const
  observer.onEvent({ ...envelope, type: 'session_error', timestampMs: 1, source: 'tool', ...error })
  const text = await metrics.text()
  expect(text).toContain('agent_state_transitions_total{from="ready",to="calling_llm"} 1')
  expect(text).toContain('tool_run_duration_ms_sum{tool_name="bash",status="failed"} 40')
  expect(text).toContain('session_errors_total{code="tool_execution_failed"} 1')
  expect(text).toContain('hook_run_duration_ms_sum{hook_name="lint",status="succeeded"} 6')
})

test('SE-16: names that a model made up do not swell the metrics', async () => {
  const metrics = new Metrics()
  const observer = sessionObserver(createLog({ level: 'silent' }), metrics.sessions)
  const event = run('failed', 1)
  if (event.type !== 'tool_lifecycle') throw new Error('not a tool')
  for (const toolName of ['made_up_1', 'made_up_2']) observer.onEvent({ ...event, toolName })
  expect(await metrics.text()).toContain(
    'tool_run_duration_ms_count{tool_name="other",status="failed"} 2',
  )
})

test('SE-16: logs name session, stream, run and tool; arguments only when debugging', () => {
  const logged = (level: 'info' | 'debug') => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const observer = sessionObserver(createLog({ level, destination }), new Metrics().sessions)
    for (const event of story) observer.onEvent(event)
    observer.toolRuns('sess_1', 'toolrun_1', 'bash', { command: 'cat private.txt' })
    return lines.map((line): Record<string, unknown> => JSON.parse(line))
  }
  const lines = logged('info')
  expect(lines[0]).toMatchObject({
    session_id: 'sess_1',
    stream_id: 'turn_1',
    from: 'ready',
    to: 'calling_llm',
  })
  expect(lines.find(({ status }) => status === 'failed')).toMatchObject({
    run_id: 'toolrun_1',
    tool_name: 'bash',
    attempt: 1,
    duration_ms: 40,
    error: 'timeout',
  })
  expect(JSON.stringify(lines)).not.toContain('private.txt')
  expect(JSON.stringify(logged('debug'))).toContain('private.txt')
})

test('SE-16: one trace per turn, with spans for model calls, tools and hooks', () => {
  const spans: { name: string; parent: string | undefined; start: unknown; end?: unknown }[] = []
  const tracer: Tracer = {
    startSpan(name, options, parent) {
      const above = parent === undefined ? undefined : trace.getSpan(parent)
      const row: (typeof spans)[number] = {
        name,
        parent: above === undefined ? undefined : names.get(above),
        start: options?.startTime,
      }
      spans.push(row)
      const plain = trace.wrapSpanContext({ traceId: '1', spanId: name, traceFlags: 0 })
      const span: Span = Object.assign(plain, {
        end: (time?: unknown) => {
          row.end = time
        },
      })
      names.set(span, name)
      return span
    },
    startActiveSpan: () => {
      throw new Error('not used')
    },
  }
  const names = new Map<Span, string>()
  context.with(ROOT_CONTEXT, () => {
    const traces = new TurnTraces(tracer)
    for (const event of story) traces.onEvent(event)
  })
  expect(spans).toEqual([
    { name: 'session turn', parent: undefined, start: 10, end: 200 },
    { name: 'llm request', parent: 'session turn', start: 10, end: 50 },
    { name: 'tool', parent: 'session turn', start: 100, end: 140 },
    { name: 'hook', parent: 'session turn', start: 142, end: 148 },
    { name: 'llm request', parent: 'session turn', start: 150, end: 200 },
  ])
})
