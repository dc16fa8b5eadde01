import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { announceServer, withdrawServer } from '../config/discovery.ts'
import { dataFolder, type Environment, isInside, realOf } from '../config/folders.ts'
import { openPinned, type PinnedConfig, type Waiting } from '../config/pinned.ts'
import { type OwnPaths, ownPaths, resolveConfig } from '../config/resolve.ts'
import { runtimeSettings } from '../config/runtime-settings.ts'
import type { Config } from '../config/schema.ts'
import { readPageFiles } from '../http/page-files.ts'
import { projectRoutes } from '../http/routes/route-table.ts'
import { logLines } from '../observe/log-lines.ts'
import { createLog, type LogLevel } from '../observe/logger.ts'
import { findSandbox, missingSandbox, weakerSandbox } from '../sandbox/find-sandbox.ts'
import { openStore } from '../store/open.ts'
import { type Store, StoreFault } from '../store/store.ts'
import { type ChosenPort, choosePort, keepPort, userOf } from './choose-port.ts'
import { dashboardFolder, ensureDashboard } from './dashboard-build.ts'
import { gatewayOptions } from './gateway-options.ts'
import { mailService, notifySettings, oidcSettings, peopleWarnings } from './people-options.ts'
import { reachOf } from './reach.ts'
import { saveConfigured } from './save-configured.ts'
import { type Serving, serve } from './serve.ts'
import { userName } from './user-name.ts'
import { version } from './version.ts'
import { logWaiting, waitingSentence } from './waiting-change.ts'

export interface UpOptions {
  readonly port?: number
  readonly data?: string
  readonly databaseUrl?: string
  readonly strict?: true
  readonly mode?: 'enforce' | 'observe'
  readonly durability?: 'crash' | 'power'
  readonly workflow?: string
  readonly host?: string
  readonly publicUrl?: readonly string[]
  readonly testPerson?: true
  readonly demo?: true
  readonly json?: true
}

export interface Running {
  readonly serving: Serving
  /** Without a slash at the end. */
  readonly url: string
  readonly data: string
  /** The Postgres that keeps what is not a file, without who logs in there. */
  readonly database?: string
  /** Where other machines reach it, without a slash at the end. */
  readonly publicUrl?: string
  readonly project: string
  readonly pinned: PinnedConfig
  /** What the person who started it should know. */
  readonly warnings: readonly string[]
  stop(): Promise<void>
}

/** The person at the terminal of the server, where there is one. */
export interface Terminal {
  /** Asks whether the programs of the project may run, before they ever did. */
  readonly askFirst?: (waiting: Waiting) => Promise<boolean>
  /** Writes the log in lines for people; left out, it is JSON. */
  readonly logLine?: (line: string) => void
}

