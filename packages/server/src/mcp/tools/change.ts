import { ok } from '@statewright/core/internal'
import { Move, Run } from '@statewright/core/wire'
import { z } from 'zod'
import {
  type ChangeResult,
  changeRun,
  effectsOf,
  isEventTaken,
  transition,
} from '../../runtime/runs/change-run.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { callersRun, type ToolCaller } from '../tool-caller.ts'
import { StatusAfter } from './shapes.ts'
import { AnyObject, Name, ownTool, RunHandle } from './tool.ts'

const MoveAnswer = z.looseObject({
  ...Move.omit({ event: true, state: true, fork: true }).shape,
  status: StatusAfter,
  approval_id: z.string().optional(),
  message: z.string().optional(),
})
type MoveAnswer = z.infer<typeof MoveAnswer>

export const sendTransition = ownTool({
  name: 'statewright_transition',
  description:
    'Send an event to move the run on. `data` is stored once the event is accepted; guards read ' +
    'what earlier events stored. A refusal says what is missing.',
  input: z.object({
    event: Name.describe('One of the events that statewright_get_state lists.'),
    data: AnyObject.optional().describe('Merged into the context when the event is accepted.'),
    run: RunHandle,
  }),
  output: MoveAnswer,
  async call(from, { event, data, run }) {
    const found = await callersRun(from, run)
    if (!found.ok) return found
    const done = await transition(from.runtime, from.caller, {
      run: found.value.row.runId,
      event,
      ...(data === undefined ? {} : { data }),
    })
    return done.ok ? ok(movedAnswer(from, done.value)) : done
  },
})

function movedAnswer(from: ToolCaller, { live, answer }: ChangeResult): MoveAnswer {
  const { transition_count, brief, status } = viewRun(live, from.caller)
  if (answer.type === 'pending_approval') {
    return {
      transitioned: false,
      status: 'pending_approval',
      approval_id: answer.approvalId,
      message: answer.message,
      transition_count,
      brief,
    }
  }
  if (answer.type !== 'moved') return { transitioned: false, status, transition_count, brief }
  return {
    transitioned: isEventTaken(answer),
    status,
    from: answer.from,
    to: answer.to,
    transition_count,
    ...effectsOf(answer),
    ...(answer.warning === undefined ? {} : { warning: answer.warning }),
    brief,
  }
}

const stands = Run.pick({ run_id: true, state: true }).shape

export const pause = ownTool({
  name: 'statewright_pause',
  description: 'Pause the run; it keeps its state. Only a person may pause a locked run.',
  input: z.object({ run: RunHandle }),
  output: z.looseObject({ paused: z.boolean(), ...stands }),
  async call(from, { run }) {
    const done = await change(from, run, 'paused')
    if (!done.ok) return done
    const { runId: run_id, state } = done.value.live.row
    return ok({ paused: true, run_id, state })
  },
})

export const deactivate = ownTool({
  name: 'statewright_deactivate',
  description: 'Stop the run for good. Only a person may stop a locked run.',
  input: z.object({ run: RunHandle }),
  output: z.looseObject({ stopped: z.boolean(), ...stands }),
  async call(from, { run }) {
    const done = await change(from, run, 'stopped')
    if (!done.ok) return done
    const { runId: run_id, state } = done.value.live.row
    return ok({ stopped: true, run_id, state })
  },
})

export const forceState = ownTool({
  name: 'statewright_force_state',
  description: 'Force a run with meta.debug into a state, without guards and transitions.',
  input: z.object({ state: Name, context: AnyObject.optional(), run: RunHandle }),
  output: z.looseObject({ forced: z.boolean(), from: z.string(), to: z.string() }),
  isDebugging: true,
  async call(from, { state, context, run }) {
    const found = await callersRun(from, run)
    if (!found.ok) return found
    const { runId, state: before } = found.value.row
    const done = await changeRun(from.runtime, from.caller, { run: runId }, (_live, facts) => ({
      ...facts,
      type: 'forced',
      state,
      ...(context === undefined ? {} : { context }),
    }))
    return done.ok ? ok({ forced: true, from: before, to: done.value.live.row.state }) : done
  },
})

async function change(from: ToolCaller, run: string | undefined, type: 'paused' | 'stopped') {
  const found = await callersRun(from, run)
  if (!found.ok) return found
  const { runId } = found.value.row
  return changeRun(from.runtime, from.caller, { run: runId }, (_live, facts) => ({
    ...facts,
    type,
  }))
}
