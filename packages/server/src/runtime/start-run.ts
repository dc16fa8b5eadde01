import {
  chainEntries,
  err,
  hasEnded,
  type JsonObject,
  ok,
  type Program,
  phrase,
  type Result,
  type RunStarted,
  startRun as startCoreRun,
} from '@statewright/core'
import type { DefinitionRow, NewRun, RunRow } from '../store/store.ts'
import { blockedProblem } from './blocked.ts'
import { actorOf, type Caller, sessionKey } from './caller.ts'
import { checkSource, findDefinition, invalidProblem } from './definitions.ts'
import { dispatch, rowFacts, sha256 } from './dispatch.ts'
import { startingDigests } from './evidence-facts.ts'
import { activeOfSession } from './find-run.ts'
import { emptyChain, type LiveRun } from './live-runs.ts'
import type { RuntimeParts } from './parts.ts'
import { problem, type RuntimeProblem, refusalProblem } from './problem.ts'
import { readDefinition } from './programs.ts'

export interface StartRequest {
  readonly workflow?: string
  readonly process?: string
  /** A definition of its own, for people only. */
  readonly definition?: unknown
  readonly context?: JsonObject
  readonly session?: string
  readonly project?: string
  readonly workspace?: string
  /** Take up the newest paused run of that workflow and project, if there is one. */
  readonly resume?: boolean
  /** Started by the configuration, not by whoever happened to call first. */
  readonly byConfig?: boolean
}

export interface Started {
  readonly live: LiveRun
  readonly resumed: boolean
}

/** Starts a run, or takes up a paused one. */
export async function startRun(
  parts: RuntimeParts,
  caller: Caller,
  request: StartRequest,
): Promise<Result<Started, RuntimeProblem>> {
  const refused = await mayStart(parts, caller, request)
  if (refused !== null) return err(refused)
  if (request.resume === true && request.workflow !== undefined) {
    const resumed = await resumePaused(parts, caller, request)
    if (resumed !== undefined) return resumed
  }
  const found = await programFor(parts, caller, request)
  if (!found.ok) return found
  return begin(parts, caller, request, found.value)
}

async function mayStart(
  parts: RuntimeParts,
  caller: Caller,
  request: StartRequest,
): Promise<RuntimeProblem | null> {
  if (caller.kind === 'person' || request.byConfig === true) return null
  if (caller.kind === 'hook') {
    return problem('locked', 'A hook token may ask for judgement, not start runs.')
  }
  if (request.definition !== undefined) {
    return problem('locked', 'Only a person may start a definition that was not saved.')
  }
  const { agentMayLoad, strict } = parts.settings
  const allowed = agentMayLoad ?? (strict ? [] : null)
  const name = request.workflow ?? request.process ?? ''
  if (allowed !== null && !allowed.includes(name)) {
    const next = `a person may list it under agent_may_load: ${allowed.join(', ') || 'none yet'}.`
    return problem('locked', `An agent may not load ${name} by itself.`, { next })
  }
  const block = await parts.sessions.blockOf(caller.tokenId)
  if (block !== undefined) return blockedProblem(block.workflow)
  if (request.session === undefined) return null
  const active = await activeOfSession(parts, caller, request.session)
  if (active?.snapshot.status === 'blocked') return blockedProblem(active.row.workflow)
  if (active === undefined || hasEnded(active.snapshot.status)) return null
  if (!active.snapshot.settings.locked) return null
  const message = `The session is held by a locked run of ${active.row.workflow}.`
  return problem('locked', message, { next: 'ask a person to stop it or to start another.' })
}

interface Found {
  readonly program: Program
  readonly row: DefinitionRow | null
}

async function programFor(
  parts: RuntimeParts,
  caller: Caller,
  request: StartRequest,
): Promise<Result<Found, RuntimeProblem>> {
  if (request.definition !== undefined) {
    const { definition, findings } = await checkSource(parts, request.definition)
    if (definition === undefined) return err(invalidProblem(findings))
    const program = await parts.programs.compile(definition)
    return program.ok ? ok({ program: program.value, row: null }) : program
  }
  const kind = request.process === undefined ? undefined : 'process'
  const name = request.workflow ?? request.process
  if (name === undefined) {
    const next = 'name one under "workflow" or "process".'
    return err(problem('usage', 'The request does not say what to run.', { next }))
  }
  const row = await findDefinition(parts, name, kind)
  if (row === undefined) {
    const next = 'list them with `statewright workflow list`.'
    return err(problem('unknown_workflow', `No definition is called "${name}".`, { next }))
  }
  const isForAgent = caller.kind === 'agent' && request.byConfig !== true && !parts.settings.strict
  if (row.draft && !isForAgent) {
    const next = 'read it and save it yourself to accept it.'
    return err(problem('locked', `${name} is a draft that no person has accepted yet.`, { next }))
  }
  const program = await parts.programs.compile(readDefinition(row))
  return program.ok ? ok({ program: program.value, row }) : program
}

