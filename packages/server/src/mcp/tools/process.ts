import { hasEnded, ok } from '@statewright/core/internal'
import { Run } from '@statewright/core/wire'
import { z } from 'zod'
import { answerQuestion, type ChangeResult } from '../../runtime/runs/change-run.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { callersRun, type ToolCaller } from '../tool-caller.ts'
import { StatusAfter } from './shapes.ts'
import { Name, ownTool, RunHandle } from './tool.ts'

const Checkpoint = z.looseObject({
  ...Run.pick({ run_id: true, state: true, brief: true }).shape,
  process: z.string(),
  status: StatusAfter,
  question: z.string().nullable().describe('Null when there is no question left.'),
  answers: z.array(z.string()),
  approval_id: z.string().optional(),
  message: z.string().optional(),
  warning: z.string().optional(),
})
type Checkpoint = z.infer<typeof Checkpoint>

export const processStep = ownTool({
  name: 'process_step',
  description:
    'Answer the current question of the process. Only the listed answers count; some end ' +
    'the run, and some wait for a person.',
  input: z.object({
    answer: Name.describe('One of the answers that process_state lists.'),
    rationale: z
      .string()
      .max(2000)
      .optional()
      .describe('The reason, which is kept in the history.'),
    run: RunHandle,
  }),
  output: Checkpoint,
  async call(from, { answer, rationale, run }) {
    const found = await callersRun(from, run)
    if (!found.ok) return found
    const done = await answerQuestion(from.runtime, from.caller, {
      run: found.value.row.runId,
      answer,
      ...(rationale === undefined ? {} : { rationale }),
    })
    return done.ok ? ok(stepped(from, done.value)) : done
  },
})

function stepped(from: ToolCaller, { live, answer }: ChangeResult): Checkpoint {
  const shown = checkpoint(from, live)
  if (answer.type === 'pending_approval') {
    const { approvalId: approval_id, message } = answer
    return { ...shown, status: 'pending_approval', approval_id, message }
  }
  const warning = answer.type === 'moved' ? answer.warning : undefined
  return warning === undefined ? shown : { ...shown, warning }
}

export const processState = ownTool({
  name: 'process_state',
  description: 'The current question of the process, and its answers.',
  input: z.object({ run: RunHandle }),
  output: Checkpoint,
  isReading: true,
  async call(from, { run }) {
    const found = await callersRun(from, run)
    return found.ok ? ok(checkpoint(from, found.value)) : found
  },
})

function checkpoint(from: ToolCaller, live: ChangeResult['live']): Checkpoint {
  const view = viewRun(live, from.caller)
  const { run_id, status, state, question, answers, brief, pending_approval: pending } = view
  const isOver = hasEnded(live.snapshot.status)
  return {
    run_id,
    process: view.workflow,
    status,
    state,
    question: isOver ? null : (question ?? null),
    answers: isOver ? [] : [...(answers ?? [])],
    ...(pending === null ? {} : { approval_id: pending.approval_id, message: pending.message }),
    brief,
  }
}
