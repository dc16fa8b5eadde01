import { contextTooLongCode, isJsonObject } from '@statewright/core/internal'

/** Why a request to a model failed, in the words of an `error` of a stream (SE-13). */
export interface ModelFault {
  readonly code:
    | 'rate_limited'
    | 'model_overloaded'
    | 'model_unavailable'
    | 'model_refused'
    | 'context_too_long'
    | 'model_timeout'
    | 'stream_broken'
  readonly message: string
  readonly retryable: boolean
  /** How long the provider asks us to wait. */
  readonly retryAfterMs?: number
}

/** Longest wait that a provider may ask for within a turn; beyond it a person decides. */
const longestRetryAfterMs = 60_000

/** What a provider or the network said, classified by whether trying again can help. */
export function modelFault(fault: unknown, now: number): ModelFault {
  const status = fieldOf(fault, 'statusCode')
  // An answer that began well and then broke off keeps the status it began with.
  if (typeof status !== 'number' || status < 400) return brokenStream(fault)
  const message = `The model answered with status ${status}: ${messageOf(fault)}`
  if (status === 429) {
    const retryAfterMs = retryAfter(fieldOf(fault, 'responseHeaders'), now)
    if (retryAfterMs === undefined) return { code: 'rate_limited', message, retryable: true }
    const retryable = retryAfterMs <= longestRetryAfterMs
    return { code: 'rate_limited', message, retryable, retryAfterMs }
  }
  if (status === 529) return { code: 'model_overloaded', message, retryable: true }
  if (status >= 500 || status === 408)
    return { code: 'model_unavailable', message, retryable: true }
  if (isTooLong(status, fault)) return { code: contextTooLongCode, message, retryable: false }
  // A wrong key or an unknown model stays wrong.
  return { code: 'model_refused', message, retryable: false }
}

/** Providers have no common code for it, and say it in words of their own. */
function isTooLong(status: number, fault: unknown): boolean {
  if (status === 413) return true
  const words = `${messageOf(fault)} ${fieldOf(fault, 'responseBody')}`.slice(0, 5000)
  return status === 400 && tooLongWords.test(words)
}

const tooLongWords =
  /prompt is too long|context.?length|context window|maximum context|too many (input )?tokens/i

export function brokenStream(fault: unknown): ModelFault {
  const message = `The connection to the model broke: ${messageOf(fault)}`
  return { code: 'stream_broken', message, retryable: true }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: unknown, now: number): number | undefined {
  const milliseconds = Number(headerOf(headers, 'retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const text = headerOf(headers, 'retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isFinite(date) ? Math.max(0, date - now) : undefined
}

function headerOf(headers: unknown, name: string): string | undefined {
  const value = isJsonObject(headers) && Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return textOf(fault)
  const cause = fault.cause instanceof Error ? ` (${fault.cause.message})` : ''
  return `${fault.message}${cause}`.slice(0, 500)
}

function textOf(fault: unknown): string {
  if (typeof fault === 'string') return fault.slice(0, 500)
  const message = fieldOf(fault, 'message')
  return typeof message === 'string' ? message.slice(0, 500) : 'unknown'
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined
  return Reflect.get(value, name)
}
