import { z } from 'zod'
import { limits } from '../base/limits.ts'
import { CallRules, ConditionText, Fact, Marks, ToolNames } from '../condition/schema.ts'
import { Policy } from '../policy/policy-schema.ts'
import { AfterEnd } from './after-end.ts'
import { JsonRecord, Name, Text } from './names.ts'

const count = z.int().min(1)

const Sandbox = z
  .enum(['off', 'auto', 'required'])
  .describe('Whether shell calls run in the sandbox: never, where there is one, or only there.')

export const guardOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'contains',
  'exists',
  'not_exists',
] as const

export const FieldGuard = z.strictObject({
  field: Name.describe('Context key to read, or a dotted path when no such key exists.'),
  op: z.enum(guardOperators).describe('How the field is compared.'),
  value: z.json().optional().describe('What it is compared with; its type depends on `op`.'),
})

export const EvidenceGuard = z.strictObject({
  evidence: Name.describe('Name of a fact under `evidence` that must be fresh.'),
})

const ConditionGuard = z.strictObject({
  when: ConditionText.describe('Condition over facts, marks and the context.'),
})

const Guard = z.union([FieldGuard, EvidenceGuard, ConditionGuard])

const guardFields = {
  guard: Name.optional().describe('Guard that must pass.'),
  guards: z.array(Name).optional().describe('Guards that must all pass.'),
}

const approvalFields = {
  requires_approval: z.boolean().optional().describe('A person must approve this transition.'),
  approval_message: Text.optional().describe('What the person who approves reads.'),
  approval_timeout_ms: count
    .optional()
    .describe('After this time the approval counts as rejected.'),
}

export const GuardedTransition = z.strictObject({
  target: Name.describe('State to go to, or `$return` in an interrupt handler.'),
  ...guardFields,
  ...approvalFields,
})

export const Candidate = GuardedTransition

export const InvokeTransition = z.strictObject({
  invoke: Name.describe('Workflow or process that runs as a child.'),
  on_complete: Name.describe('State to go to when the child succeeds.'),
  on_fail: Name.optional().describe('State to go to when it fails; without it the run fails.'),
  input: JsonRecord.optional().describe("Values that override the child's initial context."),
})

const ForkBranch = z.strictObject({
  initial: Name.describe('Where the branch begins.'),
  terminal: Name.describe('Final state that completes the branch.'),
})

export const Fork = z.strictObject({
  branches: z
    .record(Name, ForkBranch)
    .describe('Branches, in the order in which a single agent works on them.'),
  join: z.enum(['all', 'any']).optional().describe('Wait for all branches (default) or the first.'),
  on_complete: Name.describe('State to go to when the branches have joined.'),
  on_fail: Name.optional().describe('State to go to when they failed; else the run fails.'),
})

export const ForkTransition = z.strictObject({
  fork: Fork.describe('Branches that run side by side, and what follows them.'),
})

const Transition = z.union([
  Name,
  z.array(Candidate).min(1),
  ForkTransition,
  InvokeTransition,
  GuardedTransition,
])

export const State = z.strictObject({
  type: z.literal('final').optional().describe('A final state ends the run.'),
  outcome: z
    .enum(['success', 'failure'])
    .optional()
    .describe('Whether a run that ends here has succeeded or failed.'),
  allowed_tools: z
    .array(Name)
    .optional()
    .describe('Tools that may be used here. Omitted: any tool. Empty: none.'),
  instructions: Text.optional().describe('Guidance given to the agent each turn.'),
  max_iterations: count.optional().describe('Tool calls before the agent must transition.'),
  safe_next: Name.optional().describe('Where an event that the state does not define leads.'),
  max_edit_lines: count.optional().describe('Lines that one edit may add or remove.'),
  max_files_per_state: count.optional().describe('Different files that may be changed here.'),
  allowed_commands: z
    .array(Name)
    .optional()
    .describe('Shell commands that may be used, compared word by word from the start.'),
  blocked_env: z.array(Name).optional().describe('Environment variables that must not be read.'),
  deny_env: z.array(Name).optional().describe('Alias of `blocked_env`.'),
  env_overrides: z.record(Name, Text).optional().describe('Environment variables to set.'),
  env: z.record(Name, Text).optional().describe('Alias of `env_overrides`.'),
  context_budget_bytes: count
    .optional()
    .describe('Bytes of tool results before the agent must transition.'),
  approval_timeout_ms: count
    .optional()
    .describe('Default `approval_timeout_ms` of the transitions of this state.'),
  background: z.boolean().optional().describe('Whether the shell may start background work.'),
  sandbox: Sandbox.optional(),
  model: Name.optional().describe('Model to use here, in sessions that Statewright runs.'),
  thinking_level: z
    .enum(['off', 'low', 'medium', 'high'])
    .optional()
    .describe('How much the model thinks here, in sessions that Statewright runs.'),
  calls: CallRules.optional(),
  on: z.record(Name, Transition).optional().describe('Transitions by event name.'),
})

