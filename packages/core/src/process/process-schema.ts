import { z } from 'zod'
import { AfterEnd } from '../definition/after-end.ts'
import { JsonRecord, Name, Text } from '../definition/names.ts'
import { Policy } from '../policy/policy-schema.ts'

export const answerActions = ['block', 'warn', 'complete', 'notify_human'] as const

const Answer = z.strictObject({
  next: Name.nullable().describe('State that follows; null ends the run.'),
  action: z.enum(answerActions).optional().describe('What else this answer does.'),
})

const Question = z.strictObject({
  question: Text.describe('What the agent is asked at this checkpoint.'),
  answers: z.record(Name, Answer).optional().describe('Answers by name; none: the state ends it.'),
})

export const EmailConfig = z.strictObject({
  max_emails_per_session: z.int().min(0).optional().describe('Mails that a run may send.'),
  allowed_from: z.array(Name).optional().describe('Senders; `*@example.com` covers a domain.'),
  allowed_to: z.array(Name).optional().describe('Recipients, cc and bcc included.'),
})

export const ProcessDefinition = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  id: z.string().optional().describe('Assigned by the system.'),
  name: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
    .describe('Lower-case letters, digits and hyphens; never changes.'),
  initial: Name.describe('State a run starts in.'),
  initial_prompt: Text.optional().describe('Given to the agent before its first turn.'),
  states: z.record(Name, Question).describe('Checkpoints by name.'),
  session_budget_usd: z.number().min(0).optional().describe('Cost at which every call is denied.'),
  email_config: EmailConfig.optional().describe('Limits on mail sent during a run.'),
  allowed_tools: z.array(Name).optional().describe('Tools of /mcp/process that may be used.'),
  gate: z
    .array(Name)
    .optional()
    .describe('Capabilities that are denied until the process is completed.'),
  policy: Policy.optional().describe('Policy that applies to every call of a run.'),
  after_end: AfterEnd.optional(),
  meta: JsonRecord.optional().describe(
    'Facts for people and tools; `locked` is read as in a workflow.',
  ),
  createdAt: z.string().optional().describe('Accepted and ignored.'),
  updatedAt: z.string().optional().describe('Accepted and ignored.'),
})

export type ProcessDefinition = z.infer<typeof ProcessDefinition>
export type EmailConfig = z.infer<typeof EmailConfig>
export type AnswerAction = (typeof answerActions)[number]