/** Opens configuration, store and server; what it opened on the way it closes when one fails. */
export async function startServer(
  options: UpOptions,
  environment: Environment,
  folder: string,
  terminal: Terminal = {},
): Promise<Result<Running, Problem>> {
  const read = () => resolveConfig({ folder, environment, flags: flagsOf(options) })
  const resolved = read()
  if (!resolved.ok) return resolved
  const port = portOf(options, environment)
  if (!port.ok) return port
  const reach = reachOf(options, environment)
  if (!reach.ok) return reach
  const level = levelOf(environment)
  if (!level.ok) return level
  const paths = ownPaths({ folder, environment }, options.data)
  const chosen = port.value ?? (await choosePort(paths.data, reach.value.host, environment))
  await ensureDashboard((line) => process.stderr.write(`${line}\n`))
  const databaseUrl = options.databaseUrl ?? nonEmpty(environment.DATABASE_URL)
  const opened = await open(paths.data, databaseUrl, resolved.value.settings.durability)
  if (!opened.ok) return opened
  const store = opened.value
  try {
    const sandbox = await findSandbox()
    const pinned = await openPinned({ store, read, now: Date.now, ...asking(terminal) })
    if (!pinned.ok) return await closing(store, pinned)
    const log = createLog({ level: level.value, ...logTo(terminal) })
    logWaiting(log, pinned.value.waiting())
    const notRead = (fault: unknown) =>
      log.warn({ err: fault }, 'the configuration could not be reloaded')
    const serving = await serve({
      store,
      settings: runtimeSettings(pinned.value, paths, missingSandbox(sandbox)),
      sandbox,
      data: paths.data,
      port: chosen.port,
      ...reach.value,
      owner: userName(),
      version,
      pages: readPageFiles(dashboardFolder),
      routes: projectRoutes({
        pinned: pinned.value,
        afterAccept: async (runtime) => {
          await saveConfigured(runtime, pinned.value.current().definitions)
          return peopleWarnings(pinned.value, environment)
        },
        facts: {
          version,
          project: paths.project,
          data: paths.data,
          store: databaseUrl === undefined ? 'sqlite' : 'postgres',
          started_at: Date.now(),
          sandbox,
        },
      }),
      log,
      environment,
      gateway: gatewayOptions(pinned.value, paths),
      mail: mailService(pinned.value, environment),
      oidc: oidcSettings(pinned.value, environment),
      notify: notifySettings(pinned.value, environment, {
        project: paths.project,
        onUnaccepted: () => void pinned.value.reload().catch(notRead),
      }),
      ...(databaseUrl === undefined
        ? {}
        : {
            databaseUrl,
            sharesStore: true,
            followConfig: () => pinned.value.follow(),
            node: `${hostname()}:${chosen.port}`,
          }),
    })
    if (!serving.ok)
      return await closing(store, err(named(serving.error, chosen.port, environment)))
    const saved = await saveConfigured(serving.value.runtime, pinned.value.current().definitions)
    if (!saved.ok) {
      await serving.value.close()
      return await closing(store, saved)
    }
    const { unknown } = resolved.value
    const noSandbox =
      pinned.value.current().sandbox === 'off'
        ? null
        : (missingSandbox(sandbox) ?? weakerSandbox(sandbox))
    return ok(
      running({
        serving: serving.value,
        store,
        paths,
        pinned: pinned.value,
        unknown,
        database: databaseUrl === undefined ? undefined : withoutLogin(databaseUrl),
        publicUrl: reach.value.publicUrls?.[0]?.replace(/\/$/, ''),
        warnings: [
          ...(chosen.warning === undefined ? [] : [chosen.warning]),
          ...(noSandbox === null ? [] : [noSandbox]),
          ...peopleWarnings(pinned.value, environment),
        ],
        announcedIn: [paths.data, dataFolder(paths.project, environment, undefined)],
        isPortChosen: port.value === undefined,
      }),
    )
  } catch (fault) {
    if (fault instanceof StoreFault) return closing(store, err(storeProblem(fault)))
    throw fault
  }
}

