import { err, ok, type Result, unreachable } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import { denialProblem } from '../guard/denial.ts'
import type { Guard } from '../guard/guard.ts'
import { type Adapter, type OpenCall, openCall } from '../guard/guarded-call.ts'
import { type Forwarded, forwardMail, type MailService, type Outgoing } from './forward.ts'

export interface MailRequest {
  /** The run that answers for the mail. */
  readonly run: string
  readonly path: Outgoing['path']
  /** A message, or a list of them for a batch. */
  readonly mail: unknown
  readonly idempotencyKey?: string | undefined
}

/** What the service said of mail that was let through. */
export interface MailAnswer {
  readonly status: number
  readonly body: string
}

/** The name under which workflows and policies speak of mail through the proxy. */
const mailTool = 'resend-email'

/**
 * Sends mail for a run (PR-10). It is judged and counted before it leaves, so that two at the last
 * free place cannot both go, and given back when the service did not take it.
 */
export async function sendMail(
  guard: Guard,
  service: MailService,
  caller: Caller,
  request: MailRequest,
): Promise<Result<MailAnswer, RuntimeProblem>> {
  const { run, path, mail, idempotencyKey } = request
  // The id is ours: one that the caller chose could be used twice, and count once.
  const opened = await openCall(guard, mailService, caller, { run, tool: mailTool, input: mail })
  if (!opened.ok) return err(denialProblem(opened.error))
  const unheld = await whyNotLimited(guard, opened.value)
  if (unheld !== undefined) return err(unheld)
  const sent = await forwardMail(service, { path, body: JSON.stringify(mail), idempotencyKey })
  const bytes = sent.kind === 'answered' ? Buffer.byteLength(sent.body) : 0
  const kept = sent.kind === 'answered' ? { output: sent.body } : {}
  await opened.value.finish({ bytes, exit: exitOf(sent), ...kept })
  return answerTo(sent)
}

const mailService: Adapter = {
  name: 'the mail service',
  runs: 'itself',
  waitsMs: 0,
  readsByShell: false,
  results: 'observed',
}

/**
 * A run that is paused or over lets calls pass uncounted. The key is a person's, though: without a
 * run that counts, nothing leaves here.
 */
async function whyNotLimited(
  { runtime }: Guard,
  { runId, callId, would }: OpenCall,
): Promise<RuntimeProblem | undefined> {
  if (would !== undefined) return undefined
  const live = runId === null ? undefined : await runtime.live.get(runId)
  const counted = live?.snapshot.calls.find((call) => call.id === callId && call.free !== true)
  if (counted !== undefined) return undefined
  const status = live?.row.status ?? 'gone'
  const code = status === 'paused' ? 'run_paused' : 'no_active_run'
  const next = 'start or resume a run, then send the mail again.'
  return problem(code, `The run is ${status}, so it may not send mail.`, { next })
}

/** Null keeps the mail counted: what may have left has to be taken for sent. */
function exitOf(sent: Forwarded): 'success' | 'failure' | null {
  switch (sent.kind) {
    case 'answered':
      return isAccepted(sent.status) ? 'success' : 'failure'
    case 'not_sent':
      return 'failure'
    case 'unknown':
      return null
    default:
      return unreachable(sent)
  }
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300
}

function answerTo(sent: Forwarded): Result<MailAnswer, RuntimeProblem> {
  switch (sent.kind) {
    case 'answered': {
      const { status, body } = sent
      if (isAccepted(status) || status >= 400) return ok({ status, body })
      const message = `The mail service answered with ${status}; nothing was sent.`
      return err(problem('upstream_failed', message, { next: 'check the address in "mail".' }))
    }
    case 'not_sent': {
      const message = `The mail service cannot be reached (${sent.why}); nothing was sent.`
      return err(problem('upstream_unavailable', message, { next: 'try again later.' }))
    }
    case 'unknown': {
      const message = `It is not known whether the mail was sent: ${sent.why}.`
      const next = 'check at the mail service before you send it again; it counts as sent.'
      return err(problem('upstream_timeout', message, { next }))
    }
    default:
      return unreachable(sent)
  }
}