const Interrupt = z.strictObject({
  trigger: z
    .strictObject({
      file_pattern: Name.optional().describe(
        'Glob matched against changed paths in the workspace.',
      ),
      tool: ToolNames.optional().describe('Tools whose calls fire it, once they have ended.'),
      when: ConditionText.optional().describe('Which of these calls fire it.'),
      shell: z.boolean().optional().describe('Files changed by shell commands fire it as well.'),
    })
    .describe('What starts the interrupt.'),
  target: Name.describe('Handler state to go to.'),
})

const Evidence = z.strictObject({
  tool: Name.describe('Tool whose call proves the fact.'),
  command: Name.optional().describe('For a shell: the whole command, nothing around it.'),
  exit: z.enum(['success', 'failure']).optional().describe('How the call must end.'),
  stale_after: z.array(Name).optional().describe('Globs of files whose change voids the fact.'),
  defined_by: z
    .array(Name)
    .optional()
    .describe('Globs of files that say what the command does: a change needs a person.'),
  runner_files: z
    .boolean()
    .optional()
    .describe('Whether files of a known test runner count too; `false`: only `defined_by` counts.'),
  trust: z
    .enum(['observed', 'reported'])
    .optional()
    .describe('Whether a result that a caller only reports counts too.'),
})

/** Known `meta` fields are typed; other names are free. */
export const metaFields = {
  task_type: Text.optional().describe('A word for the kind of task, such as "bugfix".'),
  estimated_steps: z.int().min(0).optional().describe('Rough number of tool calls.'),
  danger_level: z.enum(['safe', 'moderate', 'dangerous']).optional().describe('How risky it is.'),
  requires_human_approval: z.boolean().optional().describe('A person approves at some point.'),
  capture_output: z.boolean().optional().describe('Keep tool output in the history.'),
  approval_mode: z
    .enum(['ui', 'none'])
    .optional()
    .describe('"ui": `requires_approval` waits for a person. "none": it is only advice.'),
  debug: z.boolean().optional().describe('Allows forcing the run into a state.'),
  locked: z.boolean().optional().describe('Whether an agent may pause, stop or replace the run.'),
  description: Text.optional().describe('What the workflow is for.'),
}

export const Meta = z.object(metaFields).catchall(z.json())

export const WorkflowDefinition = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  id: Name.describe('Name of the workflow.'),
  initial: Name.describe('State a run starts in.'),
  states: z.record(Name, State).describe('States by name.'),
  context: JsonRecord.optional().describe('Initial context that guards read.'),
  guards: z.record(Name, Guard).optional().describe('Named conditions on the context.'),
  interrupts: z
    .record(Name, Interrupt)
    .optional()
    .describe('Detours when a file changes or a call was made.'),
  evidence: z
    .record(Name, Evidence)
    .optional()
    .describe('Facts that only the engine can establish from a call it saw finish.'),
  facts: z
    .record(Name, Fact)
    .optional()
    .describe('Facts learned from the results of calls that the engine saw finish.'),
  marks: Marks.optional(),
  calls: CallRules.optional(),
  policy: Policy.optional().describe('Policy that applies to every call of a run.'),
  after_end: AfterEnd.optional(),
  output: z
    .array(Name)
    .max(limits.states)
    .optional()
    .describe('Context keys that an invoking workflow gets at its top level.'),
  sandbox: Sandbox.optional(),
  meta: Meta.optional().describe('Facts about the workflow for people and tools.'),
})

export type SandboxMode = z.infer<typeof Sandbox>
export type WorkflowDefinition = z.infer<typeof WorkflowDefinition>
export type StateDefinition = z.infer<typeof State>
export type TransitionDefinition = z.infer<typeof Transition>
export type GuardedTransition = z.infer<typeof GuardedTransition>
export type GuardDefinition = z.infer<typeof Guard>
export type FieldGuard = z.infer<typeof FieldGuard>
export type EvidenceDefinition = z.infer<typeof Evidence>
export type Meta = z.infer<typeof Meta>
export type Fork = z.infer<typeof Fork>
