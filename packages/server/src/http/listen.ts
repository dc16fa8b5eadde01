import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Problem } from '@statewright/core/internal'
import { ConnectionRoom } from './connection-room.ts'
import type { AnswerDirectly } from './direct-routes.ts'
import { OpenAnswers } from './open-answers.ts'

export interface Listening {
  readonly url: string
  /** Asks every client to close its connection with the next answer; new ones are still taken. */
  drain(): void
  /** Takes no new connections, and ends when all that is under way is answered, or too late. */
  close(limits?: DrainLimits): Promise<void>
}

/** How long what is under way is waited for when the server stops. */
export interface DrainLimits {
  /** What only looks, streams among it: anyone who looks can look again. */
  readonly looksMs: number
  readonly callsMs: number
}

const drainLimits: DrainLimits = { looksMs: 3000, callsMs: 3000 }

/** What answers requests: an app of Hono's, whatever its types. */
interface Answering {
  fetch(request: Request, env: { incoming: IncomingMessage }): Response | Promise<Response>
  /** What is answered before the app is asked. */
  readonly direct?: AnswerDirectly
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

const maxPorts = 10

const loopbackHosts: readonly string[] = ['127.0.0.1', '::1']

/**
 * Where a server listens. On this machine that is both addresses that `localhost` means, where
 * login links lead: a program that took the other one would be shown the links (PE-11).
 */
export function hostsFor(host: string | undefined): readonly string[] {
  const isLocal = host === undefined || host === 'localhost' || loopbackHosts.includes(host)
  return isLocal ? loopbackHosts : [host]
}

/**
 * Binds the loopback addresses unless told otherwise. The app is made once the port is known,
 * because it answers only on its own name and port.
 */
export async function listen(
  port: number,
  createApp: (port: number) => Answering,
  options: { readonly host?: string; readonly limits?: ListenLimits } = {},
): Promise<Listened> {
  const { host, limits = listenLimits } = options
  const bound = await bindAll(port, hostsFor(host), limits)
  if (bound instanceof Error) return { ok: false, error: bindProblem(port, bound) }
  const app = createApp(bound.port)
  const answers = bound.servers.map((server) => new OpenAnswers(server))
  for (const server of bound.servers) server.on('request', requestListener(app))
  const url = `http://127.0.0.1:${bound.port}/`
  return {
    ok: true,
    value: {
      url,
      drain: () => {
        for (const open of answers) open.closeConnections()
      },
      close: async (drain = drainLimits) =>
        void (await Promise.all(answers.map((open) => close(open, drain)))),
    },
  }
}

function requestListener({ fetch, direct }: Answering) {
  const made = new WeakMap<IncomingMessage, Response>()
  const byApp = getRequestListener((request, env) => {
    const bindings = env as { incoming: IncomingMessage } // The adapter's own bindings.
    return made.get(bindings.incoming) ?? fetch(request, bindings)
  })
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const answered = direct?.(incoming, outgoing)
    if (answered === undefined) {
      void byApp(incoming, outgoing)
      return
    }
    answered.then(
      (response) => {
        if (response === undefined) return
        made.set(incoming, response)
        void byApp(incoming, outgoing)
      },
      () => outgoing.destroy(),
    )
  }
}

interface BoundPort {
  readonly port: number
  readonly servers: readonly Server[]
}

/** All addresses at the same port; any free one where 0 was asked for. */
async function bindAll(
  port: number,
  hosts: readonly string[],
  limits: ListenLimits,
): Promise<BoundPort | Error> {
  for (let tried = 1; ; tried++) {
    const servers: Server[] = []
    let taken = port
    let fault: Error | undefined
    for (const host of hosts) {
      const server = newServer(limits)
      fault = await bind(server, taken, host)
      if (fault !== undefined && servers.length > 0 && isMissing(fault)) fault = undefined
      else if (fault === undefined) servers.push(server)
      if (fault !== undefined) break
      taken = portOf(servers[0]) ?? taken
    }
    if (fault === undefined) return { port: taken, servers }
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
    // A free port of one address may be taken at the other; the next will hardly be.
    if (port !== 0 || tried >= maxPorts) return fault
  }
}

/** A machine without IPv6 has no such address, for us or for anybody else. */
export function isMissing(fault: Error): boolean {
  const code = 'code' in fault ? fault.code : undefined
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}

function newServer(limits: ListenLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    // Node looks for slow clients at this pace; its own default would let them be for long.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  new ConnectionRoom(limits.connections).watch(server)
  return server
}

function portOf(server: Server | undefined): number | undefined {
  const address = server?.address()
  return typeof address === 'object' && address !== null ? address.port : undefined
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
function close(open: OpenAnswers, { looksMs, callsMs }: DrainLimits): Promise<void> {
  const { server } = open
  open.closeConnections()
  return new Promise((resolve) => {
    const timers = [
      setTimeout(() => open.endLooks(), looksMs),
      setTimeout(() => server.closeAllConnections(), callsMs),
    ]
    server.close(() => {
      for (const timer of timers) clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
