import { z } from 'zod'
import { type Constant, endpoint } from './endpoint.ts'

/** All that `statewright exec` needs to run one judged command. */
export const ExecPlan = z.object({
  program: z.string(),
  args: z
    .array(z.string())
    .describe('Options of the program; variables for the loader follow, then the command.'),
  command: z.array(z.string()),
  is_caged: z.boolean(),
  cwd: z.string(),
  mark: z.string(),
  blocked: z.array(z.string()),
  overrides: z.record(z.string(), z.string()),
  never_given: z.string(),
  only_given: z
    .string()
    .optional()
    .describe('When present, only variables with these names are passed on (SH-10).'),
  loader: z.string(),
  capture: z
    .int()
    .describe('Bytes of output to report with the result, from each end; 0 for none.'),
  report: z
    .string()
    .describe('The secret that signs the result; it never appears on a command line.'),
})
export type ExecPlan = Constant<z.infer<typeof ExecPlan>>

export const ExecReport = z.strictObject({
  exit: z.int().min(0).max(255),
  bytes: z.int().min(0),
  output_hash: z.string().regex(/^[0-9a-f]{64}$/),
  duration_ms: z.number().min(0),
  output: z.string().max(1_000_000).optional().describe('When the plan asks for it.'),
})
export type ExecReport = Constant<z.infer<typeof ExecReport>>

/**
 * The doors of `statewright exec`. They are open to anybody because the ticket is the key: it was
 * made for one judged call and serves once. It is never sent: `exec` signs with it, and knows by
 * our signature that the answer is ours.
 */
export const execEndpoints = {
  startExec: endpoint({
    method: 'POST',
    path: '/api/exec/start',
    who: 'public',
    summary: 'Exchange the ticket of an allowed shell call for the plan to run it.',
    body: z.strictObject({}),
    answers: { 200: ExecPlan },
  }),
  finishExec: endpoint({
    method: 'POST',
    path: '/api/exec/done',
    who: 'public',
    summary: 'Report how a command that ran with a ticket ended.',
    body: ExecReport,
    answers: { 200: z.object({ put_aside: z.array(z.string()) }) },
  }),
}
