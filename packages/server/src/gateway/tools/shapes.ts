import { z } from 'zod'

/** Where a run stands, as every door shows it. */
export const RunState = z.looseObject({
  run_id: z.string(),
  workflow: z.string(),
  status: z.string(),
  state: z.string(),
  is_final: z.boolean(),
  allowed_tools: z.array(z.string()).nullable().describe('Null when any tool may be used.'),
  allowed_commands: z.array(z.string()).nullable(),
  transitions: z.array(
    z.looseObject({
      event: z.string(),
      target: z.string(),
      guards: z.array(z.looseObject({ guard: z.string(), passed: z.boolean() })),
      requires_approval: z.boolean(),
    }),
  ),
  iteration: z.number(),
  max_iterations: z.number().nullable(),
  instructions: z.string().nullable(),
  transition_count: z.number(),
  blocked_env: z.array(z.string()),
  env_overrides: z.array(z.string()).describe('Names only; values may be secret.'),
  context: z.looseObject({}),
  guards: z.array(z.looseObject({ guard: z.string(), passed: z.boolean() })),
  meta: z.looseObject({}),
  limits: z.looseObject({
    iteration: z.number(),
    max_iterations: z.number().nullable(),
    files: z.number(),
    max_files_per_state: z.number().nullable(),
    bytes: z.number(),
    context_budget_bytes: z.number().nullable(),
    max_edit_lines: z.number().nullable(),
  }),
  pending_approval: z.looseObject({ approval_id: z.string(), message: z.string() }).nullable(),
  interrupt: z.looseObject({ name: z.string(), file: z.string() }).nullable(),
  fork: z
    .looseObject({
      join: z.string(),
      current_branch: z.string().nullable(),
      branches: z.looseObject({}),
    })
    .nullable(),
  evidence: z.looseObject({}),
  brief: z.string(),
})

export const FindingShape = z.looseObject({
  code: z.string(),
  severity: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})

export const WayShape = z.array(z.looseObject({ event: z.string(), target: z.string() }))
