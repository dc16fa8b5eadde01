import { z } from 'zod'
import { limits } from '../base/limits.ts'
import { ConditionText, Marks } from '../condition/schema.ts'

const Capability = z
  .string()
  .min(1)
  .max(limits.nameLength)
  .describe(
    'A tool, such as `bash` or `mcp:filesystem:write_file`; `*` at its end covers the rest.',
  )

const RateLimit = z.strictObject({
  max_calls: z.int().min(1).max(100_000).describe('Calls let through in any window.'),
  window_seconds: z.int().min(1).max(31_536_000).describe('Length of the rolling window.'),
})

const BudgetLimit = z.strictObject({
  max_usd: z.number().min(0).max(1_000_000_000).describe('Spend allowed in a period.'),
  period: z
    .enum(['hourly', 'daily', 'monthly'])
    .describe('Starts at the full hour, day or month, UTC.'),
})

const When = ConditionText.optional().describe(
  'The rule applies only to calls for which this is true.',
)

export const PolicyRule = z.strictObject({
  capability: Capability,
  when: When,
  rate_limit: RateLimit.optional().describe('How many calls the rule allows.'),
  budget_limit: BudgetLimit.optional().describe('How much the calls may cost.'),
  reserve_usd: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Cost reserved for a call until its real cost is known.'),
})

const DenyRule = z.strictObject({ capability: Capability, when: When })

export const Policy = z.strictObject({
  role: z
    .string()
    .min(1)
    .max(limits.nameLength)
    .optional()
    .describe('Role that the policy applies to.'),
  allow: z
    .array(PolicyRule)
    .max(limits.policyRules)
    .optional()
    .describe('May be called without asking.'),
  ask: z.array(PolicyRule).max(limits.policyRules).optional().describe('A person is asked first.'),
  deny: z.array(DenyRule).max(limits.policyRules).optional().describe('May never be called.'),
  marks: Marks.optional(),
  default: z.enum(['allow', 'deny']).optional().describe('Answer when no rule matches.'),
})

export type Policy = z.infer<typeof Policy>
export type PolicyRule = z.infer<typeof PolicyRule>
