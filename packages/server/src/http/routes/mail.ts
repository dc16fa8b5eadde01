import { endpoints } from '@statewright/core/wire'
import type { MailService } from '../../mail/forward.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { sessionHeader } from '../../mcp/session-header.ts'
import { callersRun } from '../../mcp/tool-caller.ts'
import { parseJsonBody } from '../pipeline/json-body.ts'
import { readBody } from '../pipeline/read-body.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'

/** Names the run whose mail it is, for callers that cannot add to the address. */
export const runHeader = 'statewright-run'

/** What is judged is kept beside the history, attachments and all. */
const maxMailBytes = 4 * 1024 * 1024
const longestRepeatKey = 256

/**
 * The outbound proxy for mail (PR-10). Clients of Resend's API take its address in place of the
 * service's and an agent's token in place of its key.
 */
export function mailRoutes(service: () => MailService | undefined): readonly Route[] {
  return [
    serve(endpoints.sendMail, (call) => proxy(call, '/emails', service())),
    serve(endpoints.sendMails, (call) => proxy(call, '/emails/batch', service())),
  ]
}

async function proxy(
  { server, caller, query, request, incoming }: CallOf<typeof endpoints.sendMail>,
  path: '/emails' | '/emails/batch',
  service: MailService | undefined,
): Promise<Reply> {
  if (service === undefined) {
    const next = 'ask a person to configure it: mail: {resend: {key_env: …}}.'
    return refuse('not_found', 'No mail service is configured, or its key is not set.', { next })
  }
  const text = await readBody(request, incoming, maxMailBytes)
  if (!text.ok) return problemReply(text.error)
  const mail = parseJsonBody(text.value)
  if (!mail.ok) return problemReply(mail.error)
  if (Array.isArray(mail.value) !== (path === '/emails/batch')) {
    const wanted = path === '/emails/batch' ? 'a list of messages' : 'one message'
    return refuse('usage', `The body is not ${wanted}.`, { where: 'body' })
  }
  const { headers } = request
  const repeatKey = headers.get('idempotency-key') ?? undefined
  if (repeatKey !== undefined && repeatKey.length > longestRepeatKey) {
    return refuse('usage', 'The key is too long.', { where: 'idempotency-key' })
  }
  const session = headers.get(sessionHeader) ?? undefined
  const from = {
    guard: server.guard,
    runtime: server.runtime,
    caller,
    ...(session === undefined ? {} : { session }),
  }
  const found = await callersRun(from, query.run ?? headers.get(runHeader) ?? undefined)
  if (!found.ok) return problemReply(found.error)
  const sent = await sendMail(server.guard, service, caller, {
    run: found.value.row.runId,
    path,
    mail: mail.value,
    idempotencyKey: repeatKey,
  })
  if (!sent.ok) return problemReply(sent.error)
  const { status, body } = sent.value
  return { status, type: 'application/json', payload: body }
}
