import {
  compileProgram,
  type Program,
  parseWorkflow,
  type RunEvent,
  reduceRun,
  startRun,
} from '@statewright/core/internal'
import { assign, initialTransition, setup, transition } from 'xstate'
import { deployPipeline, walk, walkEnd } from './deploy-pipeline.ts'
import { type BenchResult, compareSpeeds } from './measure.ts'

/** Transitions per second on the five-event walk, against XState's own pure transition function. */
export function benchEngine(): BenchResult {
  const { ours, theirs } = compareSpeeds(ourWalk(), xstateWalk())
  const perWalk = walk.length
  return {
    name: 'engine',
    value: ours * perWalk,
    unit: 'transitions/s',
    baseline: theirs * perWalk,
    against: 'XState 5 transition()',
    ratio: ours / theirs,
    target: '>= 20',
  }
}

function ourWalk(): (count: number) => void {
  const program = compiled()
  const by = { kind: 'agent', id: 'bench' } as const
  const started = { type: 'started', at: 0, by, hash: program.hash } as const
  const events = walk.map(
    ({ event, data }, index): RunEvent => ({
      type: 'transition_requested',
      at: index + 1,
      by,
      event,
      approvalId: '',
      ...(data === undefined ? {} : { data }),
    }),
  )
  const first = startRun(program, started).run
  return (count) => {
    for (let round = 0; round < count; round++) {
      let run = first
      for (const event of events) run = reduceRun(program, run, event).run
      if (run.main.frames[0]?.state !== walkEnd) throw new Error('the walk went astray')
    }
  }
}

function compiled(): Program {
  const parsed = parseWorkflow(deployPipeline)
  if (parsed.definition === undefined) throw new Error('the definition has findings')
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error('the definition does not compile')
  return program.value
}

interface WalkContext {
  test_result: string | null
  coverage: number
  approved: boolean
}

interface WalkEvent {
  type: string
  data?: Partial<WalkContext>
}

/** The same states, guards and merge of the event's data into the context. */
function xstateWalk(): (count: number) => void {
  const types = {} as { context: WalkContext; events: WalkEvent } // XState reads types only.
  const machine = setup({
    types,
    guards: {
      deploy_ready: ({ context }) => context.test_result === 'pass',
      tests_failed: ({ context }) => context.test_result === 'fail',
    },
    actions: { merge: assign(({ context, event }) => ({ ...context, ...event.data })) },
  }).createMachine({
    id: 'deploy-pipeline',
    initial: 'planning',
    context: { test_result: null, coverage: 0, approved: false },
    states: {
      planning: {
        on: {
          READY: { target: 'testing', actions: 'merge' },
          FAIL: { target: 'failed', actions: 'merge' },
        },
      },
      testing: {
        on: {
          EVALUATE: [
            { target: 'deploying', guard: 'deploy_ready', actions: 'merge' },
            { target: 'fixing', guard: 'tests_failed', actions: 'merge' },
            { target: 'failed', actions: 'merge' },
          ],
        },
      },
      fixing: {
        on: {
          DONE: { target: 'testing', actions: 'merge' },
          FAIL: { target: 'failed', actions: 'merge' },
        },
      },
      deploying: {
        on: {
          DONE: { target: 'complete', actions: 'merge' },
          FAIL: { target: 'failed', actions: 'merge' },
        },
      },
      complete: { type: 'final' },
      failed: { type: 'final' },
    },
  })
  const events = walk.map(({ event, data }) =>
    data === undefined ? { type: event } : { type: event, data },
  )
  const [first] = initialTransition(machine)
  return (count) => {
    for (let round = 0; round < count; round++) {
      let snapshot = first
      for (const event of events) [snapshot] = transition(machine, snapshot, event)
      if (snapshot.value !== walkEnd) throw new Error('the walk went astray')
    }
  }
}
