import { Claim } from '@statewright/core/internal'
import { z } from 'zod'

const text = z.string().min(1)
const object = z.record(z.string(), z.json())

/** The keys that say what is done; a step has at most one of them. */
export const actions = ['tool', 'send', 'answer', 'approve', 'reject', 'pause', 'resume'] as const
export type Action = (typeof actions)[number]

export const ScenarioStep = z
  .strictObject({
    tool: text.optional().describe('A tool is called.'),
    input: z.json().optional().describe('Its input.'),
    result: z
      .union([z.enum(['success', 'failure', 'none']), object, z.array(z.json())])
      .optional()
      .describe('How the call ended; an object or a list is the structured result of a success.'),
    output: z.string().optional().describe('The text that it answered with.'),
    bytes: z.int().min(0).optional().describe('How much it answered with.'),
    send: text.optional().describe('An event is sent.'),
    data: object.optional().describe('Data of the event.'),
    answer: text.optional().describe('A question of a process is answered.'),
    rationale: z.string().optional(),
    approve: z.string().optional().describe('A person approves what waits, with this note.'),
    reject: z.string().optional().describe('A person rejects what waits, for this reason.'),
    of: z
      .literal('call')
      .optional()
      .describe('Answer the waiting call, even if a transition waits as well.'),
    pause: z.literal(true).optional(),
    resume: z.literal(true).optional(),
    branch: text.optional().describe('The branch of a fork that acts.'),
    changes: z
      .array(text)
      .optional()
      .describe('Files that changed in this step without an edit, such as by a script.'),
    after: z
      .string()
      .regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/)
      .optional()
      .describe('How much time passes before the step, such as `10m`.'),
    expect: z
      .enum(['allow', 'ask', 'deny', 'moved', 'waits', 'refused'])
      .optional()
      .describe('The outcome; a step without it must be let through.'),
    code: text.optional().describe('The code of the denial or refusal.'),
    state: text.optional().describe('The state afterwards.'),
    status: text.optional().describe('The status of the run afterwards.'),
    context: object
      .optional()
      .describe('What the context contains afterwards, among other fields.'),
    facts: object
      .optional()
      .describe('Facts known afterwards, among others: a value, or values by key; null for none.'),
    marks: z.record(z.string(), z.boolean()).optional().describe('Which marks are set afterwards.'),
  })
  .superRefine((step, issues) => {
    const given = actions.filter((name) => step[name] !== undefined)
    if (given.length > 1) {
      issues.addIssue({ code: 'custom', message: `a step does one thing, not ${given.join(', ')}` })
    }
    for (const [name, owner] of owners) {
      if (step[name] === undefined || given.some((one) => owner.includes(one))) continue
      const message = `is only allowed together with ${owner.join(' or ')}`
      issues.addIssue({ code: 'custom', path: [name], message })
    }
  })
export type ScenarioStep = z.infer<typeof ScenarioStep>

const owners: readonly [keyof ScenarioStep, readonly Action[]][] = [
  ['input', ['tool']],
  ['result', ['tool']],
  ['output', ['tool']],
  ['bytes', ['tool']],
  ['data', ['send']],
  ['rationale', ['answer']],
  ['of', ['approve', 'reject']],
  ['expect', actions],
  ['code', actions],
]

const Scenario = z.strictObject({
  name: text,
  context: object.optional().describe('Context that overrides the initial one.'),
  task: text.optional().describe('What a person asked for, which conditions may read.'),
  steps: z.array(ScenarioStep).min(1),
})

export const ScenarioFile = z
  .strictObject({
    definition: text.describe('The workflow or process, as a path from this file.'),
    invokes: z.array(text).optional().describe('Files of the definitions that it invokes.'),
    strict: z.boolean().optional().describe('As in strict mode.'),
    scenarios: z.array(Scenario).min(1).optional().describe('Stories that are played.'),
    claims: z.array(Claim).min(1).optional().describe('Claims about every possible run.'),
  })
  .superRefine(({ scenarios, claims }, issues) => {
    if (scenarios !== undefined || claims !== undefined) return
    issues.addIssue({ code: 'custom', message: 'needs "scenarios" or "claims"' })
  })
export type ScenarioFile = z.infer<typeof ScenarioFile>
export type Scenario = z.infer<typeof Scenario>
