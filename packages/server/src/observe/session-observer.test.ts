import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
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
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const traces = new TurnTraces(provider.getTracer('test'))
  // A small number would be taken for a time since the start of the process.
  const epoch = 1_700_000_000_000
  for (const event of story) traces.onEvent({ ...event, timestampMs: epoch + event.timestampMs })
  const spans = exporter.getFinishedSpans()
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  const ms = ([seconds, nanos]: readonly [number, number]) => seconds * 1000 + nanos / 1e6 - epoch
  const rows = spans.map(({ name, parentSpanContext, startTime, endTime }) => {
    return [name, names.get(parentSpanContext?.spanId ?? '') ?? null, ms(startTime), ms(endTime)]
  })
  const turn = 'invoke_agent statewright'
  expect(
    rows.toSorted((a, b) => Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3])),
  ).toEqual([
    ['chat', turn, 10, 50],
    [turn, null, 10, 200],
    ['execute_tool bash', turn, 100, 140],
    ['hook lint', turn, 142, 148],
    ['chat', turn, 150, 200],
  ])
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
})
