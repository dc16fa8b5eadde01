import { z } from 'zod'
import { AgentMessage } from '../agent/conversation.ts'
import { agentStateKinds } from '../agent/kinds.ts'
import {
  AgentError,
  AgentToolCall,
  ContextUse,
  HookRunRecord,
  QueuedInput,
  SessionLimits,
  ToolResult,
  ToolRunRecord,
  TurnUsage,
} from '../agent/records.ts'
import { AgentStateEvent } from '../agent/state-event.ts'
import { OutputEvent, StreamEvent } from '../agent/stream-event.ts'
import type { AgentUpdate } from '../agent/view.ts'
import { countIn, Data, Id } from './basics.ts'
import { endpoint } from './endpoint.ts'

const Title = z.string().trim().min(1).max(200)

const Kind = z.enum(agentStateKinds)

/** A session in a list, from its row alone. */
export const SessionLine = z.object({
  sessionId: z.string(),
  kind: Kind,
  harness: z.string(),
  projectPath: z.string(),
  workflow: z.string().nullable(),
  runId: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  costUsd: z.number(),
  lastError: AgentError.nullable(),
  title: z.string().nullable().describe('Name that people gave it.'),
})
export type SessionLine = z.infer<typeof SessionLine>

/** A session as it stands, with what was said. */
export const Session = SessionLine.extend({
  state: z.object({
    kind: Kind,
    activeStreamId: z.string().nullable(),
    pendingToolCalls: z.array(AgentToolCall),
    results: z
      .array(ToolResult)
      .describe('Results of the current batch of calls that the model has not read yet.'),
    toolRuns: z.array(ToolRunRecord),
    hookRuns: z.array(HookRunRecord),
    lastError: AgentError.nullable(),
    queue: z.array(QueuedInput).describe('Input that waits until the turn ends.'),
    turns: z.number(),
    turn: TurnUsage.describe('Usage of the current or last turn.'),
    chosenModel: z.string().nullable().describe('The model that a person chose since the start.'),
    stopReason: z.string().nullable(),
    exitCode: z.number().nullable(),
    context: ContextUse.nullable().describe(
      'How full the window of the model is; null for agents that keep the conversation themselves.',
    ),
  }),
  unpricedRequests: z.number().describe('Requests of unknown price; they are not in costUsd.'),
  retryAtMs: z
    .number()
    .nullable()
    .describe('In error: when it retries by itself; null where it waits for a person.'),
  conversation: z.array(AgentMessage),
  systemPrompt: z
    .string()
    .nullable()
    .describe('What the last request to the model contained besides the conversation.'),
  retries: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('tool'), runId: z.string() }),
        z.object({ kind: z.literal('hook'), runId: z.string() }),
        z.object({ kind: z.literal('llm') }),
        z.object({ kind: z.literal('harness') }),
      ]),
    )
    .describe('What a person can retry right now; llm and harness by retrySession.'),
  lastEventId: z.string().describe('Where the events after this answer begin.'),
})
export type Session = z.infer<typeof Session>

/** The id of an event of a session: how many came before it, and itself. */
export const SessionEventId = z.string().regex(/^\d{1,15}$/, 'an id that the session gave')

/** Agent sessions (SE-14). Starting one starts programs, so that only people change them. */
export const sessionEndpoints = {
  startSession: endpoint({
    method: 'POST',
    path: '/api/sessions',
    who: 'person',
    summary: 'Start an agent session.',
    proof: 'start',
    body: z.strictObject({
      harness: Id.describe('scripted, model, claude-code or acp.'),
      projectPath: z.string().min(1).max(4096).describe('The workspace root; an absolute path.'),
      options: Data.optional().describe('Options of the harness: model, script, command.'),
      workflow: Id.optional().describe('A run of it checks every call of the session.'),
      process: Id.optional(),
      context: Data.optional(),
      limits: SessionLimits.optional().describe('Limits of the session.'),
    }),
    answers: { 201: Session },
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/sessions',
    who: 'agent',
    summary: 'List sessions, newest first; an agent sees its own.',
    query: z.strictObject({ limit: countIn(500, 50) }),
    answers: { 200: z.object({ sessions: z.array(SessionLine) }) },
  }),
  getSession: endpoint({
    method: 'GET',
    path: '/api/sessions/:id',
    who: 'agent',
    summary: 'Attach to a session: its state and its conversation.',
    answers: { 200: Session },
  }),
  sendInput: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/input',
    who: 'person',
    summary: 'Send a message to a session, also while it works.',
    body: z.strictObject({
      text: z.string().min(1),
      when: z
        .enum(['queue', 'interrupt'])
        .optional()
        .describe('While it works: queue waits for the end of the turn, interrupt ends it.'),
    }),
    answers: { 200: Session },
  }),
  withdrawInput: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id/queue/:message',
    who: 'person',
    summary: 'Take back input that waits.',
    answers: { 200: Session },
  }),
  interruptSession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/interrupt',
    who: 'person',
    summary: 'End the turn of a session and keep the session.',
    answers: { 200: Session },
  }),
  compactSession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/compact',
    who: 'person',
    summary: 'Summarize the conversation of a session, so its model reads less.',
    answers: { 200: Session },
  }),
  retrySession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/retry',
    who: 'person',
    summary: 'Retry the failed request to the model, or restart the failed harness.',
    answers: { 200: Session },
  }),
  editSession: endpoint({
    method: 'PUT',
    path: '/api/sessions/:id',
    who: 'person',
    summary: 'Rename a session, or choose another model for its next requests.',
    body: z.strictObject({
      title: Title.nullable().optional(),
      model: z.string().min(1).max(200).nullable().optional(),
    }),
    answers: { 200: Session },
  }),
  resumeSession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/resume',
    who: 'person',
    summary: 'Resume a stopped session.',
    proof: 'start',
    answers: { 200: Session },
  }),
  deleteSession: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    who: 'person',
    summary: 'Delete a stopped session with its whole conversation.',
    answers: { 200: z.object({ sessionId: z.string(), removed: z.literal(true) }) },
  }),
  stopSession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/stop',
    who: 'person',
    summary: 'Stop a session and everything that it runs.',
    body: z.strictObject({ reason: z.string().max(200).optional() }),
    answers: { 200: Session },
  }),
  retryTool: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/tools/:run/retry',
    who: 'person',
    summary: 'Run a failed tool again.',
    answers: { 200: Session },
  }),
  retryHook: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/hooks/:run/retry',
    who: 'person',
    summary: 'Run a failed hook again.',
    answers: { 200: Session },
  }),
  readSession: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/events',
    who: 'agent',
    summary: 'Server-sent events of a session: states, text of the model, output.',
    query: z.strictObject({ from: SessionEventId.optional().describe('The last one seen.') }),
    answers: { 200: 'text' },
  }),
}

/** An event of `readSession`; one that this version does not understand is left out. */
export function readUpdate(channel: string | undefined, data: string): AgentUpdate | undefined {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (channel === 'agent:state_event') {
    const parsed = AgentStateEvent.safeParse(value)
    return parsed.success ? { channel, event: parsed.data } : undefined
  }
  if (channel === 'agent:output_event') {
    const parsed = OutputEvent.safeParse(value)
    return parsed.success ? { channel, event: parsed.data } : undefined
  }
  if (channel !== 'agent:stream_event') return undefined
  const parsed = StreamEvent.safeParse(value)
  return parsed.success ? { channel, event: parsed.data } : undefined
}
