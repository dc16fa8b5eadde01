import { codes } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'

/** What a handler answers; the door puts the headers of every answer around it. */
export interface Reply {
  readonly status: number
  readonly type: string
  readonly payload: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  readonly headers?: Readonly<Record<string, string>>
}

export function json(status: number, value: object): Reply {
  return { status, type: 'application/json', payload: JSON.stringify(value) }
}

/** An error as problem+json: the code first, the sentence second, then what helps on. */
export function problemReply(fault: RuntimeProblem): Reply {
  const { code, message, where, next, details } = fault
  const { status } = codes[code]
  const body = {
    type: 'about:blank',
    title: titleOf(code),
    status,
    code,
    detail: message,
    message,
    ...(where === undefined ? {} : { where }),
    ...(next === undefined ? {} : { next }),
    ...details,
  }
  // Who has too much open must not keep the place it was refused on.
  const headers = status === 429 ? { headers: { connection: 'close' } } : {}
  return { status, type: 'application/problem+json', payload: JSON.stringify(body), ...headers }
}

export function refuse(...given: Parameters<typeof problem>): Reply {
  return problemReply(problem(...given))
}

/** `tool_not_allowed` as words; the code is the stable part. */
function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
