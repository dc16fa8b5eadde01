import { z } from 'zod'
import { limits } from '../base/limits.ts'
import type { Effect } from '../run/step.ts'
import { countIn, Data, Id, listOf, Note, Path, SessionId } from './basics.ts'
import { Explanation } from './decision.ts'
import { endpoint } from './endpoint.ts'
import { EntryLine } from './entry.ts'
import { Fork, ProgramHash, Run, RunLine, RunStatusName, runStatuses, StuckRun } from './run.ts'

/** A person is asked before the run moves on. */
const Waits = z.object({
  status: z.literal('pending_approval'),
  approval_id: z.string(),
  message: z.string(),
})

const did = z.literal(true).optional()

/** What a move set off besides. */
const effects = {
  forked: did,
  branch_completed: did,
  branch_failed: did,
  joined: did,
  fork_failed: did,
  subflow_started: did,
  subflow_completed: did,
  subflow_failed: did,
  interrupted: did,
  run_ended: did,
} satisfies Record<Effect, z.ZodType>

/** What an event did to a run. */
export const Move = z.object({
  transitioned: z.boolean().describe('False where an interrupt was taken instead of the event.'),
  from: z.string().optional(),
  to: z.string().optional(),
  event: z.string().optional(),
  ...effects,
  warning: z.string().optional(),
  state: z.string(),
  status: RunStatusName,
  transition_count: z.number(),
  fork: Fork.optional(),
  brief: z.string(),
})

/** The status of a run, or that what was sent to it waits for a person. */
export const MoveStatus = RunStatusName.or(Waits.shape.status)

const Nothing = z.strictObject({})

/** A whole page of a long history: more would keep other answers waiting. */
const maxEntriesAtOnce = 5000

