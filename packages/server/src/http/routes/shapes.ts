import { type JsonObject, limits } from '@statewright/core'
import { z } from 'zod'

/** Shapes that several routes share. Ids and names are whatever a client chose, within bounds. */
export const Id = z.string().min(1).max(limits.nameLength)
export const Note = z.string().max(limits.messageLength)
export const SessionId = z.string().min(1).max(500)

/** Data of an agent: plain JSON, already bounded by the door. */
export const Data = z.record(z.string(), z.unknown()).transform((data) => data as JsonObject)

export const Place = z.object({
  event: z.string(),
  target: z.string(),
  needs: z.string().optional().describe('Of a way: what its guards still want.'),
})

export const ReasonShape = z.object({
  code: z.string(),
  message: z.string(),
  path: z.string(),
  resets_at: z.string().optional().describe('When a used-up limit has room again, in ISO form.'),
})

export const FindingShape = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
})

export const DecisionShape = z.object({
  decision: z.enum(['allow', 'ask', 'deny']),
  code: z.string().optional(),
  message: z.string().optional(),
  reasons: z.array(ReasonShape),
  approval_id: z.string().optional(),
  allowed_tools: z.array(z.string()).nullable(),
  events: z.array(Place),
  way: z.array(Place).optional(),
  run_id: z.string().nullable(),
  call_id: z.string(),
  notices: z.array(z.string()),
  would: z.enum(['ask', 'deny']).optional(),
  contained: z.boolean().optional().describe('It would run where it can do no harm (SH-14).'),
})

export const RunShape = z.looseObject({
  run_id: z.string(),
  workflow: z.string(),
  hash: z.string(),
  status: z.string(),
  state: z.string(),
})

export const EntryShape = z.looseObject({
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  hash: z.string(),
})

/** A whole number in a query. */
export function countIn(most: number, usual: number) {
  return z.coerce.number().int().min(0).max(most).default(usual)
}
