import { defined, possibleRetries } from '@statewright/core/internal'
import type { Constant, Session, SessionLine } from '@statewright/core/wire'
import { endpoints, SessionEventId } from '@statewright/core/wire'
import type { SessionBroker } from '../../orchestrator/broker/session-broker.ts'
import type { SessionSummary } from '../../store/session-store.ts'
import { maxSessionReaders, sessionStream } from '../feed/session-stream.ts'
import { identify } from '../pipeline/identify.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'

type AttachResult = Awaited<ReturnType<SessionBroker['attach']>>
type SessionView = Extract<AttachResult, { readonly ok: true }>['value']

/** What changes a session is refused to children of guarded clients, whoever's token they have. */
const change = { refusesGuarded: true } as const

export function sessionRoutes(broker: SessionBroker): readonly Route[] {
  const shown = (found: AttachResult, reply: (status: 200, session: Constant<Session>) => Reply) =>
    found.ok ? reply(200, wireSession(found.value)) : problemReply(found.error)
  return [
    serve(
      endpoints.startSession,
      async ({ caller, body }, reply) => {
        const request = defined({ ...body, options: body.options ?? {} })
        const started = await broker.spawn(caller, request)
        return started.ok ? reply(201, wireSession(started.value)) : problemReply(started.error)
      },
      change,
    ),
    serve(endpoints.listSessions, async ({ caller, query }, reply) => {
      const rows = await broker.list(caller, query.limit)
      return reply(200, { sessions: rows.map(wireSessionLine) })
    }),
    serve(endpoints.getSession, async ({ caller, params }, reply) =>
      shown(await broker.attach(caller, params.id), reply),
    ),
    serve(
      endpoints.sendInput,
      async ({ caller, params, body }, reply) =>
        shown(await broker.input(caller, params.id, defined(body)), reply),
      change,
    ),
    serve(
      endpoints.stopSession,
      async ({ caller, params, body }, reply) =>
        shown(await broker.stop(caller, params.id, body.reason ?? 'a person stopped it'), reply),
      change,
    ),
    ...turnRoutes(broker, shown),
    serve(
      endpoints.editSession,
      async ({ caller, params, body }, reply) =>
        shown(await broker.edit(caller, params.id, defined(body)), reply),
      change,
    ),
    serve(
      endpoints.deleteSession,
      async ({ caller, params: { id } }, reply) => {
        const removed = await broker.remove(caller, id)
        if (!removed.ok) return problemReply(removed.error)
        return reply(200, { sessionId: id, removed: true })
      },
      change,
    ),
    ...(['tool', 'hook'] as const).map((kind) =>
      serve(
        kind === 'tool' ? endpoints.retryTool : endpoints.retryHook,
        async ({ caller, params }, reply) =>
          shown(await broker.retry(caller, params.id, { kind, runId: params.run }), reply),
        change,
      ),
    ),
    serve(endpoints.readSession, (call) => events(broker, call)),
  ]
}

type ShowSession = (
  found: AttachResult,
  reply: (status: 200, session: Constant<Session>) => Reply,
) => Reply

/** What people do with the turn at hand, and with a session that rests. */
function turnRoutes(broker: SessionBroker, shown: ShowSession): readonly Route[] {
  return [
    serve(
      endpoints.withdrawInput,
      async ({ caller, params }, reply) =>
        shown(await broker.withdraw(caller, params.id, params.message), reply),
      change,
    ),
    serve(
      endpoints.interruptSession,
      async ({ caller, params }, reply) => shown(await broker.interrupt(caller, params.id), reply),
      change,
    ),
    serve(
      endpoints.compactSession,
      async ({ caller, params }, reply) => shown(await broker.compact(caller, params.id), reply),
      change,
    ),
    serve(
      endpoints.retrySession,
      async ({ caller, params }, reply) => shown(await broker.retry(caller, params.id), reply),
      change,
    ),
    serve(
      endpoints.resumeSession,
      async ({ caller, params }, reply) => shown(await broker.resume(caller, params.id), reply),
      change,
    ),
  ]
}

async function events(
  broker: SessionBroker,
  { server, caller, request, params, query }: CallOf<typeof endpoints.readSession>,
): Promise<Reply> {
  const found = await broker.attach(caller, params.id)
  if (!found.ok) return problemReply(found.error)
  if (broker.watchers >= maxSessionReaders) {
    return refuse('too_many_requests', 'Too many clients are following sessions.')
  }
  const last = request.headers.get('last-event-id')
  if (last !== null && !SessionEventId.safeParse(last).success) {
    return refuse('usage', 'This is not an event id of this session.', { where: 'Last-Event-ID' })
  }
  const payload = sessionStream({
    broker,
    sessionId: params.id,
    after: Number(last ?? query.from ?? found.value.place),
    stillCounts: async () => (await identify(server, request.headers)) !== undefined,
    signal: AbortSignal.any([request.signal, server.stopping]),
  })
  const headers = { 'x-accel-buffering': 'no' }
  return { status: 200, type: 'text/event-stream', payload, headers }
}

function wireSessionLine(row: SessionSummary): SessionLine {
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
    title: row.title,
  }
}

function wireSession({ row, snapshot, place, messages, system }: SessionView): Constant<Session> {
  return {
    ...wireSessionLine({ ...row, lastError: row.state.lastError }),
    state: snapshot,
    unpricedRequests: row.state.unpriced,
    retryAtMs: row.kind === 'error' ? row.state.wakeAt : null,
    conversation: messages,
    systemPrompt: system,
    retries: possibleRetries(row.state),
    lastEventId: String(place),
  }
}
