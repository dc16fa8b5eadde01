import type { Result } from './by-hand.ts'
import type { Act } from './door.ts'
import type { DoorName } from './table.ts'

/** A call in a client's own words. */
export interface ClientCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What a hook answered before a call, read as the client reads it. */
export interface HookAnswer {
  readonly denied?: string
  /** The input that it runs instead. */
  readonly input?: Readonly<Record<string, unknown>>
  readonly context?: string
}

export interface HookFacts {
  readonly session: string
  readonly cwd: string
  readonly callId: string
}

/** How a coding client speaks in its hooks, from its documentation and its recorded bodies. */
export interface Dialect {
  readonly client: DoorName
  call(act: Act): ClientCall
  before(call: ClientCall, facts: HookFacts): object
  after(call: ClientCall, facts: HookFacts, result: Result): object
  // biome-ignore lint/suspicious/noExplicitAny: every client has a shape of its own.
  read(answer: any): HookAnswer
}

const shell = (tool: string) => (act: Extract<Act, { shell: string }>) => ({
  tool: act.by ?? tool,
  input: { command: act.shell },
})

/** What Claude Code, Codex and Copilot CLI have in common. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
function claudeLike({ hookSpecificOutput: out = {}, additionalContext }: any): HookAnswer {
  const reported = out.additionalContext ?? additionalContext
  return {
    ...(out.permissionDecision === 'deny' ? { denied: out.permissionDecisionReason } : {}),
    ...(out.updatedInput === undefined ? {} : { input: out.updatedInput }),
    ...(reported === undefined ? {} : { context: reported }),
  }
}

export const claudeCode: Dialect = {
  client: 'claude-code',
  call: (act) =>
    'shell' in act
      ? shell('Bash')(act)
      : { tool: 'Write', input: { file_path: act.write, content: act.text } },
  before: ({ tool, input }, { session, cwd, callId }) => ({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd,
    permission_mode: 'default',
    tool_name: tool,
    tool_input: input,
    tool_use_id: callId,
  }),
  after(call, facts, { output, exit }) {
    const body = { ...this.before(call, facts), hook_event_name: 'PostToolUse' }
    return exit === 0
      ? { ...body, tool_response: { stdout: output, stderr: '', interrupted: false } }
      : { ...body, hook_event_name: 'PostToolUseFailure', error: output }
  },
  read: claudeLike,
}

export const codex: Dialect = {
  client: 'codex',
  call: (act) =>
    'shell' in act
      ? shell('Bash')(act)
      : { tool: 'apply_patch', input: { command: addingPatch(act.write, act.text) } },
  before: ({ tool, input }, { session, cwd, callId }) => ({
    hook_event_name: 'PreToolUse',
    session_id: session,
    turn_id: 'turn_1',
    transcript_path: null,
    cwd,
    model: 'gpt-5.5',
    permission_mode: 'default',
    tool_name: tool,
    tool_input: input,
    tool_use_id: callId,
  }),
  after: (call, facts, { output, exit }) => ({
    ...codex.before(call, facts),
    hook_event_name: 'PostToolUse',
    tool_response: call.tool === 'Bash' ? output : `Exit code: ${exit}\nOutput:\n${output}`,
  }),
  read: claudeLike,
}

function addingPatch(path: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const added = lines.map((line) => `+${line}`)
  return ['*** Begin Patch', `*** Add File: ${path}`, ...added, '*** End Patch'].join('\n')
}

export const gemini: Dialect = {
  client: 'gemini',
  call: (act) =>
    'shell' in act
      ? shell('run_shell_command')(act)
      : { tool: 'write_file', input: { file_path: act.write, content: act.text } },
  before: ({ tool, input }, { session, cwd }) => ({
    hook_event_name: 'BeforeTool',
    session_id: session,
    cwd,
    timestamp: new Date().toISOString(),
    tool_name: tool,
    tool_input: input,
  }),
  after: (call, facts, { output, exit }) => ({
    ...gemini.before(call, facts),
    hook_event_name: 'AfterTool',
    tool_response: {
      llmContent: `Output: ${output}${exit === 0 ? '' : `\nExit Code: ${exit}`}`,
      returnDisplay: output,
      error: null,
    },
  }),
  read: ({ decision, reason, hookSpecificOutput: out = {} }) => ({
    ...(decision === 'deny' ? { denied: reason } : {}),
    ...(out.tool_input === undefined ? {} : { input: out.tool_input }),
    ...(out.additionalContext === undefined ? {} : { context: out.additionalContext }),
  }),
}

export const copilot: Dialect = {
  client: 'copilot',
  call: (act) =>
    'shell' in act
      ? { tool: act.by ?? 'Bash', input: { command: act.shell, description: 'Run it' } }
      : { tool: 'create', input: { path: act.write, file_text: act.text } },
  before: ({ tool, input }, { session, cwd }) => ({
    hook_event_name: 'PreToolUse',
    session_id: session,
    timestamp: new Date().toISOString(),
    cwd,
    tool_name: tool,
    tool_input: input,
  }),
  after: (call, facts, { output, exit }) => ({
    ...copilot.before(call, facts),
    hook_event_name: 'PostToolUse',
    tool_result: {
      result_type: 'success',
      text_result_for_llm:
        call.tool === 'Bash' ? `${output}\n<shellId: 0 completed with exit code ${exit}>` : output,
    },
  }),
  read: claudeLike,
}

export const cursor: Dialect = {
  client: 'cursor',
  call: (act) =>
    'shell' in act
      ? shell('Shell')(act)
      : { tool: 'Write', input: { file_path: act.write, content: act.text } },
  before: ({ tool, input }, { session, cwd, callId }) => ({
    hook_event_name: 'preToolUse',
    conversation_id: session,
    generation_id: 'g1',
    workspace_roots: [cwd],
    cwd,
    tool_name: tool,
    tool_input: input,
    tool_use_id: callId,
  }),
  after: (call, facts, { output, exit }) => ({
    ...cursor.before(call, facts),
    hook_event_name: exit === 0 ? 'postToolUse' : 'postToolUseFailure',
    tool_output: output,
    duration: 5,
  }),
  read: ({ permission, agent_message, additional_context, updated_input }) => ({
    ...(permission === 'deny' ? { denied: agent_message } : {}),
    ...(updated_input === undefined ? {} : { input: updated_input }),
    ...(additional_context === undefined ? {} : { context: additional_context }),
  }),
}
