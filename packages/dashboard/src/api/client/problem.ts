import type { Finding, ProblemAnswer } from '@statewright/core/wire'

/** What the server says when it could not or would not: problem+json, read once. */
export interface ApiProblem {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly where?: string | undefined
  readonly next?: string | undefined
  /** What is wrong with a definition that was sent. */
  readonly findings?: readonly Finding[] | undefined
  /** Ways in which the person can confirm, when a confirmation is required. */
  readonly factors?: readonly string[] | undefined
  /** The identity provider to confirm with. */
  readonly provider?: string | undefined
}

/** An error that carries its problem, so that whatever catches it can show all three lines. */
export interface ApiFault extends Error {
  readonly problem: ApiProblem
}

export function apiFault(problem: ApiProblem): ApiFault {
  return Object.assign(new Error(`${problem.code}: ${problem.message}`), { problem })
}

/** The problem behind anything that was thrown, also when it is none of the server's. */
export function problemOf(fault: unknown): ApiProblem {
  if (fault instanceof Error && 'problem' in fault) {
    return fault.problem as ApiProblem // Only `apiFault` adds the field.
  }
  const message = fault instanceof Error ? fault.message : String(fault)
  return { status: 0, code: 'internal', message, next: 'reload the page.' }
}

/** Reads a refusal's body. It may come from a proxy in between, and be anything. */
export function readProblem(status: number, text: string): ApiProblem {
  const { code, message, detail, title, where, next, findings, factors, provider } = refusal(text)
  return {
    status,
    code: code || `http_${status}`,
    message: message || detail || title || `The server answered with an error (${status}).`,
    where,
    next,
    findings,
    factors,
    provider,
  }
}

/** A proxy has other words and no code: what is not of the kind that ours says is left out. */
function refusal(text: string): Partial<ProblemAnswer> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof value !== 'object' || value === null) return {}
  const lists = ['findings', 'factors']
  const isOurs = ([name, one]: [string, unknown]) =>
    lists.includes(name) ? Array.isArray(one) : typeof one === 'string'
  return Object.fromEntries(Object.entries(value).filter(isOurs))
}
