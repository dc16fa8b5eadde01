import {
  AgentError,
  AgentMessage,
  HookRunRecord,
  possibleRetries,
  ToolRunRecord,
} from '@statewright/core'
import { z } from 'zod'
import type { SessionBroker, SessionView } from '../../orchestrator/broker/session-broker.ts'
import type { SessionSummary } from '../../store/session-store.ts'
import { identify } from '../door/identify.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { mostSessionReaders, sessionStream } from '../feed/session-stream.ts'
import { countIn, Data, Id } from './shapes.ts'

const SessionShape = z.object({
  sessionId: z.string(),
  kind: z.string(),
  harness: z.string(),
  projectPath: z.string(),
  workflow: z.string().nullable(),
  runId: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  costUsd: z.number(),
  lastError: AgentError.nullable(),
})

const AttachedShape = SessionShape.extend({
  state: z.looseObject({
    kind: z.string(),
    activeStreamId: z.string().nullable(),
    toolRuns: z.array(ToolRunRecord),
    hookRuns: z.array(HookRunRecord),
    lastError: AgentError.nullable(),
  }),
  retryAtMs: z
    .number()
    .nullable()
    .describe('In error: when it tries again by itself; null where it waits for a person.'),
  conversation: z.array(AgentMessage),
  retries: z
    .array(z.object({ kind: z.enum(['tool', 'hook']), runId: z.string() }))
    .describe('Failed runs that a person may run again right now.'),
  lastEventId: z.string().describe('Where the events after this answer begin.'),
})

const Spawn = z.object({
  harness: Id.describe('scripted, model, claude-code or acp.'),
  projectPath: z.string().min(1).max(4096).describe('The workspace root; an absolute path.'),
  options: Data.optional().describe('What the harness wants to know: model, script, command.'),
  workflow: Id.optional().describe('A run of it judges every call of the session.'),
  process: Id.optional(),
  context: Data.optional(),
})
type Spawn = z.infer<typeof Spawn>

const Input = z.object({ text: z.string().min(1) })
const Stop = z.object({ reason: z.string().max(200).optional() })
const From = z.object({
  from: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
})
type From = z.infer<typeof From>

/** Agent sessions (SE-14). Starting one starts programs, so that only people change them. */
export function sessionRoutes(broker: SessionBroker): readonly Route[] {
  const answer = (found: Awaited<ReturnType<SessionBroker['attach']>>, status = 200): Reply =>
    found.ok ? json(status, wireAttached(found.value)) : problemReply(found.error)
  return [
    route({
      method: 'POST',
      path: '/api/sessions',
      who: 'person',
      summary: 'Start an agent session.',
      proof: 'start',
      body: Spawn,
      refusesGuarded: true,
      answers: { 201: AttachedShape },
      handle: async ({ caller, body }) => answer(await broker.spawn(caller, wished(body)), 201),
    }),
    route({
      method: 'GET',
      path: '/api/sessions',
      who: 'agent',
      summary: 'List sessions, newest first; an agent sees its own.',
      query: z.object({ limit: countIn(500, 50) }),
      answers: { 200: z.object({ sessions: z.array(SessionShape) }) },
      handle: async ({ caller, query }) => {
        const rows = await broker.list(caller, query.limit)
        return json(200, { sessions: rows.map(wireSession) })
      },
    }),
    route({
      method: 'GET',
      path: '/api/sessions/:id',
      who: 'agent',
      summary: 'Attach to a session: how it stands and what was said.',
      answers: { 200: AttachedShape },
      handle: async ({ caller, params }) => answer(await broker.attach(caller, params.id ?? '')),
    }),
    route({
      method: 'POST',
      path: '/api/sessions/:id/input',
      who: 'person',
      summary: 'Say something to a session that is ready.',
      body: Input,
      refusesGuarded: true,
      answers: { 200: AttachedShape },
      handle: async ({ caller, params, body }) =>
        answer(await broker.input(caller, params.id ?? '', body.text)),
    }),
    route({
      method: 'POST',
      path: '/api/sessions/:id/stop',
      who: 'person',
      summary: 'Stop a session and everything that it runs.',
      body: Stop,
      refusesGuarded: true,
      answers: { 200: AttachedShape },
      handle: async ({ caller, params, body }) =>
        answer(await broker.stop(caller, params.id ?? '', body.reason ?? 'a person stopped it')),
    }),
    ...(['tool', 'hook'] as const).map((kind) =>
      route({
        method: 'POST',
        path: `/api/sessions/:id/${kind}s/:runId/retry`,
        who: 'person',
        summary: `Run a ${kind} again that has failed.`,
        refusesGuarded: true,
        answers: { 200: AttachedShape },
        handle: async ({ caller, params }) =>
          answer(await broker.retry(caller, params.id ?? '', { kind, runId: params.runId ?? '' })),
      }),
    ),
    route({
      method: 'GET',
      path: '/api/sessions/:id/events',
      who: 'agent',
      summary: 'Server-sent events of a session: agent:state_event and agent:stream_event.',
      query: From,
      answers: { 200: 'text' },
      handle: (call) => events(broker, call),
    }),
  ]
}

async function events(broker: SessionBroker, call: Call<undefined, From>): Promise<Reply> {
  const { parts, caller, request, params, query } = call
  const sessionId = params.id ?? ''
  const found = await broker.attach(caller, sessionId)
  if (!found.ok) return problemReply(found.error)
  if (broker.watchers >= mostSessionReaders) {
    return refuse('too_many_requests', 'Too many follow sessions already.')
  }
  const last = request.headers.get('last-event-id')
  if (last !== null && !/^\d{1,15}$/.test(last)) {
    return refuse('usage', 'That is no id of this session.', { where: 'Last-Event-ID' })
  }
  const payload = sessionStream({
    broker,
    sessionId,
    after: Number(last ?? query.from ?? found.value.place),
    stillCounts: async () => (await identify(parts, request.headers)) !== undefined,
    signal: AbortSignal.any([request.signal, parts.stopping]),
  })
  const headers = { 'x-accel-buffering': 'no' }
  return { status: 200, type: 'text/event-stream', payload, headers }
}

function wished({ harness, projectPath, options, workflow, process, context }: Spawn) {
  return {
    harness,
    projectPath,
    options: options ?? {},
    ...(workflow === undefined ? {} : { workflow }),
    ...(process === undefined ? {} : { process }),
    ...(context === undefined ? {} : { context }),
  }
}

function wireSession(row: SessionSummary): z.infer<typeof SessionShape> {
  const { sessionId, kind, harness, projectPath, workflow, runId, createdAt, updatedAt } = row
  return {
    sessionId,
    kind,
    harness,
    projectPath,
    workflow,
    runId,
    createdAtMs: createdAt,
    updatedAtMs: updatedAt,
    costUsd: row.costMicros / 1_000_000,
    lastError: row.lastError,
  }
}

function wireAttached({ row, snapshot, place, messages }: SessionView): object {
  return {
    ...wireSession({ ...row, lastError: row.state.lastError }),
    state: snapshot,
    retryAtMs: row.kind === 'error' ? row.state.wakeAt : null,
    conversation: messages,
    retries: possibleRetries(row.state),
    lastEventId: String(place),
  }
}
