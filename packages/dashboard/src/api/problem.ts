import type { Finding } from '@statewright/core/internal'

/** What the server says when it could not or would not: problem+json, read once. */
export interface ApiProblem {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly where?: string
  readonly next?: string
  /** What is wrong with a definition that was sent. */
  readonly findings?: readonly Finding[]
  /** What the person could prove with to be there, where a proof is wanted. */
  readonly factors?: readonly string[]
  /** The identity provider where they could. */
  readonly provider?: string
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
  const body = parsed(text)
  const word = (name: string) => {
    const value = body[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const where = word('where')
  const next = word('next')
  const provider = word('provider')
  const findings = Array.isArray(body.findings) ? { findings: body.findings } : {}
  const factors = Array.isArray(body.factors) ? { factors: body.factors } : {}
  return {
    status,
    code: word('code') ?? `http_${status}`,
    message: word('message') ?? word('detail') ?? word('title') ?? 'The server said no.',
    ...(where === undefined ? {} : { where }),
    ...(next === undefined ? {} : { next }),
    ...findings,
    ...factors,
    ...(provider === undefined ? {} : { provider }),
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
