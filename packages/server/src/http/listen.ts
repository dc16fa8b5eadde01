import { createServer, type IncomingMessage, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Problem } from '@statewright/core'

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** What answers requests: an app of Hono's, whatever its types. */
interface Answering {
  fetch(request: Request, env: { incoming: IncomingMessage }): Response | Promise<Response>
}

/** Bounds for clients that are slow, by accident or on purpose. */
export interface ListenLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  readonly connections: number
}

export const listenLimits: ListenLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 30_000,
  connections: 2000,
}

const drainMs = 3000

/**
 * Binds the loopback address unless told otherwise. The app is made once the port is known,
 * because it answers only on its own name and port.
 */
export async function listen(
  port: number,
  createApp: (port: number) => Answering,
  options: { readonly host?: string; readonly limits?: ListenLimits } = {},
): Promise<Listened> {
  const { host = '127.0.0.1', limits = listenLimits } = options
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    // Node looks for slow clients at this pace; its own default would let them be for long.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  server.maxConnections = limits.connections
  const fault = await bind(server, port, host)
  if (fault !== undefined) return { ok: false, error: bindProblem(port, fault) }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const app = createApp(bound)
  const answer = (request: Request, env: unknown) =>
    app.fetch(request, env as { incoming: IncomingMessage }) // The adapter's own bindings.
  server.on('request', getRequestListener(answer))
  const url = `http://127.0.0.1:${bound}/`
  return { ok: true, value: { url, close: () => close(server) } }
}

type Listened =
  | { readonly ok: true; readonly value: Listening }
  | { readonly ok: false; readonly error: Problem }

function bind(server: Server, port: number, host: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}

function bindProblem(port: number, fault: Error): Problem {
  return {
    code: 'port_unusable',
    message: `The server cannot listen on port ${port} (${fault.message}).`,
    where: '--port',
    next: 'stop what uses the port, or take any free one with "--port 0".',
  }
}

/** Answers what is under way, but does not wait for a browser that keeps its connection open. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
