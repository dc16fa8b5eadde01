import {
  chainEntries,
  err,
  type JsonObject,
  ok,
  type Program,
  type Result,
  type RunStarted,
  type Step,
  startRun as startCoreRun,
} from '@statewright/core/internal'
import { actorOf, type Caller, sessionKey } from '../../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../../base/problem.ts'
import type { DefinitionRow, NewRun, RunRow } from '../../store/store.ts'
import { rowFacts, sha256 } from '../dispatch.ts'
import { startingDigests } from '../evidence-facts.ts'
import { emptyChain, type LiveRun } from '../live-runs.ts'
import { readDefinition } from '../programs.ts'
import { checkSource, findDefinition, invalidProblem, missingTools } from '../rules/definitions.ts'
import type { Runtime } from '../runtime.ts'
import type { RuntimeSettings } from '../settings.ts'
import { budgetFor } from './budget-of.ts'
import { handTo, openProjectsOf } from './scope.ts'
import { bindConnection, lockedElsewhere, newestLeft, takeUpRun } from './take-up-run.ts'

export interface StartRequest {
  readonly workflow?: string
  readonly process?: string
  /** Another version than the newest, for people only. */
  readonly version?: number
  /** A definition of its own, for people only. */
  readonly definition?: unknown
  readonly context?: JsonObject
  /** What a person asks for; an agent cannot say so (FC-11). */
  readonly task?: string
  readonly session?: string
  /** The MCP connection that loads it, by its key, where no session does. */
  readonly connection?: string | undefined
  readonly project?: string
  readonly workspace?: string
  /** The project is not what the agent says of itself: its client or a person named it. */
  readonly isProjectKnown?: boolean
  /** An agent's token that a person hands the run to. */
  readonly agent?: string
  /** Take up the newest run of that workflow and project that waits for its agent, if any. */
  readonly resume?: boolean
  /** Started by the configuration, not by anyone who happened to call first. */
  readonly byConfig?: boolean
  /** For a session of ours: after its end nothing runs until the next one (WF-15a). */
  readonly inSession?: boolean
}

export interface StartResult {
  readonly live: LiveRun
  readonly resumed: boolean
  /** What an author should know of the definition, as things stand here and now. */
  readonly warnings?: readonly string[]
}

/** The context and marks that it begins with, and what a person asks for, without its secrets. */
async function startFacts(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
): Promise<Pick<RunStarted, 'context' | 'task' | 'marks'>> {
  const { context, task } = request
  const marks = await marksOfSession(runtime, caller, request)
  const given = context === undefined ? marks : { ...marks, context }
  if (task === undefined || caller.kind !== 'person') return given
  return { ...given, task: (await runtime.sealings.sealing()).hide(task, '') }
}

/**
 * Marks of the run before in the same session. Its agent still knows what it read: loading a
 * workflow again must not make it forgotten. What a person starts begins again (FC-5).
 */
async function marksOfSession(
  { sessions, live }: Runtime,
  caller: Caller,
  { session }: StartRequest,
): Promise<Pick<RunStarted, 'marks'>> {
  if (session === undefined || caller.kind === 'person') return {}
  const last = await sessions.lastRun(sessionKey(caller, session))
  const before = last === undefined ? undefined : await live.get(last.runId)
  const marks = before?.snapshot.marks
  return marks === undefined ? {} : { marks }
}

/** Starts a run, or takes up a paused one. */
export async function startRun(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
): Promise<Result<StartResult, RuntimeProblem>> {
  const refused = await mayStart(runtime, caller, request)
  if (refused !== null) return err(refused)
  if (request.resume === true && request.workflow !== undefined) {
    const left = await newestLeft(runtime, caller, request)
    if (left !== undefined) return takeUpRun(runtime, caller, left, request)
  }
  const found = await programFor(runtime, caller, request)
  if (!found.ok) return found
  return begin(runtime, caller, request, found.value)
}

async function mayStart(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
): Promise<RuntimeProblem | null> {
  if (caller.kind === 'person' || request.byConfig === true) return null
  if (caller.kind === 'hook') {
    return problem('locked', 'A hook token may only ask for decisions, not start runs.')
  }
  if (request.definition !== undefined) {
    return problem('locked', 'Only a person may start a definition that was not saved.')
  }
  // An older version may allow what was taken away since.
  if (request.version !== undefined) {
    return problem('locked', 'Only a person may start a version other than the newest.')
  }
  const allowed = loadableByAgents(runtime.settings)
  const name = request.workflow ?? request.process ?? ''
  if (allowed !== null && !allowed.includes(name)) {
    const listed = allowed.join(', ') || 'none'
    const next = `let a person add ${name} to agent_may_load in statewright.yaml (now ${listed}).`
    return problem('locked', `An agent may not load ${name} by itself.`, { next })
  }
  return lockedElsewhere(runtime, caller, request)
}

/** Names of what agents may start by themselves; null where they may start anything. */
export function loadableByAgents({
  agentMayLoad,
  strict,
}: Pick<RuntimeSettings, 'agentMayLoad' | 'strict'>): readonly string[] | null {
  return agentMayLoad ?? (strict ? [] : null)
}

interface StartableProgram {
  readonly program: Program
  readonly row: DefinitionRow | null
}

