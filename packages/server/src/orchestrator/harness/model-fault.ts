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

/** Who was asked, and under which address, as people know them. */
export interface ServedBy {
  readonly provider: string
  /** Left out where it is the provider's own. */
  readonly address?: string | undefined
}

/** Longest wait that a provider may ask for within a turn; beyond it a person decides. */
const longestRetryAfterMs = 60_000

/** What a provider or the network said, classified by whether trying again can help. */
export function modelFault(fault: unknown, now: number, served: ServedBy): ModelFault {
  const status = fieldOf(fault, 'statusCode')
  // An answer that began well and then broke off keeps the status it began with.
  if (typeof status !== 'number' || status < 400) return brokenStream(fault, served)
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

export function brokenStream(fault: unknown, served: ServedBy): ModelFault {
  return { code: 'stream_broken', message: whatBroke(fault, served), retryable: true }
}

/** Words of the library and of the network mean nothing to who started the session. */
function whatBroke(fault: unknown, { provider, address }: ServedBy): string {
  if (!(fault instanceof Error)) return `The model broke off its answer: ${textOf(fault)}.`
  const at = address ?? provider
  const network = networkFault(fault)
  if (network === undefined) {
    return `${at} does not answer in the format of ${provider}. Check base_url and provider.`
  }
  return `The connection to the model at ${at} broke: ${network}.`
}

const networkWords: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name cannot be looked up'],
  [/ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH/, 'it cannot be reached'],
  [/CERT|TLS|SSL|SELF_SIGNED/, 'its certificate is not trusted'],
  [/ECONNRESET|EPIPE|UND_ERR|HPE_|terminated|fetch failed|other side closed/, 'it was closed'],
]

/** The causes of an error are looked at as well: a client wraps what the network said. */
function networkFault(fault: Error): string | undefined {
  let one: unknown = fault
  let found: string | undefined
  for (let depth = 0; depth < 5 && one instanceof Error; depth++) {
    const words = `${fieldOf(one, 'code') ?? ''} ${one.message}`
    found = networkWords.find(([shape]) => shape.test(words))?.[1] ?? found
    one = one.cause
  }
  return found
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
