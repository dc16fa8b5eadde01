import { z } from 'zod'
import { Allowance } from '../run/verdict.ts'
import { Reason } from './decision.ts'
import { BranchStatusName, Reading, RunStatusName } from './run.ts'

/** What every line of a history has. */
const base = {
  seq: z.number(),
  at: z.number(),
  hash: z
    .string()
    .describe('Hash of this entry and `prev`; docs/guide shows how to check the chain.'),
  prev: z.string().describe('Hash of the entry before.'),
  branch: z.string().optional(),
  actor: z
    .object({ kind: z.enum(['agent', 'person', 'system']), id: z.string() })
    .optional()
    .describe('Who caused the step that begins here.'),
  cause: z.unknown().optional().describe('The event that caused the step, when requested.'),
}

const data = z.record(z.string(), z.json()).optional()
const rationale = z.string().optional()
const by = z.string()
const step = { from: z.string(), event: z.string(), by, data, rationale }

function line<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ ...base, type: z.literal(type), ...shape })
}

/** A line of the history of a run, flat and in words. */
export const Entry = z.discriminatedUnion('type', [
  line('run_started', {
    definition: z.string(),
    state: z.string(),
    engine: z.number().optional(),
  }),
  line('engine_changed', {
    from: z.number(),
    to: z.number(),
    snapshot: z.string(),
    differs: z.array(z.number()).optional(),
  }),
  line('call_decided', {
    call_id: z.string(),
    tool: z.string(),
    state: z.string(),
    decision: z.enum(['allow', 'ask', 'deny']),
    would: z.enum(['ask', 'deny']).optional(),
    code: z.string().optional(),
    reasons: z.array(Reason),
    approval_id: z.string().optional(),
  }),
  line('call_finished', {
    call_id: z.string(),
    tool: z.string(),
    bytes: z.number(),
    exit: z.enum(['success', 'failure']).nullable(),
    cost_micros: z.number().optional(),
    duration_ms: z.number().optional(),
  }),
  line('transitioned', {
    ...step,
    to: z.string(),
    guards: z.array(Reading).optional(),
    advice: z.string().optional(),
    safe_next: z.literal(true).optional(),
  }),
  line('refused', {
    what: z.string(),
    code: z.string(),
    message: z.string(),
    event: z.string().optional(),
    guards: z.array(Reading).optional(),
  }),
  line('interrupted', { name: z.string(), file: z.string(), from: z.string(), to: z.string() }),
  line('returned', { from: z.string(), to: z.string(), event: z.string() }),
  line('forked', { ...step, join: z.enum(['all', 'any']), branches: z.array(z.string()) }),
  line('branch_bound', { caller: z.string() }),
  line('branch_ended', { status: BranchStatusName, state: z.string() }),
  line('joined', { to: z.string().nullable(), succeeded: z.boolean() }),
  line('invoked', { ...step, workflow: z.string(), state: z.string() }),
  line('invoke_ended', {
    workflow: z.string(),
    succeeded: z.boolean(),
    to: z.string().nullable(),
  }),
  line('approval_opened', {
    approval_id: z.string(),
    kind: z.enum(['transition', 'checkpoint', 'ask']),
    message: z.string(),
    event: z.string().optional(),
    from: z.string().optional(),
    to: z.string().nullable().optional(),
    tool: z.string().optional(),
    expires_at: z.number().optional(),
  }),
  line('approval_resolved', {
    approval_id: z.string(),
    verdict: z.enum(['approved', 'rejected', 'expired', 'withdrawn', 'failed']),
    by,
    note: z.string().optional(),
    always: z.literal(true).optional(),
    allowance: Allowance.optional(),
  }),
  line('paused', { by }),
  line('resumed', { by }),
  line('forced', { from: z.string(), to: z.string(), by }),
  line('evidence', {
    name: z.string(),
    proved: z.boolean(),
    source: z.enum(['observed', 'reported']),
    call_id: z.string(),
  }),
  line('answered', {
    from: z.string(),
    answer: z.string(),
    to: z.string().nullable(),
    rationale,
    by,
  }),
  line('warned', { message: z.string() }),
  ...(['notice', 'probe', 'gap'] as const).map((type) =>
    line(type, {
      text: z.string(),
      code: z.string().optional(),
      source: z.literal('process').optional(),
    }),
  ),
  line('marked', { definition: z.string(), marks: z.array(z.string()), call_id: z.string() }),
  ...(['learnt', 'forgot'] as const).map((type) =>
    line(type, { definition: z.string(), facts: z.array(z.string()), call_id: z.string() }),
  ),
  line('task_given', { bytes: z.number(), by }),
  line('cost_reported', { cost_micros: z.number() }),
  line('run_ended', { status: RunStatusName, state: z.string() }),
])
export type Entry = z.infer<typeof Entry>

const knownTypes: ReadonlySet<string> = new Set(
  Entry.options.flatMap(({ shape }) => shape.type.value),
)

/** Of a type that only a newer server knows: readers show it by the name of its type. */
export const NewerEntry = z
  .looseObject({ ...base, type: z.string() })
  .refine(({ type }) => !knownTypes.has(type))
export type NewerEntry = z.infer<typeof NewerEntry>

/** A line as clients read it. What a server of this version writes is an `Entry`. */
export const EntryLine = z.union([Entry, NewerEntry]) as z.ZodType<
  Entry | NewerEntry,
  z.input<typeof Entry>
>
export type EntryLine = z.infer<typeof EntryLine>

export function isKnown(entry: EntryLine): entry is Entry {
  return knownTypes.has(entry.type)
}