async function programFor(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
): Promise<Result<StartableProgram, RuntimeProblem>> {
  if (request.definition !== undefined) {
    const { definition, findings } = await checkSource(runtime, request.definition)
    if (definition === undefined) return err(invalidProblem(findings))
    const program = await runtime.programs.compile(definition)
    return program.ok ? ok({ program: program.value, row: null }) : program
  }
  const kind = request.process === undefined ? undefined : 'process'
  const name = request.workflow ?? request.process
  if (name === undefined) {
    const next = 'name one under "workflow" or "process".'
    return err(problem('usage', 'The request does not say what to run.', { next }))
  }
  const newest = await findDefinition(runtime, name, kind)
  if (newest === undefined) {
    const next = 'list them with `statewright workflow list`.'
    return err(problem('unknown_workflow', `No definition is called "${name}".`, { next }))
  }
  const { version = newest.version } = request
  const row =
    version === newest.version ? newest : await runtime.store.definitions.version(name, version)
  if (row === undefined) {
    const next = `its newest version is ${newest.version}.`
    return err(problem('unknown_workflow', `${name} has no version ${version}.`, { next }))
  }
  const isForAgent =
    caller.kind === 'agent' && request.byConfig !== true && !runtime.settings.strict
  if (row.draft && !isForAgent) {
    const next = 'a person accepts it by saving it.'
    return err(problem('locked', `${name} is a draft that no person has accepted yet.`, { next }))
  }
  const program = await runtime.programs.compile(readDefinition(row))
  return program.ok ? ok({ program: program.value, row }) : program
}

async function begin(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
  { program, row }: StartableProgram,
): Promise<Result<StartResult, RuntimeProblem>> {
  const at = runtime.clock.now()
  const runId = runtime.clock.newId('run')
  const locked = isLocked(caller, request, program)
  const digests =
    request.workspace === undefined ? undefined : startingDigests(program, request.workspace)
  const { session } = request
  const budgetOf = await budgetFor(runtime, caller, { runId, workflow: program.root.id, session })
  const event: RunStarted = {
    type: 'started',
    at,
    by: actorOf(caller),
    hash: program.hash,
    locked,
    strict: runtime.settings.strict,
    ...(request.inSession === true || caller.session !== undefined ? { inSession: true } : {}),
    budgetOf,
    ...(await startFacts(runtime, caller, request)),
    ...(digests === undefined ? {} : { digests }),
  }
  const step = startCoreRun(program, event)
  if (step.refusal !== undefined) return err(refusalProblem(step.refusal))
  const version = row?.version ?? null
  const created = newRun(caller, request, { runId, program, version, locked, createdAt: at })
  const live = await create(runtime, created, program, { step, at })
  runtime.sessions.forget(created.session)
  if (caller.kind === 'person') runtime.sessions.forgetBlocks()
  runtime.published(live, step.entries)
  const bound = await bind(runtime, caller, request, live)
  const warnings = row === null ? [] : missingTools(runtime, row)
  return ok({ live: bound, resumed: false, ...(warnings.length === 0 ? {} : { warnings }) })
}

function newRun(
  caller: Caller,
  request: StartRequest,
  {
    program,
    ...facts
  }: Pick<NewRun, 'runId' | 'version' | 'locked' | 'createdAt'> & { readonly program: Program },
): NewRun {
  return {
    ...facts,
    workflow: program.root.id,
    kind: program.root.kind,
    hash: program.hash,
    project: request.project ?? null,
    workspace: request.workspace ?? null,
    session: request.session === undefined ? null : sessionKey(caller, request.session),
    owner: caller.tokenId,
    role: caller.role,
    client: caller.client ?? null,
  }
}

/** Stores the run with its first entries; from then on it is live. */
async function create(
  runtime: Runtime,
  created: NewRun,
  program: Program,
  { step, at }: { readonly step: Step; readonly at: number },
): Promise<LiveRun> {
  const entries = chainEntries(emptyChain(created.runId), step.entries, sha256)
  const facts = rowFacts({ calls: 0, denials: 0 }, step, at)
  const { run: snapshot } = step
  await runtime.store.runs.create(created, { afterSeq: 0, entries, snapshot, row: facts })
  const last = entries.at(-1)
  const row: RunRow = {
    ...created,
    ...facts,
    passed: 0,
    unguarded: false,
    seq: last?.seq ?? 0,
    chain: last?.hash ?? '',
    agent: null,
    connection: null,
  }
  const live: LiveRun = { row, program, snapshot, sinceSnapshot: 0 }
  runtime.live.put(live)
  return live
}

/** What the run is bound to beside its session: a connection, an agent, the project's notebook. */
async function bind(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
  live: LiveRun,
): Promise<LiveRun> {
  if (request.byConfig === true || request.isProjectKnown === true || caller.kind === 'hook') {
    await openProjectsOf(runtime, caller.tokenId, live.row)
  }
  const { agent, connection } = request
  const handed = agent === undefined ? live : await handTo(runtime, agent, live)
  return connection === undefined ? (handed ?? live) : bindConnection(runtime, live, connection)
}

/** Runs that a person or the configuration started are locked, unless the author says otherwise. */
function isLocked(caller: Caller, request: StartRequest, program: Program): boolean {
  const { locked } = program.root.meta
  if (locked !== undefined) return locked
  return caller.kind === 'person' || request.byConfig === true
}
