import { z } from 'zod'
import { Used } from './approval.ts'
import { countIn, Id } from './basics.ts'
import { endpoint } from './endpoint.ts'
import { MatchedRule } from './policy.ts'

/** A limit of a rule, and how far one role has used it. */
export const RuleUsage = Used.extend({ policy: z.string(), role: z.string(), rule: MatchedRule })
export type RuleUsage = z.infer<typeof RuleUsage>

export const SpendSlot = z.object({ at: z.number(), cost_usd: z.number() })
export type SpendSlot = z.infer<typeof SpendSlot>

export const Usage = z.object({
  runs: z.record(z.string(), z.number()).describe('How many are unfinished, by their status.'),
  calls: z.number(),
  denials: z.number(),
  passed: z.number(),
  transitions: z.number(),
  cost_usd: z.number(),
  approvals_waiting: z.number(),
  rules: z.array(RuleUsage),
  spend: z.object({ hours: z.array(SpendSlot), days: z.array(SpendSlot) }),
})
export type Usage = z.infer<typeof Usage>

const tokens = z.int().min(0).max(1_000_000_000)

export const usageEndpoints = {
  getUsage: endpoint({
    method: 'GET',
    path: '/api/usage',
    who: 'agent',
    summary:
      'Unfinished runs, what is left of rates and budgets, when they reset, and spend over time.',
    query: z.strictObject({
      hours: countIn(24 * 31, 48).describe('Hours of spend to show, this one included.'),
      days: countIn(366, 31).describe('Days of spend to show, today included.'),
    }),
    answers: { 200: Usage },
  }),
  reportCost: endpoint({
    method: 'POST',
    path: '/api/runs/:id/cost',
    who: 'hook',
    summary: 'Report a cost of the run: dollars, or what a model used.',
    body: z.strictObject({
      cost_usd: z.number().min(0).max(1_000_000).optional(),
      model: Id.optional().describe('With `usage`: what a request to a model used.'),
      usage: z
        .strictObject({
          input: tokens.describe('Tokens that no cache served.'),
          output: tokens,
          cache_read: tokens.optional(),
          cache_write: tokens.optional(),
          cache_write_long: tokens.optional(),
        })
        .optional(),
    }),
    answers: { 200: z.object({ run_id: z.string(), cost_usd: z.number(), total_usd: z.number() }) },
  }),
}
