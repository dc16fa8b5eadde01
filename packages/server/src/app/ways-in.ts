import { join } from 'node:path'
import { defined } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { ExecTickets } from '../guard/exec/exec-tickets.ts'
import type { Guard } from '../guard/guard.ts'
import { watchHookPrograms } from '../home/hook-program.ts'
import type { HookOptions } from '../hooks/client-hook.ts'
import { ClientRegistry } from '../hooks/client-registry.ts'
import type { Auth } from '../http/auth/auth.ts'
import { createGateway, defaultGateway, type Gateway } from '../mcp/gateway.ts'
import type { Log } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { sessionObserver } from '../observe/session-observer.ts'
import type { SessionBroker } from '../orchestrator/broker/session-broker.ts'
import { createSessions } from '../orchestrator/create-sessions.ts'
import type { AgentConnection } from '../orchestrator/ports.ts'
import { connectAgent } from './connect-agent.ts'
import type { ServeOptions } from './serve-options.ts'
import { sessionTools } from './session-tools.ts'

/** What the ways in write to and ask besides their options. */
export interface Watched {
  readonly guard: Guard
  readonly auth: Auth
  readonly log: Log
  readonly metrics: Metrics
  readonly node: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The ways in for agents: client hooks, the gateway and sessions. */
export interface WaysIn {
  readonly gateway: Gateway
  readonly hooks: HookOptions
  readonly exec: ExecTickets
  readonly registry: ClientRegistry
  readonly sessions: SessionBroker
  /** A way to this server for an agent that was started for a session. */
  connect(caller: Caller): AgentConnection
}

export function openWaysIn(options: ServeOptions, watched: Watched): WaysIn {
  const { guard, auth, log, metrics, node, environment } = watched
  const { ownPorts } = guard.runtime
  const port = () => [...ownPorts][0] ?? options.port
  const url = () => `http://127.0.0.1:${port()}`
  const gateway = createGateway({
    guard,
    version: options.version ?? '0',
    settings: () => defaultGateway,
    folder: process.cwd(),
    environment,
    ...options.gateway,
    approvalPage: (id) => `${peopleUrl(options, port())}/?approval=${encodeURIComponent(id)}`,
    onFault: (fault) => log.error({ err: fault }, 'the gateway failed'),
    onNote: (text, facts) => log.info(facts, text),
  })
  const exec = execTickets(guard, log, url)
  const registry = new ClientRegistry()
  const hooks: HookOptions = {
    ...gateway.hooks,
    exec,
    registry,
    onUnjudged: (run, text) =>
      log.error({ alarm: true, run, text }, 'calls of a client ran without being judged'),
    changedProgram: watchHookPrograms(environment),
    costReported: (session) => sessions.costReported(session),
  }
  const connect = (caller: Caller) => connectAgent({ auth, hooks, url }, caller)
  const sessions = createSessions({
    guard,
    connect,
    ownTools: sessionTools(guard),
    observer: sessionObserver(log, metrics.sessions),
    onOutlived: (ended) =>
      log.warn({ ended }, 'programs of sessions had outlived the server and were ended'),
    node,
    upstreams: gateway.upstreams,
    ...defined({ data: options.data }),
  })
  return { gateway, hooks, exec, registry, sessions, connect }
}

/** By a name: browsers refuse passkeys at an IP address (PE-11). */
export function peopleUrl({ publicUrls }: ServeOptions, port: number): string {
  return publicUrls?.[0]?.replace(/\/$/, '') ?? `http://localhost:${port}`
}

const execScript = join(import.meta.dirname, '../../bin/exec.cjs')

function execTickets(guard: Guard, log: Log, url: () => string): ExecTickets {
  return new ExecTickets({
    guard,
    program: [process.execPath, execScript],
    // Commands run on this machine: over another address a ticket would only travel further.
    url,
    onIntruders: (run, paths) =>
      log.error({ alarm: true, run, paths }, 'a command created a protected path'),
    onContested: (run) => log.error({ alarm: true, run }, 'two programs used one ticket'),
  })
}
