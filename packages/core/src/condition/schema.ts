import { z } from 'zod'
import { limits } from '../base/limits.ts'

const ToolName = z.string().min(1).max(limits.nameLength)

/** A condition in the Common Expression Language. */
export const ConditionText = z.string().min(1).max(limits.conditionLength)

export const ToolNames = z.union([ToolName, z.array(ToolName).min(1).max(limits.policyRules)])

const Mark = z.strictObject({
  on: ToolNames.describe('Tools whose calls set the mark, as `allowed_tools` names them.'),
  when: ConditionText.optional().describe('Which of their calls do; without it all of them.'),
})

export const Marks = z
  .record(z.string().min(1).max(limits.nameLength), Mark)
  .describe('What calls did, noted for good when one is let through.')

export const Fact = z.strictObject({
  from: ToolNames.describe('Tools whose results teach the fact, as `allowed_tools` names them.'),
  when: ConditionText.optional().describe('Which results do; without it every one that succeeded.'),
  each: ConditionText.optional().describe('A list in the result: every `item` of it teaches.'),
  key: ConditionText.optional().describe('What it is known of; without it the fact is one value.'),
  value: ConditionText.optional().describe('What is known; without it that it was seen: true.'),
  forget_on: ToolNames.optional().describe('Tools whose calls clear the fact, before they run.'),
  expires: z
    .string()
    .regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/)
    .optional()
    .describe('How long a value stays valid after it was seen, such as `10m`.'),
  private: z.boolean().optional().describe('Keys and values are kept as keyed hashes alone.'),
})

const CallRule = z.strictObject({
  require: ConditionText.describe('What must hold for the call to be let through.'),
  message: z
    .string()
    .min(1)
    .max(limits.messageLength)
    .optional()
    .describe('What the agent reads when it does not hold.'),
})

export const CallRules = z
  .record(ToolName, z.array(CallRule).min(1).max(limits.policyRules))
  .describe('Conditions on calls, by tool.')

export type FactDefinition = z.infer<typeof Fact>
export type MarkDefinition = z.infer<typeof Mark>
export type CallRulesDefinition = z.infer<typeof CallRules>
