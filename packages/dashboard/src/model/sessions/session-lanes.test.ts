import type { AgentUpdate } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { drawLanes, foldLanes, type Lanes, maxBars, noLanes } from './session-lanes.ts'

let count = 0
type StateEvent = Extract<AgentUpdate, { channel: 'agent:state_event' }>['event']

const envelope = (at: number) => ({
  sessionId: 'sess_1',
  eventId: `evt_${++count}`,
  timestampMs: at,
})
const reported = (event: StateEvent): AgentUpdate => ({ channel: 'agent:state_event', event })
const changed = (
  at: number,
  from: 'ready' | 'calling_llm',
  to: 'calling_llm' | 'ready' | 'error',
) =>
  reported({
    ...envelope(at),
    type: 'state_changed',
    from,
    to,
    reason: 'user_input',
    streamId: 't',
  })
const tool = (
  runId: string,
  from: number,
  to?: number,
  more: { isError?: boolean; error?: string } = {},
) =>
  reported({
    ...envelope(to ?? from),
    type: 'tool_lifecycle',
    runId,
    callId: runId,
    toolName: 'bash',
    mutating: true,
    attempt: 1,
    startedAtMs: from,
    status: to === undefined ? 'running' : 'succeeded',
    ...(to === undefined ? {} : { finishedAtMs: to }),
    ...more,
  })

const fold = (...updates: readonly AgentUpdate[]): Lanes => updates.reduce(foldLanes, noLanes)

describe('lanes of a session', () => {
  test('SE-14: a request to the model lasts until the session leaves it', () => {
    const { bars } = fold(changed(10, 'ready', 'calling_llm'), changed(30, 'calling_llm', 'ready'))
    expect(bars).toMatchObject([{ lane: 'model', from: 10, to: 30, tone: 'good' }])
    const broken = fold(changed(10, 'ready', 'calling_llm'), changed(30, 'calling_llm', 'error'))
    expect(broken.bars).toMatchObject([{ to: 30, tone: 'bad' }])
  })

  test('SE-14: a tool run is one bar, however often it is told, and a denial is named', () => {
    const denied = { isError: true, error: 'tool_not_allowed' }
    const { bars } = fold(tool('a', 10), tool('a', 10, 40), tool('b', 15, 16, denied))
    expect(bars).toMatchObject([
      { id: 'a', from: 10, to: 40, tone: 'good' },
      { id: 'b', tone: 'wait', status: 'denied: tool_not_allowed' },
    ])
  })

  test('work at the same time stands below each other, and within the frame', () => {
    const drawing = drawLanes(fold(tool('a', 0, 100), tool('b', 50, 80), tool('c', 100, 200)))
    const [, tools] = drawing.lanes
    expect(tools?.bars.map(({ row }) => row)).toEqual([0, 1, 0])
    expect(tools?.rows).toBe(2)
    for (const { left, width } of tools?.bars ?? []) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left + width).toBeLessThanOrEqual(1.001)
    }
  })

  test('a night between two pieces of work does not hide them', () => {
    const night = 12 * 3_600_000
    const drawing = drawLanes(fold(tool('a', 0, 1000), tool('b', night, night + 1000)))
    expect(drawing.to - drawing.from).toBe(5000)
    expect(drawing.lanes[1]?.bars[1]?.width).toBeCloseTo(0.2)
  })

  test('older work is let go', () => {
    const many = Array.from({ length: maxBars + 5 }, (_, at) => tool(`t${at}`, at, at + 1))
    expect(fold(...many).bars).toHaveLength(maxBars)
  })
})