async function begin(
  parts: RuntimeParts,
  caller: Caller,
  request: StartRequest,
  { program, row }: Found,
): Promise<Result<Started, RuntimeProblem>> {
  const at = parts.clock.now()
  const runId = parts.clock.newId('run')
  const locked = isLocked(caller, request, program)
  const digests =
    request.workspace === undefined ? undefined : startingDigests(program, request.workspace)
  const event: RunStarted = {
    type: 'started',
    at,
    by: actorOf(caller),
    hash: program.hash,
    locked,
    strict: parts.settings.strict,
    ...(request.context === undefined ? {} : { context: request.context }),
    ...(digests === undefined ? {} : { digests }),
  }
  const step = startCoreRun(program, event)
  if (step.refusal !== undefined) return err(refusalProblem(step.refusal))
  const created: NewRun = {
    runId,
    workflow: program.root.id,
    kind: program.root.kind,
    hash: program.hash,
    version: row?.version ?? null,
    project: request.project ?? null,
    workspace: request.workspace ?? null,
    session: request.session === undefined ? null : sessionKey(caller, request.session),
    owner: caller.tokenId,
    role: caller.role,
    client: caller.client ?? null,
    locked,
    createdAt: at,
  }
  const entries = chainEntries(emptyChain(runId), step.entries, sha256)
  const facts = rowFacts({ calls: 0, denials: 0 }, step, at)
  await parts.store.runs.create(created, {
    afterSeq: 0,
    entries,
    snapshot: step.run,
    row: facts,
  })
  const last = entries[entries.length - 1]
  const full: RunRow = {
    ...created,
    ...facts,
    seq: last?.seq ?? 0,
    chain: last?.hash ?? '',
  }
  const live: LiveRun = { row: full, program, snapshot: step.run, sinceSnapshot: 0 }
  parts.live.put(live)
  parts.sessions.forget(created.session)
  if (caller.kind === 'person') parts.sessions.forgetBlocks()
  parts.published(live, step.entries)
  return ok({ live, resumed: false })
}

/** Runs that a person or the configuration started are locked, unless the author says otherwise. */
function isLocked(caller: Caller, request: StartRequest, program: Program): boolean {
  const { locked } = program.root.meta
  if (locked !== undefined) return locked
  return caller.kind === 'person' || request.byConfig === true
}

async function resumePaused(
  parts: RuntimeParts,
  caller: Caller,
  request: StartRequest,
): Promise<Result<Started, RuntimeProblem> | undefined> {
  const project = request.project ?? null
  const row = await parts.store.runs.newestPaused(request.workflow ?? '', project)
  if (row === undefined || (caller.kind !== 'person' && row.owner !== caller.tokenId)) {
    return undefined
  }
  const done = await dispatch(parts, row.runId, () => ({
    event: { type: 'resumed', at: parts.clock.now(), by: actorOf(caller) },
    baggage: { role: caller.role },
  }))
  if (done === undefined) return undefined
  if (done.step.refusal !== undefined) return err(refusalProblem(done.step.refusal))
  if (request.session === undefined) return ok({ live: done.live, resumed: true })
  return ok({ live: await takeOver(parts, caller, done.live, request.session), resumed: true })
}

/**
 * A run goes on in the client session that resumed it. What the configuration had started there
 * meanwhile ends: it is the newer one, and would speak for the session instead.
 */
async function takeOver(
  parts: RuntimeParts,
  caller: Caller,
  live: LiveRun,
  session: string,
): Promise<LiveRun> {
  const { runId } = live.row
  const key = sessionKey(caller, session)
  const other = await activeOfSession(parts, caller, session)
  if (other !== undefined && other.row.runId !== runId) {
    const reason = phrase('resumed_instead', { run: runId })
    await dispatch(parts, other.row.runId, () => ({
      event: { type: 'stopped', at: parts.clock.now(), by: actorOf(caller), reason },
      baggage: { role: caller.role },
    }))
  }
  await parts.store.runs.moveToSession(runId, key)
  parts.sessions.forget(live.row.session)
  parts.sessions.forget(key)
  const moved = { ...live, row: { ...live.row, session: key } }
  parts.live.put(moved)
  return moved
}
