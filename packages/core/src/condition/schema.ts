import { z } from 'zod'
import { limits } from '../base/limits.ts'

const ToolName = z.string().min(1).max(limits.nameLength)

/** A condition in the Common Expression Language. */
export const ConditionText = z.string().min(1).max(limits.conditionLength)

export const ToolNames = z.union([ToolName, z.array(ToolName).min(1).max(limits.policyRules)])

const Mark = z.strictObject({
  on: ToolNames.describe('Tools whose calls set the mark, as `allowed_tools` names them.'),
  when: ConditionText.optional().describe(
    'Which of these calls set it; all of them when left out.',
  ),
})

export const Marks = z
  .record(z.string().min(1).max(limits.nameLength), Mark)
  .describe('What calls did: a mark stays set once such a call is let through.')

export const Fact = z.strictObject({
  from: ToolNames.describe('Tools whose results teach the fact, as `allowed_tools` names them.'),
  when: ConditionText.optional().describe(
    'Which results count; every successful one when left out.',
  ),
  each: ConditionText.optional().describe('A list in the result; each `item` of it sets a value.'),
  key: ConditionText.optional().describe(
    'Key of the value; when left out, the fact is a single value.',
  ),
  value: ConditionText.optional().describe('The value; `true` when left out.'),
  forget_on: ToolNames.optional().describe('Tools whose calls clear the fact, before they run.'),
  expires: z
    .string()
    .regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/)
    .optional()
    .describe('How long a value stays valid after it was seen, such as `10m`.'),
  private: z.boolean().optional().describe('Keys and values are stored only as keyed hashes.'),
})

const CallRule = z.strictObject({
  require: ConditionText.describe('What must be true for the call to be let through.'),
  message: z
    .string()
    .min(1)
    .max(limits.messageLength)
    .optional()
    .describe('What the agent reads when it is not true.'),
})

export const CallRules = z
  .record(ToolName, z.array(CallRule).min(1).max(limits.policyRules))
  .describe('Conditions on calls, by tool.')

export type FactDefinition = z.infer<typeof Fact>
export type MarkDefinition = z.infer<typeof Mark>
export type CallRulesDefinition = z.infer<typeof CallRules>
