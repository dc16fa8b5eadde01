import {
  type AnswerOf,
  type Endpoint,
  readAnswer,
  requestFor,
  type Sent as SentTo,
} from '@statewright/core/wire'
import { apiFault, problemOf, readProblem } from './problem.ts'
import { proofHeaders, proveFor } from './proof.ts'

type With<Row extends Endpoint> = SentTo<Row> & { readonly signal?: AbortSignal | undefined }

/** A call without parts may leave them all out. */
type SentArguments<Row extends Endpoint> =
  Record<never, never> extends SentTo<Row> ? [sent?: With<Row>] : [sent: With<Row>]

/**
 * Calls an endpoint; where it wants a proof that the person is there, they are asked for it and the
 * request is sent again. A refusal, and an answer of another shape than the endpoint has, is thrown
 * as an `ApiFault`.
 */
export async function call<Row extends Endpoint>(
  row: Row,
  ...[sent]: SentArguments<Row>
): Promise<AnswerOf<Row>> {
  const { method, path, body, type } = requestFor(row, sent)
  const { status, text } = await sendTwice(method, path, { body, type, signal: sent?.signal })
  const answer = readAnswer(row, status, row.answers[status] === 'text' ? text : parsed(text))
  if (answer !== undefined) return answer
  const message = 'The server answered with something that this page does not understand.'
  const where = `${method} ${path}`
  throw apiFault({ status, code: 'internal', message, where, next: 'reload the page.' })
}

/** The page as the server has it now, to compare it with this one; undefined while it is away. */
export async function newestPage(): Promise<string | undefined> {
  try {
    const answer = await fetch('/', { cache: 'no-cache' })
    return answer.ok ? await answer.text() : undefined
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Outgoing {
  readonly body: string | undefined
  readonly type: string | undefined
  readonly signal: AbortSignal | undefined
}

interface RawAnswer {
  readonly status: number
  readonly text: string
}

async function sendTwice(method: string, path: string, sent: Outgoing): Promise<RawAnswer> {
  try {
    return await send(method, path, sent)
  } catch (fault) {
    if (!(await proveFor(problemOf(fault)))) throw fault
    return send(method, path, sent)
  }
}

async function send(method: string, path: string, sent: Outgoing): Promise<RawAnswer> {
  const { body, type = 'application/json', signal } = sent
  const headers = { ...(body === undefined ? {} : { 'content-type': type }), ...proofHeaders() }
  let answer: Response
  try {
    answer = await fetch(path, { method, headers, body: body ?? null, signal: signal ?? null })
  } catch (fault) {
    if (signal?.aborted === true) throw fault
    const message = 'The server cannot be reached.'
    throw apiFault({ status: 0, code: 'unreachable', message, next: 'run `statewright up`.' })
  }
  const text = await answer.text()
  if (!answer.ok) throw apiFault(readProblem(answer.status, text))
  return { status: answer.status, text }
}
