import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'

/** Moves, forks, interrupts, limits and refusals: as much as one run can tell. */
export const workflow = {
  id: 'walk',
  initial: 'plan',
  context: { ready: false },
  guards: { is_ready: { field: 'ready', op: 'eq', value: true } },
  interrupts: { migration: { trigger: { file_pattern: 'db/**' }, target: 'review' } },
  states: {
    plan: {
      allowed_tools: ['Read', 'Edit'],
      max_iterations: 50,
      on: {
        READY: 'plan',
        GO: { target: 'work', guard: 'is_ready' },
        SHIP: { target: 'done', requires_approval: true, approval_message: 'Ship it?' },
        SPLIT: {
          fork: {
            branches: {
              one: { initial: 'first', terminal: 'first_done' },
              two: { initial: 'second', terminal: 'second_done' },
            },
            on_complete: 'work',
          },
        },
      },
    },
    review: { allowed_tools: ['Read'], on: { OK: { target: '$return' } } },
    first: { on: { END: 'first_done' } },
    first_done: { type: 'final' },
    second: { on: { END: 'second_done' } },
    second_done: { type: 'final' },
    work: { on: { FINISH: 'done' } },
    done: { type: 'final' },
  },
  meta: { debug: true, capture_output: true, approval_mode: 'ui', description: 'A walk.' },
} as const

export const questions = {
  name: 'walk-questions',
  initial: 'sure',
  states: {
    sure: {
      question: 'Are you sure?',
      answers: {
        yes: { next: 'really' },
        no: { next: 'sure', action: 'warn' },
      },
    },
    really: {
      question: 'Really?',
      answers: {
        yes: { next: null, action: 'complete' },
        ask: { next: 'sure', action: 'notify_human' },
      },
    },
  },
} as const

/** A run of its own for the agent. */
export async function start(walk: Walk, definition: object = workflow): Promise<string> {
  const me = await (await walk.fetch('/api/me', 'agent')).json()
  const { id: agent } = me as { id: string } // Its own token, which has an id.
  const body = { definition, workspace: walk.workspace, agent, context: { note: 'x' } }
  const { run_id } = await walk.as('person').call(endpoints.startRun, { body })
  return run_id
}

export async function runSteps(walk: Walk): Promise<void> {
  const id = await start(walk)
  const params = { id }
  await call(walk, id)
  await move(walk, id)
  await walk.call(endpoints.getRun, { params })
  await walk.call(endpoints.listRuns, { query: { status: 'running', limit: 5 } })
  await walk.as('person').call(endpoints.listRuns, { query: { ids: id } })
  await walk.as('person').call(endpoints.forceState, { params, body: { state: 'work' } })
  await walk.as('person').call(endpoints.pauseRun, { params, body: {} })
  await walk.as('person').call(endpoints.resumeRun, { params, body: {} })
  await history(walk, id)
  await answers(walk)
  await walk.as('person').call(endpoints.stopRun, { params, body: {} })
  await walk.call(endpoints.verifyRun, { params })
}

/** Calls that pass, that fire an interrupt, and that are denied until the run counts as stuck. */
async function call(walk: Walk, run: string): Promise<void> {
  const edit = { file_path: 'db/1.sql', old_string: 'a', new_string: 'b' }
  const body = { run, tool: 'Edit', input: edit, call_id: 'edit' }
  await walk.as('agent').call(endpoints.checkCall, { body })
  const done = { run, call_id: 'edit', exit: 0, output: 'changed', cost_usd: 0.01, duration_ms: 3 }
  const { interrupt } = await walk.as('agent').call(endpoints.reportCall, { body: done })
  expect(interrupt?.to).toBe('review')
  for (const call_id of ['no1', 'no2', 'no3']) {
    const denied = { run, tool: 'Write', input: { file_path: 'a', content: 'b' }, call_id }
    const { decision } = await walk.as('agent').call(endpoints.checkCall, { body: denied })
    expect(decision).toBe('deny')
  }
  const { runs } = await walk.call(endpoints.listStuckRuns)
  expect(runs.map(({ run_id }) => run_id)).toEqual([run])
  const input = { file_path: 'a' }
  await walk.call(endpoints.explainCall, { params: { id: run }, body: { tool: 'Write', input } })
  await walk.call(endpoints.explainCall, { params: { id: run }, body: { tool: 'Read', input } })
}

async function move(walk: Walk, id: string): Promise<void> {
  const send = (event: string, more: { branch?: string; data?: Record<string, unknown> } = {}) =>
    walk.call(endpoints.sendEvent, { params: { id }, body: { event, ...more } })
  await send('OK')
  const waits = await send('SHIP')
  if (waits.status !== 'pending_approval') throw new Error('nobody was asked')
  const verdict = { params: { id: waits.approval_id }, body: { reason: 'not yet' } }
  await walk.as('person').call(endpoints.reject, verdict)
  await send('READY', { data: { ready: true } })
  await send('SPLIT')
  await walk.call(endpoints.getRun, { params: { id }, query: { branch: 'two' } })
  await send('END', { branch: 'one' })
  await send('END', { branch: 'two' })
}

async function history(walk: Walk, id: string): Promise<void> {
  const params = { id }
  await walk.call(endpoints.listEntries, { params, query: { limit: 1000 } })
  const query = { limit: 1000, cause: '1' } as const
  const { entries } = await walk.call(endpoints.listEntries, { params, query })
  await walk.call(endpoints.exportRun, { params })
  await walk.call(endpoints.replayRun, { params, query: { seq: entries.length - 1 } })
  await walk.call(endpoints.verifyRun, { params })
  await walk.call(endpoints.getProgram, { params })
  const { output } = await walk.call(endpoints.getCall, { params: { id, call: 'edit' } })
  expect(output).toBe('changed')
}

async function answers(walk: Walk): Promise<void> {
  const id = await start(walk, questions)
  const give = (answer: string) =>
    walk.call(endpoints.answerQuestion, { params: { id }, body: { answer, rationale: 'because' } })
  await give('no')
  await give('yes')
  const waits = await give('ask')
  expect(waits.status).toBe('pending_approval')
  await walk.call(endpoints.getRun, { params: { id } })
  await walk.call(endpoints.listEntries, { params: { id }, query: { cause: '1' } })
}
