import type { z } from 'zod'
import type { AnswerOf, BodyFor, Endpoint, Method, ParamsOf, QueryFor } from './endpoint.ts'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value }

type QueryPart<Query> = [Query] extends [undefined]
  ? { readonly query?: undefined }
  : { readonly query?: Query }

type ParamsPart<Params> = [keyof Params] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params }

/** What a client has to say to call an endpoint. */
export type Sent<Row extends Endpoint> = Part<'body', BodyFor<Row>> &
  QueryPart<QueryFor<Row>> &
  ParamsPart<ParamsOf<Row>>

/** A call without parts may leave them all out. */
export type SentTo<Row extends Endpoint> =
  Record<never, never> extends Sent<Row> ? [sent?: Sent<Row>] : [sent: Sent<Row>]

export interface WireRequest {
  readonly method: Method
  readonly path: string
  readonly type?: string
  readonly body?: string
}

interface AnySent {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: unknown
  readonly body?: unknown
}

/** The request for a call: whatever its parts hold, the path leads nowhere else. */
export function requestFor(row: Endpoint, sent: AnySent = {}): WireRequest {
  const { params = {}, query, body } = sent
  const path = row.path.replaceAll(/:([a-z]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const request = { method: row.method, path: path + queryText(query) }
  if (row.reads === 'definition') {
    return { ...request, type: 'application/yaml', body: String(body ?? '') }
  }
  if (row.body === undefined) return request
  if (row.reads === 'form') {
    return { ...request, type: 'application/x-www-form-urlencoded', body: pairs(body) }
  }
  return { ...request, type: 'application/json', body: JSON.stringify(body ?? {}) }
}

function queryText(query: unknown): string {
  const text = pairs(query)
  return text === '' ? '' : `?${text}`
}

function pairs(values: unknown): string {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== undefined)
  return given
    .map((pair) => pair.map((word) => encodeURIComponent(String(word))).join('='))
    .join('&')
}

/** A good answer, read by the shape of its status; undefined where it has another. */
export function readAnswer<Row extends Endpoint>(
  row: Row,
  status: number,
  value: unknown,
): AnswerOf<Row> | undefined {
  const shape: z.ZodType | 'text' | undefined = row.answers[status]
  if (shape === undefined) return undefined
  // The shape of this very row.
  if (shape === 'text') return (typeof value === 'string' ? value : undefined) as AnswerOf<Row>
  const parsed = shape.safeParse(value)
  return parsed.success ? (parsed.data as AnswerOf<Row>) : undefined // The shape of this very row.
}