function running(options: {
  readonly serving: Serving
  readonly store: Store
  readonly paths: OwnPaths
  readonly pinned: PinnedConfig
  readonly unknown: readonly string[]
  /** Why commands run without a sandbox, and what cannot be sent to people. */
  readonly warnings: readonly string[]
  /** Folders in which commands look: the data, and where they would be had nobody moved them. */
  readonly announcedIn: readonly string[]
  readonly isPortChosen: boolean
  readonly database: string | undefined
  readonly publicUrl: string | undefined
}): Running {
  const { serving, store, paths, pinned, unknown } = options
  const url = serving.url.replace(/\/$/, '')
  for (const folder of options.announcedIn) {
    announceServer(folder, { url, pid: process.pid, project: paths.project })
  }
  if (options.isPortChosen) keepPort(paths.data, url)
  return {
    serving,
    url,
    data: paths.data,
    ...(options.database === undefined ? {} : { database: options.database }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    project: paths.project,
    pinned,
    warnings: [
      ...warningsOf(paths, pinned),
      ...unknown.map((name) => `${name} is not a known setting and has no effect.`),
      ...options.warnings,
    ],
    stop: async () => {
      for (const folder of options.announcedIn) withdrawServer(folder, process.pid)
      await serving.close()
      await store.close()
    },
  }
}

function warningsOf({ data, project }: OwnPaths, pinned: PinnedConfig): string[] {
  const warnings: string[] = []
  if (isInside(realOf(data), project)) {
    warnings.push(`The data is inside the project, where "git clean" may delete it: ${data}`)
  }
  const waiting = pinned.waiting()
  if (waiting !== null) warnings.push(waitingSentence(waiting))
  return warnings
}

function flagsOf({ strict, mode, durability, workflow }: UpOptions): Config {
  return {
    ...(strict === undefined ? {} : { strict }),
    ...(mode === undefined ? {} : { mode }),
    ...(durability === undefined ? {} : { durability }),
    ...(workflow === undefined ? {} : { workflow }),
  }
}

/** The port that was asked for; undefined when nobody did. */
function portOf(
  { port }: UpOptions,
  environment: Environment,
): Result<ChosenPort | undefined, Problem> {
  if (port !== undefined) return ok({ port })
  const text = nonEmpty(environment.STATEWRIGHT_PORT)
  if (text === undefined) return ok(undefined)
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return ok({ port: Number(text) })
  return err({
    code: 'config_invalid',
    message: 'STATEWRIGHT_PORT is not a port: use a whole number from 0 to 65535.',
    where: 'the environment',
    next: 'give it another value or unset it.',
  })
}

/** A port that is taken is taken by somebody, whom the person may know. */
function named(problem: Problem, port: number, environment: Environment): Problem {
  if (problem.code !== 'port_unusable') return problem
  const message = `Port ${port} is in use by ${userOf(port, environment)}.`
  return { ...problem, message: problem.message.includes('EADDRINUSE') ? message : problem.message }
}

function asking({ askFirst }: Terminal): Pick<Terminal, 'askFirst'> {
  return askFirst === undefined ? {} : { askFirst }
}

function logTo({ logLine }: Terminal): { destination?: ReturnType<typeof logLines> } {
  return logLine === undefined ? {} : { destination: logLines(logLine) }
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[]

function levelOf(environment: Environment): Result<LogLevel, Problem> {
  const text = nonEmpty(environment.STATEWRIGHT_LOG_LEVEL) ?? 'info'
  const level = levels.find((one) => one === text)
  if (level !== undefined) return ok(level)
  return err({
    code: 'config_invalid',
    message: `STATEWRIGHT_LOG_LEVEL is not one of ${levels.join(', ')}.`,
    where: 'the environment',
    next: 'give it another value or unset it.',
  })
}

async function open(
  folder: string,
  databaseUrl: string | undefined,
  durability: 'crash' | 'power',
): Promise<Result<Store, Problem>> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return ok(await openStore({ folder, databaseUrl, durability }))
  } catch (fault) {
    return err(fault instanceof StoreFault ? storeProblem(fault) : folderProblem(folder, fault))
  }
}

/** Host and name of a database; an address may also be a list of hosts, which is no URL. */
function withoutLogin(databaseUrl: string): string {
  return databaseUrl.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').replace(/\?.*$/, '')
}

function storeProblem({ message, where, next }: StoreFault): Problem {
  return { code: 'store_unavailable', message, where, next }
}

function folderProblem(folder: string, fault: unknown): Problem {
  const why = fault instanceof Error ? fault.message : String(fault)
  return {
    code: 'store_unavailable',
    message: `The data folder cannot be used (${why}).`,
    where: folder,
    next: 'name another with --data, or make this one writable.',
  }
}

async function closing<Fault extends Result<never, Problem> | Result<unknown, Problem>>(
  store: Store,
  fault: Fault,
): Promise<Fault> {
  await store.close()
  return fault
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
