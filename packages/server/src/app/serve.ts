import { defined, err, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { createGuard, type Guard } from '../guard/guard.ts'
import { watchHooks } from '../hooks/unjudged-calls.ts'
import { type Auth, createAuth, factorsOf, mintTestPerson } from '../http/auth/auth.ts'
import { createServer } from '../http/create-server.ts'
import { FeedHub } from '../http/feed/feed-hub.ts'
import { type Listening, listen } from '../http/listen.ts'
import { ownNames } from '../http/own-names.ts'
import type { Route, ServerDependencies } from '../http/pipeline/route.ts'
import { routeTable, serverRoutes } from '../http/routes/route-table.ts'
import { Notifier } from '../notify/notifier.ts'
import { traceJudged } from '../observe/call-traces.ts'
import { createLog, type Log } from '../observe/logger.ts'
import { Metrics } from '../observe/metrics.ts'
import { startTelemetry } from '../observe/telemetry.ts'
import { timedStore } from '../observe/timed-store.ts'
import type { SessionBroker } from '../orchestrator/broker/session-broker.ts'
import type { AgentConnection } from '../orchestrator/ports.ts'
import { Replays } from '../replays/replays.ts'
import type { ReplaySource } from '../replays/request.ts'
import { protectionOf } from '../reports/protection-level.ts'
import { type Gap, markStart, markStop } from '../reports/stop-marks.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Store } from '../store/store.ts'
import { closeAll, drain } from './drain.ts'
import { isConcerned, noteGap } from './gap-notes.ts'
import { followOtherNodes, followRules } from './other-nodes.ts'
import type { ServeOptions } from './serve-options.ts'
import { startSweeping } from './sweeping.ts'
import { openWaysIn, peopleUrl, type Watched, type WaysIn } from './ways-in.ts'

export interface Serving {
  readonly url: string
  /** Where people open it in a browser, without a slash at the end. */
  readonly peopleUrl: string
  readonly runtime: Runtime
  readonly guard: Guard
  /** A way to this server for an agent that was started for a session. */
  connect(caller: Caller): AgentConnection
  readonly auth: Auth
  /** Everything it answers, for anyone who wants to try the doors. */
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
      ways.gateway.published(runId, entries)
      ways.sessions.runChanged(runId, entries)
      if (entries.some(({ type }) => type === 'approval_opened')) notifier?.wake()
    },
    onRevived: (live) => noteGapIn(runtime, live, gap, log),
  })
  metrics.watch(runtime)
  const [draining, stopping] = [new AbortController(), new AbortController()]
  const auth = watchedAuth(store, { ...options, clock, log })
  followRules(runtime, auth, { ...options, log, stopping: stopping.signal })
  const hub = new FeedHub(store.feed)
  const guard = watchedGuard(runtime, { ...options, log, metrics, environment })
  const ways = openWaysIn(options, { guard, auth, log, metrics, node, environment })
  // Before the first request: a run that is taken up must know of the gap.
  gap = await gapBefore(store, { node, clock, log })
  const routes = routesOf(options, ways, () => gap, stopping.signal)
  const listening = await listenFor(options, routes, {
    ...{ runtime, guard, auth, log, metrics, feedHub: hub },
    level: () => protectionOf(runtime.settings, ways.registry.list()).level,
    draining: draining.signal,
    stopping: stopping.signal,
  })
  if (!listening.ok) {
    await markStop(store.settings, node)
    return err(listening.error)
  }
  const { url } = listening.value
  const sweeper = startSweeping(runtime, log, watchHooks(runtime, ways.hooks), { ...options, node })
  notifier = notifierOf(options, { store, clock, log, url, environment })
  await takeUpSessions(ways.sessions, log)
  if (options.sharesStore === true) await followOtherNodes(runtime, hub, log, ways.sessions)
  return ok({
    ...{ url, runtime, guard, auth, routes, connect: ways.connect },
    ...peopleOf(options, auth, url, clock),
    close: async () => {
      draining.abort()
      const answered = await drain(listening.value, options)
      stopping.abort()
      await closeAll(sweeper, notifier, ways.sessions, guard.waiters)
      await answered()
      await closeAll(runtime.commands, ways.gateway, hub)
      await markStop(store.settings, node)
      await stopTelemetry()
    },
  })
}

/** A run that is taken up may have been at work while nobody judged. */
function noteGapIn(runtime: Runtime, live: LiveRun, gap: Gap | undefined, log: Log): void {
  if (gap === undefined || !isConcerned(live, gap)) return
  noteGap(runtime, live.row.runId, gap).catch((fault) => {
    log.error({ err: fault, run: live.row.runId }, 'a gap could not be recorded')
  })
}

