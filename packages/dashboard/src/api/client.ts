import { apiFault, problemOf, readProblem } from './problem.ts'
import { proofHeaders, proveFor } from './proof.ts'

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Sent {
  /** JSON, or the text of a definition as it is. */
  readonly body?: unknown
  readonly query?: Query
  readonly signal?: AbortSignal
}

/**
 * Asks the server; where it wants a proof that the person is there, they are asked for it and the
 * request is sent again. The answer's shape is what its description promises for the path (see
 * /api/openapi.json); a refusal is thrown as an `ApiFault`.
 */
export async function ask<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
  const text = await askText(method, path, sent)
  return JSON.parse(text) as T // The route table of the server types the answer of this path.
}

export async function askText(method: string, path: string, sent: Sent = {}): Promise<string> {
  try {
    return await send(method, path, sent)
  } catch (fault) {
    if (!(await proveFor(problemOf(fault)))) throw fault
    return send(method, path, sent)
  }
}

async function send(method: string, path: string, sent: Sent): Promise<string> {
  const { body, query, signal } = sent
  const isText = typeof body === 'string'
  const headers: Record<string, string> = {
    ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
    ...proofHeaders(),
  }
  let answer: Response
  try {
    answer = await fetch(path + queryText(query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (fault) {
    if (signal?.aborted === true) throw fault
    const message = 'The server cannot be reached.'
    throw apiFault({ status: 0, code: 'unreachable', message, next: 'run `statewright up`.' })
  }
  const text = await answer.text()
  if (!answer.ok) throw apiFault(readProblem(answer.status, text))
  return text
}

/** One piece of a path: whatever it holds, it cannot lead elsewhere. */
export function segment(text: string): string {
  return encodeURIComponent(text)
}

function queryText(query: Query | undefined): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