/** Runs: list, start, look, move, pause, resume, stop. */
export const runEndpoints = {
  listRuns: endpoint({
    method: 'GET',
    path: '/api/runs',
    who: 'agent',
    summary: 'List runs, newest first; an agent sees its own.',
    query: z.strictObject({
      status: listOf(RunStatusName, runStatuses.length)
        .optional()
        .describe('One or several, separated by commas.'),
      workflow: Id.optional(),
      project: Path.optional(),
      session: SessionId.optional(),
      search: z
        .string()
        .max(200)
        .optional()
        .describe(
          'Up to five words, each somewhere in the run: id, workflow, state, tool, command, ' +
            'file or person. A page looks at 1000 runs; `next` leads on.',
        ),
      since: z.coerce
        .number<number | string>()
        .int()
        .min(0)
        .optional()
        .describe('Only those that changed since then, in milliseconds since 1970.'),
      ids: listOf(Id, 100)
        .optional()
        .describe('Only these runs, separated by commas; other filters are ignored.'),
      limit: countIn(500, 50),
      cursor: z.string().max(500).optional().describe('`next` of the page before.'),
    }),
    answers: { 200: z.object({ runs: z.array(RunLine), next: z.string().nullable() }) },
  }),
  startRun: endpoint({
    method: 'POST',
    path: '/api/runs',
    who: 'agent',
    summary: 'Start a run.',
    body: z.strictObject({
      workflow: Id.optional(),
      process: Id.optional(),
      version: z
        .int()
        .min(1)
        .optional()
        .describe('Another version than the newest; for people only.'),
      definition: z.unknown().optional().describe('A definition of its own; for people only.'),
      context: Data.optional(),
      task: z
        .string()
        .max(limits.taskBytes)
        .optional()
        .describe('What a person asks for, for conditions that read it.'),
      session: SessionId.optional(),
      project: Path.optional(),
      workspace: Path.optional().describe('Relative paths are resolved against it.'),
      resume: z
        .boolean()
        .optional()
        .describe('Resume the newest paused or abandoned run instead, if there is one.'),
      agent: Id.optional().describe(
        'Id of the agent’s token that the run is handed to; by a person.',
      ),
    }),
    answers: {
      201: Run.extend({
        resumed: z.boolean(),
        warnings: z.array(z.string()).optional(),
      }),
    },
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/api/runs/:id',
    who: 'agent',
    summary: 'The current state of a run, or of one branch of it.',
    query: z.strictObject({ branch: Id.optional() }),
    answers: { 200: Run },
  }),
  sendEvent: endpoint({
    method: 'POST',
    path: '/api/runs/:id/transition',
    who: 'agent',
    summary: 'Send an event to a run.',
    body: z.strictObject({ event: Id, data: Data.optional(), branch: Id.optional() }),
    answers: {
      200: Move,
      202: Waits,
    },
  }),
  answerQuestion: endpoint({
    method: 'POST',
    path: '/api/runs/:id/answer',
    who: 'agent',
    summary: 'Answer the current question of a process.',
    body: z.strictObject({ answer: Id, rationale: Note.optional() }),
    answers: {
      200: z.object({
        state: z.string(),
        status: RunStatusName,
        question: z.string().optional(),
        answers: z.array(z.string()).optional(),
        warning: z.string().optional(),
        transition_count: z.number(),
        brief: z.string(),
      }),
      202: Waits,
    },
  }),
  pauseRun: endpoint({
    method: 'POST',
    path: '/api/runs/:id/pause',
    who: 'agent',
    summary: 'Pause a run.',
    body: Nothing,
    answers: { 200: Run },
  }),
  // Holding a run is for anyone who watches; letting go of one is not.
  resumeRun: endpoint({
    method: 'POST',
    path: '/api/runs/:id/resume',
    who: 'agent',
    summary: 'Resume a paused run.',
    proof: 'release',
    body: Nothing,
    answers: { 200: Run },
  }),
  stopRun: endpoint({
    method: 'POST',
    path: '/api/runs/:id/stop',
    who: 'agent',
    summary: 'End a run.',
    proof: 'release',
    body: Nothing,
    answers: { 200: Run },
  }),
  forceState: endpoint({
    method: 'POST',
    path: '/api/runs/:id/force',
    who: 'person',
    summary: 'Force a run of a workflow with meta.debug into a state.',
    proof: 'release',
    body: z.strictObject({ state: Id, context: Data.optional() }),
    answers: { 200: Run },
  }),
  listEntries: endpoint({
    method: 'GET',
    path: '/api/runs/:id/entries',
    who: 'agent',
    summary: 'The history of a run, in order and without gaps.',
    query: z.strictObject({
      after: countIn(Number.MAX_SAFE_INTEGER, 0).describe('Entries after this `seq`.'),
      limit: countIn(maxEntriesAtOnce, 100),
      last: z.coerce
        .number<number | string>()
        .int()
        .min(1)
        .max(maxEntriesAtOnce)
        .optional()
        .describe('Only this many of the newest entries; `after` and `limit` are ignored.'),
      cause: z.enum(['0', '1']).default('0').describe('1 shows the event that caused each step.'),
    }),
    answers: { 200: z.object({ entries: z.array(EntryLine), next: z.number().nullable() }) },
  }),
  exportRun: endpoint({
    method: 'GET',
    path: '/api/runs/:id/export',
    who: 'agent',
    summary: 'A run with its definition and its whole history.',
    answers: {
      200: z.object({
        format: z.literal('statewright-run/1'),
        run: RunLine,
        program: z.unknown(),
        entries: z.array(
          z.object({
            seq: z.number(),
            prev: z.string(),
            hash: z.string(),
            entry: z.looseObject({}),
          }),
        ),
      }),
    },
  }),
  explainCall: endpoint({
    method: 'POST',
    path: '/api/runs/:id/explain',
    who: 'agent',
    summary: 'What would be decided about a call now, and why; changes nothing.',
    body: z.strictObject({
      tool: Id,
      input: z.unknown().optional(),
      branch: Id.optional(),
      server: Id.optional(),
    }),
    answers: { 200: Explanation },
  }),
  replayRun: endpoint({
    method: 'GET',
    path: '/api/runs/:id/replay',
    who: 'agent',
    summary: 'The state of the run after an entry, by replaying its history.',
    query: z.strictObject({ seq: z.coerce.number<number | string>().int().min(1).optional() }),
    answers: { 200: Run.extend({ seq: z.number() }) },
  }),
  verifyRun: endpoint({
    method: 'GET',
    path: '/api/runs/:id/verify',
    who: 'agent',
    summary: 'Whether the history of a run is complete and unchanged.',
    answers: {
      200: z.object({
        run_id: z.string(),
        ok: z.boolean(),
        entries: z.number(),
        seq: z.number().optional(),
        problem: z.string().optional(),
        older: z
          .object({
            engine: z.number(),
            entries: z.number().describe('How many entries from the start.'),
            differs: z
              .array(z.number())
              .describe('Entries that the current engine would decide differently.'),
          })
          .optional()
          .describe('Entries that an older engine wrote: only their chain was checked.'),
        archived: z
          .number()
          .optional()
          .describe('This many of the first entries are in the archive and were not checked.'),
      }),
    },
  }),
  listStuckRuns: endpoint({
    method: 'GET',
    path: '/api/stuck',
    who: 'agent',
    summary: 'Runs whose agent got the same denial three times in a row; an agent sees its own.',
    answers: {
      200: z.object({ runs: z.array(StuckRun) }),
    },
  }),
  getProgram: endpoint({
    method: 'GET',
    path: '/api/runs/:id/program',
    who: 'agent',
    summary: 'The definitions that a run uses, as they were when it started.',
    answers: { 200: z.object({ program_hash: ProgramHash, program: z.unknown() }) },
  }),
  getCall: endpoint({
    method: 'GET',
    path: '/api/runs/:id/calls/:call',
    who: 'agent',
    summary: 'The arguments of a call and, where they were kept, its output.',
    answers: {
      200: z.object({
        call_id: z.string(),
        input: z.unknown().optional(),
        output: z.unknown().optional(),
      }),
    },
  }),
}