function watchedAuth(
  store: Store,
  { clock, log, oidc }: Pick<ServeOptions, 'oidc'> & { readonly clock: Clock; readonly log: Log },
): Auth {
  const alarm = (message: string) => log.error({ alarm: true }, message)
  const onRefusedPasskey = (fault: unknown) => log.warn({ err: fault }, 'a passkey was refused')
  return createAuth({ store, clock, alarm, onRefusedPasskey, ...defined({ oidc }) })
}

/** The guard, and what the log, the metrics and the traces hear of guarded calls. */
function watchedGuard(
  runtime: Runtime,
  {
    sandbox,
    environment,
    log,
    metrics,
  }: Pick<ServeOptions, 'sandbox'> & Pick<Watched, 'log' | 'metrics' | 'environment'>,
): Guard {
  return createGuard({
    runtime,
    environment,
    ...defined({ sandbox }),
    onFault: (fault) => {
      log.error({ err: fault }, 'a call could not be judged')
      metrics.countFailedCheck()
    },
    onJudged: traceJudged,
  })
}

/** Since when nobody had judged before this start; undefined after a clean stop. */
async function gapBefore(
  { settings }: Store,
  { node, clock, log }: Pick<Watched, 'node' | 'log'> & { readonly clock: Clock },
): Promise<Gap | undefined> {
  const gap = await markStart(settings, node, clock.now())
  if (gap !== undefined) log.warn({ until: gap.until }, 'the server did not stop cleanly before')
  return gap
}

function routesOf(
  options: ServeOptions,
  { gateway, ...ways }: WaysIn,
  gap: () => Gap | undefined,
  stopping: AbortSignal,
): readonly Route[] {
  const { mail = () => undefined, clock = systemClock, routes = [] } = options
  const { mcp, routines } = gateway
  const replays = new Replays(recordedIn(options), clock, stopping)
  return routeTable([...serverRoutes({ ...ways, mcp, routines, mail, replays, gap }), ...routes])
}

/** Where replays read the runs a second time. */
function recordedIn({ databaseUrl, data }: ServeOptions): ReplaySource | undefined {
  return data === undefined ? undefined : { folder: data, ...defined({ databaseUrl }) }
}

function listenFor(
  options: ServeOptions,
  routes: readonly Route[],
  server: Omit<ServerDependencies, 'url' | 'cookieName'>,
): Promise<Result<Listening, Problem>> {
  const { host, limits, publicUrls, pages = new Map() } = options
  return listen(
    options.port,
    (port) => {
      server.runtime.ownPorts.add(port)
      return createServer({
        server: {
          ...server,
          url: peopleUrl(options, port),
          // Cookies do not tell ports apart: two servers on one machine need two names.
          cookieName: `statewright_${port}`,
        },
        names: ownNames(port, publicUrls),
        routes,
        pages,
      })
    },
    defined({ host, limits }),
  )
}

function notifierOf(
  options: ServeOptions,
  server: Pick<Watched, 'log' | 'environment'> & {
    readonly store: Store
    readonly clock: Clock
    readonly url: string
  },
): Notifier | undefined {
  const { store, clock, log, url, environment } = server
  if (options.notify === undefined) return undefined
  return new Notifier({
    store,
    clock,
    settings: options.notify,
    environment,
    url: peopleUrl(options, portOf(url)),
    onFailed: (facts) => log.warn(facts, 'a notification could not be sent'),
  })
}

async function takeUpSessions(sessions: SessionBroker, log: Log): Promise<void> {
  const taken = await sessions.recover()
  if (taken > 0) log.warn({ sessions: taken }, 'agent sessions were resumed')
}

/** How people come in, and who they are at the server's own terminal. */
function peopleOf(
  options: ServeOptions,
  auth: Auth,
  url: string,
  clock: Clock,
): Pick<Serving, 'peopleUrl' | 'loginUrl' | 'ownerHasFactor' | 'mintTestPerson'> {
  const { owner = 'owner' } = options
  const page = peopleUrl(options, portOf(url))
  return {
    peopleUrl: page,
    loginUrl: () => page + (auth.oidc.hasLocalLogins() ? auth.links.create(owner) : '/'),
    ownerHasFactor: async () => (await factorsOf(auth, owner)).length > 0,
    mintTestPerson: () => mintTestPerson(auth, clock),
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
