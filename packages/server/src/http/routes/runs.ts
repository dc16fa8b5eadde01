import { type RunStatus, stableText } from '@statewright/core'
import { z } from 'zod'
import { canaryWorkflow } from '../../clients/canary.ts'
import { sessionKey } from '../../runtime/caller.ts'
import { findRun } from '../../runtime/find-run.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { viewRun } from '../../runtime/runtime.ts'
import { seenBy, seesRun } from '../../runtime/scope.ts'
import { type StartRequest, startRun } from '../../runtime/start-run.ts'
import type { RunFilter, RunRow } from '../../store/store.ts'
import { demandProof } from '../door/proof.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route, type ServerParts } from '../door/route.ts'
import { countIn, Data, Id, RunShape, SessionId } from './shapes.ts'
import { runRef, wireRun } from './wire.ts'

const statuses = [
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'blocked',
  'stopped',
] as const satisfies readonly RunStatus[]

const List = z.object({
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(statuses)).max(statuses.length))
    .optional()
    .describe('One or several, with commas.'),
  workflow: Id.optional(),
  project: z.string().max(4096).optional(),
  session: SessionId.optional(),
  ids: z
    .string()
    .max(20_000)
    .transform((text) => text.split(','))
    .pipe(z.array(Id).max(100))
    .optional()
    .describe('Only these runs, with commas; other filters do not count then.'),
  limit: countIn(500, 50),
  cursor: z.string().max(500).optional().describe('`next` of the page before.'),
})
type List = z.infer<typeof List>

/** A name that is not known is refused: misspelt, it would leave out what was asked for. */
const Start = z.strictObject({
  workflow: Id.optional(),
  process: Id.optional(),
  version: z.int().min(1).optional().describe('Not the newest one; for people only.'),
  definition: z.unknown().optional().describe('A definition of its own; for people only.'),
  context: Data.optional(),
  session: SessionId.optional(),
  project: z.string().max(4096).optional(),
  workspace: z.string().max(4096).optional().describe('Relative paths are against it.'),
  resume: z
    .boolean()
    .optional()
    .describe('Take up the newest run that is paused or was left behind instead, if any.'),
  agent: Id.optional().describe('Id of the agent’s token that the run is handed to; by a person.'),
})
type Start = z.infer<typeof Start>

export const runRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/runs',
    who: 'agent',
    summary: 'List runs, newest first; an agent sees its own.',
    query: List,
    answers: { 200: z.object({ runs: z.array(RunShape), next: z.string().nullable() }) },
    handle: list,
  }),
  route({
    method: 'POST',
    path: '/api/runs',
    who: 'agent',
    summary: 'Start a run.',
    body: Start,
    answers: { 201: RunShape },
    handle: start,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id',
    who: 'agent',
    summary: 'Where a run, or one branch of it, stands.',
    query: z.object({ branch: Id.optional() }),
    answers: { 200: RunShape },
    handle: async (call) => {
      const found = await findRun(call.parts.runtime, call.caller, runRef(call.params.id ?? ''))
      if (!found.ok) return problemReply(found.error)
      return showRun(call, found.value, call.query.branch)
    },
  }),
]

async function list({ parts, caller, query }: Call<undefined, List>): Promise<Reply> {
  const { status, workflow, project, session, limit, cursor, ids } = query
  if (ids !== undefined) {
    const found = await Promise.all(ids.map((run) => parts.runtime.live.get(run)))
    const rows = found.flatMap((live) =>
      live !== undefined && seesRun(caller, live.row) ? [live.row] : [],
    )
    return json(200, { runs: await listed(parts, rows), next: null })
  }
  const filter: RunFilter = {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(workflow === undefined ? { without: canaryWorkflow.id } : { workflow }),
    ...(project === undefined ? {} : { project }),
    ...(session === undefined ? {} : { session: sessionKey(caller, session) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...seenBy(caller),
  }
  const page = await parts.runtime.store.runs.list(filter)
  return json(200, { runs: await listed(parts, page.runs), next: page.next })
}

/** With the name of the agent that a run was handed to, or that started it. */
async function listed({ auth }: ServerParts, rows: readonly RunRow[]) {
  const tokens = (await auth.tokens.list()).filter(({ kind }) => kind === 'agent')
  const names = new Map(tokens.map(({ tokenId, name }) => [tokenId, name]))
  return rows.map((row) => {
    const name = names.get(row.agent ?? row.owner)
    return { ...wireRun(row), ...(name === undefined ? {} : { agent_name: name }) }
  })
}

async function start(call: Call<Start, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  if ((body.workflow ?? body.process ?? body.definition) === undefined) {
    const next = 'name a "workflow" or a "process".'
    return refuse('usage', 'The request does not say what to run.', { where: 'workflow', next })
  }
  const refused = isAccepted(body) ? undefined : await demandProof(call, 'start')
  if (refused !== undefined) return refused
  const handed = caller.kind === 'person' ? body.agent : undefined
  const known = handed === undefined || (await isAgent(parts, handed))
  if (!known) return refuse('unknown_token', 'No agent has this token.', { where: 'agent' })
  const started = await startRun(parts.runtime, caller, {
    ...startRequest(body),
    ...(handed === undefined ? {} : { agent: handed }),
  })
  if (!started.ok) return problemReply(started.error)
  const { live, resumed, warnings } = started.value
  const told = warnings === undefined ? {} : { warnings }
  return json(201, { ...viewRun(live, caller), resumed, ...told })
}

/** What was saved was accepted by somebody, and what "doctor" tries the hooks with is ours. */
function isAccepted({ definition }: Start): boolean {
  return definition === undefined || stableText(definition) === stableText(canaryWorkflow)
}

async function isAgent({ auth }: ServerParts, tokenId: string): Promise<boolean> {
  const rows = await auth.tokens.list()
  return rows.some((row) => row.tokenId === tokenId && row.kind === 'agent')
}

function startRequest(body: Start): StartRequest {
  const { workflow, process, version, definition, context, session, project, workspace, resume } =
    body
  return {
    ...(workflow === undefined ? {} : { workflow }),
    ...(process === undefined ? {} : { process }),
    ...(version === undefined ? {} : { version }),
    ...(definition === undefined ? {} : { definition }),
    ...(context === undefined ? {} : { context }),
    ...(session === undefined ? {} : { session }),
    ...(project === undefined ? {} : { project }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(resume === undefined ? {} : { resume }),
  }
}

export function showRun(
  { caller }: Pick<Call<unknown, unknown>, 'caller'>,
  live: LiveRun,
  branch?: string,
): Reply {
  const known = live.snapshot.fork?.branches.map(({ name }) => name) ?? []
  if (branch !== undefined && !known.includes(branch)) {
    const next =
      known.length === 0 ? 'the run has no fork now.' : `take one of: ${known.join(', ')}.`
    return refuse('unknown_branch', `There is no branch "${branch.slice(0, 100)}".`, { next })
  }
  return json(200, viewRun(live, caller, branch))
}
