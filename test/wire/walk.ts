import {
  type AnswerOf,
  type Endpoint,
  endpoints,
  requestFor,
  type SentTo,
} from '@statewright/core/wire'
import { expect } from 'vitest'

export type Kind = 'hook' | 'agent' | 'person'

/** Calls endpoints of a real server, and looks at each good answer by the shape of its row. */
export interface Walk {
  /** As the kind of caller for whom the endpoint is there; a public one takes nobody. */
  call<Row extends Endpoint>(row: Row, ...sent: SentTo<Row>): Promise<AnswerOf<Row>>
  /** As somebody of another kind. */
  as(kind: Kind): Pick<Walk, 'call'>
  /** With a token of its own, from a page with this address, or with a proof. */
  by(token: string, headers?: Readonly<Record<string, string>>): Pick<Walk, 'call'>
  /** Looks at an answer to a request that was sent otherwise, such as a signed one. */
  look<Row extends Endpoint>(row: Row, response: Response): Promise<AnswerOf<Row>>
  /** For what has no row: pages, hooks and MCP. */
  fetch(path: string, kind: Kind, init?: RequestInit): Promise<Response>
  /** Where browsers have the server, as its login links say it. */
  readonly origin: string
  /** A folder that the server takes for a workspace. */
  readonly workspace: string
}

/** The good answers that were seen, as `name status`. */
export type Seen = Set<string>

const names = new Map<Endpoint, string>(Object.entries(endpoints).map(([name, row]) => [row, name]))

/** All answers that a walk has to see: what is no JSON, or a peer's, has no shape to look at. */
export function expectedAnswers(): string[] {
  return [...names].flatMap(([{ answers, reads }, name]) =>
    Object.entries(answers).flatMap(([status, shape]) =>
      shape === 'text' || reads === 'raw' ? [] : [`${name} ${status}`],
    ),
  )
}

export interface WalkTarget {
  readonly url: string
  readonly tokens: Readonly<Record<Kind, string>>
  readonly workspace: string
}

export function walkThrough(target: WalkTarget, seen: Seen): Walk {
  const as = (kind?: Kind): Pick<Walk, 'call'> => ({
    async call<Row extends Endpoint>(row: Row, ...sent: SentTo<Row>): Promise<AnswerOf<Row>> {
      const who = kind ?? (row.who === 'public' ? undefined : row.who)
      return by(who === undefined ? undefined : target.tokens[who]).call(row, ...sent)
    },
  })
  const by = (token: string | undefined, more = {}): Pick<Walk, 'call'> => ({
    async call<Row extends Endpoint>(row: Row, ...[sent]: SentTo<Row>): Promise<AnswerOf<Row>> {
      const { method, path, type, body } = requestFor(row, sent)
      const headers = {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...more,
      }
      return look(row, await fetch(target.url + path, { method, headers, body: body ?? null }))
    },
  })
  const look = async <Row extends Endpoint>(row: Row, response: Response) => {
    const { status, url } = response
    const text = await response.text()
    const shape: Endpoint['answers'][number] | undefined = row.answers[status]
    if (shape === undefined) throw new Error(`${row.method} ${url}: ${status} ${text}`)
    seen.add(`${names.get(row)} ${status}`)
    if (shape === 'text') return text as AnswerOf<Row> // The shape of this very row.
    const value: unknown = JSON.parse(text)
    // A field that the row does not declare is left out by its shape, and missing here.
    expect(shape.parse(value), `${row.method} ${url}`).toEqual(value)
    return value as AnswerOf<Row> // As above.
  }
  return {
    ...as(),
    as,
    by,
    look,
    origin: target.url.replace('127.0.0.1', 'localhost'),
    workspace: target.workspace,
    fetch: (path, kind, init = {}) => {
      const headers = { authorization: `Bearer ${target.tokens[kind]}`, ...init.headers }
      return fetch(target.url + path, { ...init, headers })
    },
  }
}
