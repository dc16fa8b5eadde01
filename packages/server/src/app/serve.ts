import { join } from 'node:path'
import { defined, err, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { watchHookPrograms } from '../config/hook-program.ts'
import { ExecTickets } from '../guard/exec/exec-tickets.ts'
import { createGuard, type Guard, type GuardOptions } from '../guard/guard.ts'
import { ClientRegistry } from '../hooks/client-registry.ts'
import { watchHooks } from '../hooks/unjudged-calls.ts'
import {
  type Auth,
  createAuth,
  factorsOf,
  mintTestPerson,
  type OidcSettings,
} from '../http/auth/auth.ts'
import { createServer } from '../http/create-server.ts'
import { FeedHub } from '../http/feed/feed-hub.ts'
import { type ListenLimits, listen } from '../http/listen.ts'
import { ownNames } from '../http/own-names.ts'
import type { PageFile } from '../http/page-files.ts'
import type { Route, ServerDependencies } from '../http/pipeline/route.ts'
import { routeTable, serverRoutes } from '../http/routes/route-table.ts'
import type { MailService } from '../mail/forward.ts'
import { createGateway, defaultGateway, type GatewayOptions } from '../mcp/gateway.ts'
import { Notifier, type NotifySettings } from '../notify/notifier.ts'
import { traceJudged } from '../observe/call-traces.ts'
import { createLog, type Log } from '../observe/logger.ts'
import { Metrics } from '../observe/metrics.ts'
import { sessionObserver } from '../observe/session-observer.ts'
import { startTelemetry } from '../observe/telemetry.ts'
import { timedStore } from '../observe/timed-store.ts'
import { createSessions } from '../orchestrator/create-sessions.ts'
import type { AgentConnection } from '../orchestrator/ports.ts'
import { Replays } from '../replays/replays.ts'
import type { ReplaySource } from '../replays/request.ts'
import { protectionOf } from '../reports/protection-level.ts'
import { type Gap, markStart, markStop } from '../reports/stop-marks.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import type { Store } from '../store/store.ts'
import { connectAgent } from './connect-agent.ts'
import { closeAll, drain } from './drain.ts'
import { isConcerned, noteGap } from './gap-notes.ts'
import { followOtherNodes, followRules } from './other-nodes.ts'
import { sessionTools } from './session-tools.ts'
import { startSweeping } from './sweeping.ts'

export interface ServeOptions {
  readonly store: Store
  readonly settings: RuntimeSettings
  /** 0 takes any free one. */
  readonly port: number
  readonly host?: string
  /** Addresses besides the loopback one under which the server is reached. */
  readonly publicUrls?: readonly string[]
  /** The name of the person whom the links at the server's own terminal are for. */
  readonly owner?: string
  readonly version?: string
  readonly pages?: ReadonlyMap<string, PageFile>
  /** Doors of whoever starts the server; they stand behind the same checks as all others. */
  readonly routes?: readonly Route[]
  readonly log?: Log
  readonly clock?: Clock
  readonly limits?: ListenLimits
  /** Name of this node, the same over restarts: an unclean stop is found by it. */
  readonly node?: string
  /** Other servers write to the same store. */
  readonly sharesStore?: boolean
  /** Takes over the configuration that another server has accepted. */
  readonly followConfig?: () => Promise<void>
  /** What this machine holds commands with, looked up by whoever starts the server. */
  readonly sandbox?: SandboxFound
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** How the gateway is set up; without it there are our own tools and nothing behind them. */
  readonly gateway?: Partial<
    Pick<
      GatewayOptions,
      'settings' | 'folder' | 'onSettings' | 'unaccepted' | 'onAcceptance' | 'toolWatch'
    >
  >
  /** The mail service behind our proxy, read anew for each mail; none when left out. */
  readonly mail?: () => MailService | undefined
  /** The identity provider with which people log in; links and PINs when left out. */
  readonly oidc?: () => OidcSettings | undefined
  /** How people are told of what waits, read anew for each; not at all when left out. */
  readonly notify?: () => NotifySettings
  /** The Postgres that the store keeps everything in; else it lies in `data`. */
  readonly databaseUrl?: string
  /** Where the store and `hooks.json` of agent sessions lie. */
  readonly data?: string
}

export interface Serving {
  readonly url: string
  /** Where people open it in a browser, without a slash at the end. */
  readonly peopleUrl: string
  readonly runtime: Runtime
  readonly guard: Guard
  /** A way to this server for an agent that was started for a session. */
  connect(caller: Caller): AgentConnection
  readonly auth: Auth
  /** Everything it answers, for whoever wants to try the doors. */
  readonly routes: readonly Route[]
  /**
   * A new link that makes a browser a person's; print it only on the server's own terminal. Where
   * an identity provider is set up without break-glass, the page on which people log in there.
   */
  loginUrl(): string
  /** Whether the person whom a link at the start is for can prove who they are without one. */
  ownerHasFactor(): Promise<boolean>
  /** A person's token for tests and automation. Say so loudly where it is used. */
  mintTestPerson(): Promise<string>
  /** Answers what is under way, marks a clean stop; the store stays open. */
  close(): Promise<void>
}

/** Starts the server on a store that is open already. */
export async function serve(options: ServeOptions): Promise<Result<Serving, Problem>> {
  const { clock = systemClock, log = createLog({}), node = 'local', environment = {} } = options
  const metrics = new Metrics()
  const stopTelemetry = await startTelemetry(environment, metrics.registry, log)
  const store = timedStore(options.store, metrics)
  let gap: Gap | undefined
  let notifier: Notifier | undefined
  const runtime: Runtime = createRuntime({
    store,
    clock,
    settings: options.settings,
    onPublished: ({ runId, entries }) => {
      metrics.countEntries(entries)
      guard.published(entries)
      gateway.published(runId, entries)
      sessions.runChanged(runId, entries)
      if (entries.some(({ type }) => type === 'approval_opened')) notifier?.wake()
    },
    onRevived: (live) => {
      if (gap === undefined || !isConcerned(live, gap)) return
      noteGap(runtime, live.row.runId, gap).catch((fault) => {
        log.error({ err: fault, run: live.row.runId }, 'a gap could not be recorded')
      })
    },
  })
  metrics.watch(runtime)
  const alarm = (message: string) => log.error({ alarm: true }, message)
  const onRefusedPasskey = (fault: unknown) => log.warn({ err: fault }, 'a passkey was refused')
  const [draining, stopping] = [new AbortController(), new AbortController()]
  const oidc = options.oidc === undefined ? {} : { oidc: options.oidc }
  const auth = createAuth({ store, clock, alarm, onRefusedPasskey, ...oidc })
  followRules(runtime, auth, { ...options, log, stopping: stopping.signal })
  const hub = new FeedHub(store.feed)
  const guard = createGuard({
    runtime,
    environment,
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    ...watchedCalls(log, metrics),
  })
  const listeningPort = () => [...runtime.ownPorts][0] ?? options.port
  const gateway = createGateway({
    guard,
    version: options.version ?? '0',
    settings: () => defaultGateway,
    folder: process.cwd(),
    environment,
    ...options.gateway,
    approvalPage: (id) =>
      `${peopleUrl(options, listeningPort())}/?approval=${encodeURIComponent(id)}`,
    onFault: (fault) => log.error({ err: fault }, 'the gateway failed'),
    onNote: (text, facts) => log.info(facts, text),
  })
  const ownUrl = () => `http://127.0.0.1:${listeningPort()}`
  const exec = execTickets(guard, log, ownUrl)
  const registry = new ClientRegistry()
  const onUnjudged = (run: string, text: string) =>
    log.error({ alarm: true, run, text }, 'calls of a client ran without being judged')
  const costReported = (session: string) => sessions.costReported(session)
  const changedProgram = watchHookPrograms(environment)
  const hooks = { ...gateway.hooks, exec, registry, onUnjudged, changedProgram, costReported }
  const connect = (caller: Caller) => connectAgent({ auth, hooks, url: ownUrl }, caller)
  const sessions = createSessions({
    guard,
    connect,
    ownTools: sessionTools(guard),
    observer: sessionObserver(log, metrics.sessions),
    onOutlived: (ended) =>
      log.warn({ ended }, 'programs of sessions had outlived the server and were ended'),
    node,
    upstreams: gateway.upstreams,
    ...(options.data === undefined ? {} : { data: options.data }),
  })
  // Before the first request: a run that is taken up must know of the gap.
  gap = await markStart(store.settings, node, clock.now())
  if (gap !== undefined) log.warn({ until: gap.until }, 'the server did not stop cleanly before')
  const routes = routeTable([
    ...serverRoutes({
      mcp: gateway.mcp,
      routines: gateway.routines,
      hooks,
      exec,
      sessions,
      registry,
      gap: () => gap,
      mail: options.mail ?? (() => undefined),
      replays: new Replays(recordedIn(options), clock, stopping.signal),
    }),
    ...(options.routes ?? []),
  ])
  const listening = await listen(
    options.port,
    (port) => {
      runtime.ownPorts.add(port)
      const server: ServerDependencies = {
        runtime,
        guard,
        auth,
        log,
        metrics,
        feedHub: hub,
        level: () => protectionOf(runtime.settings, registry.list()).level,
        url: peopleUrl(options, port),
        // Cookies do not tell ports apart: two servers on one machine need two names.
        cookieName: `statewright_${port}`,
        draining: draining.signal,
        stopping: stopping.signal,
      }
      return createServer({
        server,
        names: ownNames(port, options.publicUrls),
        routes,
        pages: options.pages ?? new Map(),
      })
    },
    {
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    },
  )
  if (!listening.ok) {
    await markStop(store.settings, node)
    return err(listening.error)
  }
  const sweeper = startSweeping(runtime, log, watchHooks(runtime, hooks), { ...options, node })
  if (options.notify !== undefined) {
    notifier = new Notifier({
      store,
      clock,
      settings: options.notify,
      environment,
      url: peopleUrl(options, portOf(listening.value.url)),
      onFailed: (facts) => log.warn(facts, 'a notification could not be sent'),
    })
  }
  const taken = await sessions.recover()
  if (taken > 0) log.warn({ sessions: taken }, 'agent sessions were resumed')
  if (options.sharesStore === true) {
    await followOtherNodes(runtime, hub, log, (runId, entry) => sessions.runChanged(runId, [entry]))
  }

  const { url } = listening.value
  return ok({
    url,
    runtime,
    guard,
    connect,
    auth,
    routes,
    peopleUrl: peopleUrl(options, portOf(url)),
    loginUrl: () => {
      const page = peopleUrl(options, portOf(url))
      if (!auth.oidc.hasLocalLogins()) return `${page}/`
      return page + auth.links.create(options.owner ?? 'owner')
    },
    ownerHasFactor: async () => (await factorsOf(auth, options.owner ?? 'owner')).length > 0,
    mintTestPerson: () => mintTestPerson(auth, clock),
    close: async () => {
      draining.abort()
      const answered = await drain(listening.value, options)
      stopping.abort()
      await closeAll(sweeper, notifier, sessions, guard.waiters)
      await answered()
      await closeAll(runtime.commands, gateway, hub)
      await markStop(store.settings, node)
      await stopTelemetry()
    },
  })
}

/** What the log, the metrics and the traces hear of guarded calls. */
function watchedCalls(log: Log, metrics: Metrics): Pick<GuardOptions, 'onFault' | 'onJudged'> {
  return {
    onFault: (fault) => {
      log.error({ err: fault }, 'a call could not be judged')
      metrics.countFailedCheck()
    },
    onJudged: traceJudged,
  }
}

/** Where replays read the runs a second time. */
function recordedIn({ databaseUrl, data }: ServeOptions): ReplaySource | undefined {
  return data === undefined ? undefined : { folder: data, ...defined({ databaseUrl }) }
}

/** By a name: browsers refuse passkeys at an IP address (PE-11). */
function peopleUrl({ publicUrls }: ServeOptions, port: number): string {
  return publicUrls?.[0]?.replace(/\/$/, '') ?? `http://localhost:${port}`
}

function portOf(url: string): number {
  return Number(new URL(url).port)
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
