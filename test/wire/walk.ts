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
  /** For what has no row: pages, hooks and MCP. */
  fetch(path: string, kind: Kind, init?: RequestInit): Promise<Response>
  /** A folder that the server takes for a workspace. */
  readonly workspace: string
}

/** The good answers that were seen, as `name status`. */
export type Seen = Set<string>

const names = new Map<Endpoint, string>(Object.entries(endpoints).map(([name, row]) => [row, name]))

/** All answers that a walk has to see: what is no JSON has no shape to look at. */
export function expectedAnswers(owed: readonly string[]): string[] {
  return [...names].flatMap(([{ answers, path }, name]) =>
    Object.entries(answers).flatMap(([status, shape]) =>
      shape === 'text' || owed.some((noun) => path.split('/').includes(noun))
        ? []
        : [`${name} ${status}`],
    ),
  )
}

export interface Place {
  readonly url: string
  readonly tokens: Readonly<Record<Kind, string>>
  readonly workspace: string
}

export function walkThrough(place: Place, seen: Seen): Walk {
  const as = (kind?: Kind): Pick<Walk, 'call'> => ({
    async call<Row extends Endpoint>(row: Row, ...[sent]: SentTo<Row>): Promise<AnswerOf<Row>> {
      const who = kind ?? (row.who === 'public' ? undefined : row.who)
      const answer = await send(row, sent, who === undefined ? undefined : place.tokens[who])
      seen.add(`${names.get(row)} ${answer.status}`)
      return answer.value as AnswerOf<Row> // Read by the shape of this very row.
    },
  })
  const send = async (row: Endpoint, sent: object | undefined, token: string | undefined) => {
    const { method, path, type, body } = requestFor(row, sent)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    const response = await fetch(place.url + path, { method, headers, body: body ?? null })
    const text = await response.text()
    const shape = row.answers[response.status]
    if (shape === undefined) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    if (shape === 'text') return { status: response.status, value: text }
    const value: unknown = JSON.parse(text)
    // A field that the row does not declare is left out by its shape, and missing here.
    expect(shape.parse(value), `${method} ${path}`).toEqual(value)
    return { status: response.status, value }
  }
  return {
    ...as(),
    as,
    workspace: place.workspace,
    fetch: (path, kind, init = {}) => {
      const headers = { authorization: `Bearer ${place.tokens[kind]}`, ...init.headers }
      return fetch(place.url + path, { ...init, headers })
    },
  }
}
