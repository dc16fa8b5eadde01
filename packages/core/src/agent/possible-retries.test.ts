import { describe, expect, test } from 'vitest'
import { eventsFor, toolCall } from './agent.test-kit.ts'
import { possibleRetries } from './possible-retries.ts'
import type { HookRunRecord, ToolRunRecord } from './records.ts'
import { reduceAgent } from './reduce-agent.ts'
import { type AgentState, initialAgentState } from './state.ts'

const toolRun = (part: Partial<ToolRunRecord>): ToolRunRecord => ({
  runId: 'toolrun_1',
  callId: 'call_1',
  toolName: 'bash',
  mutating: true,
  status: 'failed',
  startedAtMs: 1,
  attempt: 1,
  ...part,
})

const hookRun = (part: Partial<HookRunRecord>): HookRunRecord => ({
  runId: 'hookrun_1',
  hookName: 'format',
  toolRunIds: [],
  status: 'failed',
  startedAtMs: 1,
  attempt: 1,
  ...part,
})

/** In `error` with one failed run of the batch at hand, and an older failure beside it. */
const broken: AgentState = {
  ...initialAgentState('sess_1'),
  kind: 'error',
  pendingToolCalls: [toolCall('bash', 'call_1', true)],
  batch: ['toolrun_1'],
  toolRuns: [toolRun({ runId: 'toolrun_old', callId: 'call_old' }), toolRun({})],
}

describe('what may be run again', () => {
  test('SE-5, SE-14: is a failed run of the batch at hand, and no older one', () => {
    expect(possibleRetries(broken)).toEqual([{ kind: 'tool', runId: 'toolrun_1' }])
  })

  test('SE-5: is a failed hook of the pipeline at hand', () => {
    const state: AgentState = {
      ...broken,
      toolRuns: [toolRun({ status: 'succeeded' })],
      pipeline: ['hookrun_1', 'hookrun_2'],
      hookRuns: [
        hookRun({ runId: 'hookrun_old' }),
        hookRun({}),
        hookRun({ runId: 'hookrun_2', status: 'queued' }),
      ],
    }
    expect(possibleRetries(state)).toEqual([{ kind: 'hook', runId: 'hookrun_1' }])
  })

  test('SE-5: is nothing outside of `error`', () => {
    expect(possibleRetries({ ...broken, kind: 'ready' })).toEqual([])
  })

  test('SE-1: is exactly what the machine takes', () => {
    for (const { runId } of broken.toolRuns) {
      const event = eventsFor(broken).retry({ kind: 'tool', runId }, 'person')
      const isTaken = reduceAgent(broken, event, 2).refusal === undefined
      expect(possibleRetries(broken).some((one) => 'runId' in one && one.runId === runId)).toBe(
        isTaken,
      )
    }
  })
})
