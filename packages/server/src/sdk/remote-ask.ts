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

const Problem = z.looseObject({ code: z.string(), message: z.string() })

export function asker({ url, token }: RemoteOptions): Ask {
  const base = url.replace(/\/$/, '')
  return async (method, path, shape, body) => {
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
    })
    const value: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return shape.parse(value)
    const problem = Problem.safeParse(value)
    if (!problem.success) throw new StatewrightError('internal', `answered ${answer.status}`)
    throw new StatewrightError(problem.data.code, problem.data.message)
  }
}
