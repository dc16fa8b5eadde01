import { z } from 'zod'
import type { BranchStatus, RunStatus } from '../run/snapshot.ts'

export const runStatuses = [
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'blocked',
  'stopped',
] as const satisfies readonly RunStatus[]

export const RunStatusName = z.enum(runStatuses)

const branchStatuses = [
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly BranchStatus[]

export const BranchStatusName = z.enum(branchStatuses)

/** A guard as it was read. */
export const Reading = z.object({
  guard: z.string(),
  path: z.string(),
  passed: z.boolean(),
  saw: z.json(),
  wants: z.string().describe('What would make it pass.'),
})

/** A run is bound to the very definitions that it started with (WF-4). */
export const ProgramHash = z.string().describe('Of the definition and all that it invokes.')

/** What is known of a run in a list, from its row alone. */
export const RunLine = z.object({
  run_id: z.string(),
  workflow: z.string(),
  kind: z.enum(['workflow', 'process']),
  program_hash: ProgramHash,
  version: z.number().nullable(),
  status: RunStatusName,
  state: z
    .string()
    .describe('Its current state; for a forked run, the states of all branches, joined by " | ".'),
  project: z.string().nullable(),
  workspace: z.string().nullable(),
  owner: z.string(),
  agent: z.string().nullable().describe('Id of the token that a person handed the run to.'),
  agent_name: z.string().optional().describe('Name of the agent that works on it.'),
  role: z.string(),
  client: z.string().nullable(),
  locked: z.boolean(),
  seq: z.number(),
  calls: z.number(),
  denials: z.number(),
  passed: z.number().describe('Calls that observe mode let pass.'),
  unguarded: z.boolean(),
  transitions: z.number(),
  cost_usd: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
})
export type RunLine = z.infer<typeof RunLine>

const Limits = z.object({
  iteration: z.number(),
  max_iterations: z.number().nullable(),
  files: z.number(),
  max_files_per_state: z.number().nullable(),
  bytes: z.number(),
  context_budget_bytes: z.number().nullable(),
  max_edit_lines: z.number().nullable(),
})

export const Fork = z.object({
  join: z.enum(['all', 'any']),
  current_branch: z.string().nullable(),
  branches: z.record(
    z.string(),
    z.object({
      state: z.string(),
      status: BranchStatusName,
      initial: z.string(),
      terminal: z.string(),
    }),
  ),
})

const SeenFact = z.object({
  definition: z.string(),
  fact: z.string(),
  key: z.string().nullable(),
  value: z.json(),
  call_id: z.string(),
  at: z.number(),
  expires_at: z.number().nullable(),
})

const SeenMark = z.object({
  definition: z.string(),
  mark: z.string(),
  call_id: z.string().nullable(),
  at: z.number().nullable(),
})

/** Where a run, or one branch of it, stands. */
export const Run = z.object({
  run_id: z.string(),
  workflow: z.string(),
  hash: z.string().describe('Hash of the definition alone, as in the answer when it is saved.'),
  program_hash: ProgramHash,
  version: z.number().nullable(),
  project: z.string().nullable(),
  locked: z.boolean(),
  status: RunStatusName,
  unguarded: z.boolean().describe('Paused by its own agent: none of its rules are enforced.'),
  state: z.string(),
  is_final: z.boolean(),
  allowed_tools: z.array(z.string()).nullable().describe('Null when any tool may be used.'),
  allowed_commands: z.array(z.string()).nullable(),
  transitions: z.array(
    z.object({
      event: z.string(),
      target: z.string(),
      guards: z.array(Reading),
      requires_approval: z.boolean(),
    }),
  ),
  iteration: z.number(),
  max_iterations: z.number().nullable(),
  instructions: z.string().nullable(),
  transition_count: z.number(),
  blocked_env: z.array(z.string()),
  env_overrides: z.array(z.string()).describe('Names only: values may be secret.'),
  context: z.record(z.string(), z.json()),
  guards: z.array(Reading),
  meta: z.record(z.string(), z.json()),
  limits: Limits,
  pending_approval: z
    .object({
      approval_id: z.string(),
      event: z.string(),
      from: z.string(),
      to: z.string().nullable(),
      message: z.string(),
    })
    .nullable(),
  interrupt: z.object({ name: z.string(), file: z.string(), return_to: z.string() }).nullable(),
  fork: Fork.nullable(),
  evidence: z.record(
    z.string(),
    z.enum([
      'fresh',
      'missing',
      'running',
      'refuted',
      'only_reported',
      'stale',
      'freshness_unknown',
    ]),
  ),
  facts: z
    .array(SeenFact)
    .optional()
    .describe('Facts learned from results, where a definition has any.'),
  marks: z.array(SeenMark).optional().describe('Marks, set or not, where a definition has any.'),
  stack: z.array(z.object({ workflow: z.string(), state: z.string() })),
  cost_usd: z.number(),
  question: z.string().optional(),
  answers: z.array(z.string()).optional(),
  brief: z.string(),
  calls: z.number(),
  denials: z.number(),
  passed: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
})
export type Run = z.infer<typeof Run>

/** A run whose agent gets the same denial again and again. */
export const StuckRun = z.object({
  run_id: z.string(),
  tool: z.string(),
  code: z.string(),
  times: z.number(),
  since: z.number(),
})
export type StuckRun = z.infer<typeof StuckRun>
