import { existsSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { defined, err, ok, type Problem, type Result } from '@statewright/core/internal'
import { openPinned, type PinnedConfig, type Waiting } from '../config/pinned.ts'
import { type OwnPaths, ownPaths, resolveConfig } from '../config/resolve.ts'
import { runtimeSettings } from '../config/runtime-settings.ts'
import type { Config } from '../config/schema.ts'
import { announceServer, withdrawServer } from '../home/discovery.ts'
import {
  dataFolder,
  type Environment,
  isInside,
  projectConfigFile,
  realOf,
} from '../home/folders.ts'
import { readPageFiles } from '../http/page-files.ts'
import type { Route } from '../http/pipeline/route.ts'
import { projectRoutes } from '../http/routes/route-table.ts'
import { logLines } from '../observe/log-lines.ts'
import { createLog, type Log, type LogLevel } from '../observe/logger.ts'
import {
  findSandbox,
  missingSandbox,
  type SandboxFound,
  weakerSandbox,
} from '../sandbox/find-sandbox.ts'
import { openStore } from '../store/open.ts'
import { type LostWrites, type Store, StoreFault } from '../store/store.ts'
import { type ChosenPort, choosePort, keepPort, userOf } from './choose-port.ts'
import { dashboardFolder, ensureDashboard } from './dashboard-build.ts'
import { gatewayOptions } from './gateway-options.ts'
import { mailService, notifySettings, oidcSettings, peopleWarnings } from './people-options.ts'
import { type Reach, reachOf } from './reach.ts'
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
    const pinned = await openPinned({ store, read, now: Date.now, ...asking(terminal) })
    if (!pinned.ok) return await closing(store, pinned)
    const log = createLog({ level: level.value, ...logTo(terminal) })
    logWaiting(log, pinned.value.waiting())
    if (store.lost !== undefined) log.warn(store.lost, lostSentence(store.lost))
    const sandbox = await findSandbox()
    const reached = { ...reach.value, port: chosen.port, databaseUrl }
    const project = { pinned: pinned.value, paths, environment, store, log, sandbox }
    const serving = await serveProject(project, reached)
    if (!serving.ok) return await closing(store, serving)
    return ok(
      running(project, reached, {
        serving: serving.value,
        unknown: resolved.value.unknown,
        portWarning: chosen.warning,
        isPortChosen: port.value === undefined,
      }),
    )
  } catch (fault) {
    if (fault instanceof StoreFault) return closing(store, err(storeProblem(fault)))
    throw fault
  }
}

/** What a server is started for: a project with its settings, its data and this machine. */
interface Project {
  readonly pinned: PinnedConfig
  readonly paths: OwnPaths
  readonly environment: Environment
  readonly store: Store
  readonly log: Log
  readonly sandbox: SandboxFound
}

interface ServerAddress extends Reach {
  readonly port: number
  readonly databaseUrl: string | undefined
}

/** Serves, with the definitions saved that the configuration names. */
async function serveProject(
  project: Project,
  { databaseUrl, port, ...reach }: ServerAddress,
): Promise<Result<Serving, Problem>> {
  const { pinned, paths, environment, store, log, sandbox } = project
  const notRead = (fault: unknown) =>
    log.warn({ err: fault }, 'the configuration could not be reloaded')
  const serving = await serve({
    store,
    settings: runtimeSettings(pinned, paths, missingSandbox(sandbox)),
    sandbox,
    data: paths.data,
    port,
    ...reach,
    owner: userName(),
    version,
    pages: readPageFiles(dashboardFolder),
    routes: routesOf(project, databaseUrl === undefined ? 'sqlite' : 'postgres'),
    log,
    environment,
    gateway: gatewayOptions(pinned, paths),
    mail: mailService(pinned, environment),
    oidc: oidcSettings(pinned, environment),
    notify: notifySettings(pinned, environment, {
      project: paths.project,
      onUnaccepted: () => void pinned.reload().catch(notRead),
    }),
    ...(databaseUrl === undefined
      ? {}
      : {
          databaseUrl,
          sharesStore: true,
          followConfig: () => pinned.follow(),
          node: `${hostname()}:${port}`,
        }),
  })
  if (!serving.ok) return err(named(serving.error, port, environment))
  const saved = await saveConfigured(serving.value.runtime, pinned.current().definitions)
  if (saved.ok) return serving
  await serving.value.close()
  return saved
}

/** Routes that only a server with a project has. */
function routesOf(
  { pinned, paths, environment, sandbox }: Project,
  store: 'sqlite' | 'postgres',
): readonly Route[] {
  return projectRoutes({
    pinned,
    afterAccept: async (runtime) => {
      await saveConfigured(runtime, pinned.current().definitions)
      return peopleWarnings(pinned, environment)
    },
    facts: {
      version,
      project: paths.project,
      data: paths.data,
      store,
      started_at: Date.now(),
      sandbox,
    },
  })
}

function running(
  { pinned, paths, environment, store, sandbox }: Project,
  { databaseUrl, publicUrls }: ServerAddress,
  started: {
    readonly serving: Serving
    /** Names of settings that nobody knows. */
    readonly unknown: readonly string[]
    readonly portWarning: string | undefined
    readonly isPortChosen: boolean
  },
): Running {
  const { serving, unknown, portWarning, isPortChosen } = started
  const { data, project } = paths
  const url = serving.url.replace(/\/$/, '')
  // Folders in which commands look: the data, and where they would be had nobody moved them.
  const announcedIn = [data, dataFolder(project, environment, undefined)]
  for (const folder of announcedIn) announceServer(folder, { url, pid: process.pid, project })
  if (isPortChosen) keepPort(data, url)
  const isCaged = pinned.current().sandbox !== 'off'
  const noSandbox = isCaged ? (missingSandbox(sandbox) ?? weakerSandbox(sandbox)) : null
  return {
    serving,
    url,
    data,
    ...defined({
      database: databaseUrl && withoutLogin(databaseUrl),
      publicUrl: publicUrls?.[0]?.replace(/\/$/, ''),
    }),
    project,
    pinned,
    warnings: [
      ...warningsOf(paths, pinned),
      ...(store.lost === undefined ? [] : [lostSentence(store.lost)]),
      ...unknown.map((name) => `${name} is not a known setting and has no effect.`),
      ...(portWarning === undefined ? [] : [portWarning]),
      ...(noSandbox === null ? [] : [noSandbox]),
      ...peopleWarnings(pinned, environment),
    ],
    stop: async () => {
      for (const folder of announcedIn) withdrawServer(folder, process.pid)
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
  if (waiting !== null) {
    if (!existsSync(projectConfigFile(project))) {
      warnings.push(`There is no statewright.yaml in ${project}: was it moved or removed?`)
    }
    warnings.push(waitingSentence(waiting))
  }
  return warnings
}

function lostSentence({ count, copy }: LostWrites): string {
  const [what, they] =
    count === 1 ? ['an answered decision', 'It is'] : [`${count} answered decisions`, 'They are']
  return (
    `The machine stopped, as in a power failure, before ${what} reached the disk. ` +
    `${they} missing from the histories; a copy is in ${copy}. ` +
    'With "durability: power" in the configuration none is lost.'
  )
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
