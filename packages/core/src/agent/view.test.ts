import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { streamEvent } from './agent.test-kit.ts'
import { foldAgentUpdate } from './fold-view.ts'
import type { AgentStateEventBody } from './state-event.ts'
import type { StreamEvent } from './stream-event.ts'
import { type AgentUpdate, type AgentView, emptyAgentView } from './view.ts'

let count = 0
const tell = (event: AgentStateEventBody): AgentUpdate => ({
  channel: 'agent:state_event',
  event: { ...event, eventId: `evt_${++count}` },
})
const stream = (part: Partial<StreamEvent>): AgentUpdate => ({
  channel: 'agent:stream_event',
  event: streamEvent({ eventId: `evt_${++count}`, ...part }),
})
const envelope = { sessionId: 'sess_1', timestampMs: 5 }
const changed = (
  from: 'ready' | 'calling_llm' | 'error',
  to: 'ready' | 'calling_llm' | 'error',
  more: { streamId?: string; input?: string } = {},
) => tell({ ...envelope, type: 'state_changed', from, to, reason: 'user_input', ...more })
const tool = (status: 'queued' | 'running' | 'failed' | 'succeeded', attempt: number) =>
  tell({
    ...envelope,
    type: 'tool_lifecycle',
    runId: `toolrun_${attempt}`,
    callId: 'a',
    toolName: 'bash',
    mutating: true,
    status,
    attempt,
    startedAtMs: 100,
    ...(status === 'queued' || status === 'running' ? {} : { finishedAtMs: 130 }),
  })

function fold(...updates: readonly AgentUpdate[]): AgentView {
  return updates.reduce(foldAgentUpdate, emptyAgentView('sess_1'))
}

const request = changed('ready', 'calling_llm', { streamId: 'turn_1', input: 'go' })

describe('the view of a session', () => {
  test('SE-17: words are put together, and what was seen before is not written twice', () => {
    const word = (seq: number, text: string) => stream({ seq, payload: { text } })
    const view = fold(
      request,
      word(1, 'a'),
      word(2, 'b'),
      word(2, 'b'),
      word(1, 'a'),
      stream({ seq: 3, type: 'thinking_delta', payload: { text: 'hm' } }),
      stream({ seq: 4, type: 'completed', payload: { costUsd: 0.5, inputTokens: 3 } }),
    )
    expect(view.items).toMatchObject([
      { kind: 'input', text: 'go' },
      { kind: 'answer', text: 'ab', thinking: 'hm', isDone: true },
    ])
    expect(view).toMatchObject({ state: 'calling_llm', costUsd: 0.5, inputTokens: 3 })
  })

  test('SE-17: an answer that broke off stays, and the retry writes its own', () => {
    const view = fold(
      request,
      stream({ seq: 1, payload: { text: 'half' } }),
      tell({
        ...envelope,
        type: 'session_error',
        code: 'streaming_failed',
        message: 'broken',
        retryable: true,
        source: 'harness',
      }),
      changed('calling_llm', 'error', { streamId: 'turn_1' }),
      changed('error', 'calling_llm', { streamId: 'turn_2' }),
      stream({ streamId: 'turn_2', seq: 1, payload: { text: 'whole' } }),
    )
    expect(view.items.slice(1)).toMatchObject([
      { kind: 'answer', text: 'half', isDone: true },
      { kind: 'error', error: { code: 'streaming_failed' } },
      { kind: 'answer', text: 'whole', isDone: false },
    ])
    expect(view.lastError?.code).toBe('streaming_failed')
  })

  test('SE-17: attempts of a call are one line, with what the stream told of it', () => {
    const payload = { callId: 'a', name: 'bash', arguments: { command: 'ls' } }
    const view = fold(
      request,
      stream({ seq: 1, type: 'tool_call_completed', payload }),
      tool('queued', 1),
      tool('running', 1),
      tool('failed', 1),
      tool('queued', 2),
      tool('succeeded', 2),
    )
    expect(view.items.slice(1)).toEqual([
      {
        kind: 'tool',
        id: 'a',
        runId: 'toolrun_2',
        name: 'bash',
        input: { command: 'ls' },
        status: 'succeeded',
        attempt: 2,
        durationMs: 30,
      },
    ])
  })

  test('SE-17, SE-12: an agent with tools of its own tells their end in its stream', () => {
    const call = { callId: 'x', name: 'Edit' }
    const view = fold(
      request,
      stream({ seq: 1, type: 'tool_call_completed', payload: { ...call, status: 'running' } }),
      stream({
        seq: 2,
        type: 'tool_call_completed',
        payload: { ...call, status: 'succeeded', isError: true },
      }),
    )
    expect(view.items.slice(1)).toMatchObject([
      { kind: 'tool', id: 'x', name: 'Edit', status: 'succeeded', isError: true },
    ])
  })

  test('SE-17: a turn ends with what it took, once, and again when it was retried', () => {
    const usage = { startedAtMs: 1, requests: 2, costUsd: 0.1, inputTokens: 5, outputTokens: 6 }
    const ended = (requests: number, reason: 'stream_completed' | 'ready' = 'stream_completed') =>
      tell({
        ...envelope,
        type: 'state_changed',
        from: 'calling_llm',
        to: 'ready',
        reason,
        turn: { ...usage, requests },
      })
    const once = fold(request, ended(2), ended(2, 'ready'))
    expect(once.items.slice(1)).toEqual([{ kind: 'turn', id: '1', usage, endedAtMs: 5 }])
    const word = stream({ streamId: 'turn_2', seq: 1, payload: { text: 'again' } })
    const again = fold(request, ended(2), word, ended(3))
    expect(again.items.map(({ kind }) => kind)).toEqual(['input', 'answer', 'turn'])
  })

  test('SE-17: a refused event says nothing of how the session stands', () => {
    const view = fold(
      tell({
        ...envelope,
        type: 'session_error',
        code: 'state_transition_invalid',
        message: 'no',
        retryable: false,
        source: 'orchestrator',
      }),
    )
    expect(view.lastError).toBeNull()
    expect(view.items).toHaveLength(1)
  })

  test('SE-17: other sessions are left out, and lines are bounded', () => {
    const strange = stream({ sessionId: 'sess_2', payload: { text: 'x' } })
    expect(fold(request, strange).items).toHaveLength(1)
    const many = Array.from({ length: limits.agentViewItems + 10 }, (_, at) =>
      stream({ seq: at + 1, type: 'status', payload: { message: `${at}` } }),
    )
    expect(fold(request, ...many).items).toHaveLength(limits.agentViewItems)
  })
})
