import { z } from 'zod'
import { StatewrightError } from './statewright.ts'

export interface RemoteOptions {
  /** Address of the server, such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** An agent's token; saving and approving need a person's. */
  readonly token: string
}

/** One request, its answer read by a shape: a server that answers otherwise is a fault. */
export type Ask = <Shape extends z.ZodType>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  shape: Shape,
  body?: object | string,
) => Promise<z.infer<Shape>>

const Problem = z.looseObject({
  code: z.string(),
  message: z.string(),
  where: z.string().optional(),
  next: z.string().optional(),
})

export function asker({ url, token }: RemoteOptions): Ask {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    const next = 'give it as http://127.0.0.1:4747.'
    throw new StatewrightError('usage', `"${url}" is no address.`, { where: 'url', next })
  }
  const base = url.replace(/\/$/, '')
  return async (method, path, shape, body) => {
    const where = `${method} ${base}${path}`
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // A kept connection may be one of a server that is gone, and no call is sent twice.
        connection: 'close',
        ...(typeof body === 'string'
          ? { 'content-type': 'application/yaml' }
          : { 'content-type': 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch((fault: unknown) => {
      throw unreachable(base, fault)
    })
    const value: unknown = await answer.json().catch(() => undefined)
    if (!answer.ok) throw refusal(answer.status, value, where)
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    throw new StatewrightError('internal', 'The answer of the server cannot be read.', {
      where,
      next: 'see that url names a Statewright server, of the same version as this library.',
    })
  }
}

/** What `fetch` itself says of a lost connection is "fetch failed"; the cause knows more. */
function unreachable(url: string, fault: unknown): StatewrightError {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new StatewrightError('server_unreachable', `No server answers at ${url} (${why}).`, {
    where: url,
    next: 'start it with "statewright up", or see that url names it.',
    cause: fault,
  })
}

function refusal(status: number, value: unknown, where: string): StatewrightError {
  const problem = Problem.safeParse(value)
  if (problem.success) {
    const { code, message, next } = problem.data
    return new StatewrightError(code, message, { where: problem.data.where ?? where, next })
  }
  return new StatewrightError('internal', `The server answered with ${status} and no reason.`, {
    where,
    next: 'see that url names a Statewright server, and look at its log.',
  })
}
