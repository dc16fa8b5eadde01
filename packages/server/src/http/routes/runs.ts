import { defined, stableText } from '@statewright/core/internal'
import { type BodyOf, endpoints } from '@statewright/core/wire'
import { sessionKey } from '../../base/caller.ts'
import { canaryWorkflow } from '../../clients/canary.ts'
import { findRun } from '../../runtime/runs/find-run.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { seenBy, seesRun, workFolder } from '../../runtime/runs/scope.ts'
import { loadableByAgents, startRun } from '../../runtime/runs/start-run.ts'
import type { RunRow } from '../../store/store.ts'
import { demandProof } from '../pipeline/proof.ts'
import { problemReply, refuse } from '../pipeline/reply.ts'
import { type Route, type ServerDependencies, serve } from '../pipeline/route.ts'
import { runRef, wireRun } from './wire.ts'

const { listRuns, startRun: startRow, getRun } = endpoints

export const runRoutes: readonly Route[] = [
  serve(listRuns, async ({ server, caller, query }, reply) => {
    const { session, ids, workflow, ...filter } = query
    if (ids !== undefined) {
      const found = await Promise.all(ids.map((run) => server.runtime.live.get(run)))
      const rows = found.flatMap((live) =>
        live !== undefined && seesRun(caller, live.row) ? [live.row] : [],
      )
      return reply(200, { runs: await listed(server, rows), next: null })
    }
    const page = await server.runtime.store.runs.list({
      ...defined(filter),
      ...(workflow === undefined ? { without: canaryWorkflow.id } : { workflow }),
      ...(session === undefined ? {} : { session: sessionKey(caller, session) }),
      ...seenBy(caller),
    })
    return reply(200, { runs: await listed(server, page.runs), next: page.next })
  }),

  serve(startRow, async (call, reply) => {
    const { server, caller, body } = call
    const { agent, ...request } = body
    if ((body.workflow ?? body.process ?? body.definition) === undefined) {
      const next = 'name a "workflow" or a "process".'
      return refuse('usage', 'The request does not say what to run.', { where: 'workflow', next })
    }
    const isFree = isAccepted(body, loadableByAgents(server.runtime.settings))
    const refused = isFree ? undefined : await demandProof(call, 'start')
    if (refused !== undefined) return refused
    const workspace = await workFolder(server.runtime, caller, body.workspace)
    if (!workspace.ok) return problemReply(workspace.error)
    const handed = caller.kind === 'person' ? agent : undefined
    const known = handed === undefined || (await isAgent(server, handed))
    if (!known) return refuse('unknown_token', 'No agent has this token.', { where: 'agent' })
    const wanted = { ...request, workspace: workspace.value, agent: handed }
    const started = await startRun(server.runtime, caller, defined(wanted))
    if (!started.ok) return problemReply(started.error)
    const { live, resumed, warnings } = started.value
    return reply(201, { ...viewRun(live, caller), resumed, warnings })
  }),

  serve(getRun, async ({ server, caller, params, query }, reply) => {
    const found = await findRun(server.runtime, caller, runRef(params.id))
    if (!found.ok) return problemReply(found.error)
    const { branch } = query
    const known = found.value.snapshot.fork?.branches.map(({ name }) => name) ?? []
    if (branch !== undefined && !known.includes(branch)) {
      const next =
        known.length === 0 ? 'the run has no fork now.' : `take one of: ${known.join(', ')}.`
      return refuse('unknown_branch', `There is no branch "${branch.slice(0, 100)}".`, { next })
    }
    return reply(200, viewRun(found.value, caller, branch))
  }),
]

/** With the name of the agent that a run was handed to, or that started it. */
async function listed({ auth }: ServerDependencies, rows: readonly RunRow[]) {
  const tokens = (await auth.tokens.list()).filter(({ kind }) => kind === 'agent')
  const names = new Map(tokens.map(({ tokenId, name }) => [tokenId, name]))
  return rows.map((row) => ({ ...wireRun(row), agent_name: names.get(row.agent ?? row.owner) }))
}

/**
 * What was saved was accepted by somebody, and what "doctor" tries the hooks with is ours. An older
 * version was replaced by somebody, and a run that is given to a session or to an agent takes the
 * place of the one that holds it: both let an agent do more (PE-2). So does a run for nobody, which
 * any agent takes up that has its id, where agents could not have started it, or not with its data.
 */
function isAccepted(
  { definition, version, session, agent, task, context, ...named }: BodyOf<typeof startRow>,
  loadable: readonly string[] | null,
): boolean {
  const isOurs = stableText(definition ?? null) === stableText(canaryWorkflow)
  if (isOurs) return true
  const data = loadable === null ? undefined : context
  const chosen = [definition, version, session, agent, task, data]
  const name = named.workflow ?? named.process ?? ''
  const isLoadable = loadable === null || loadable.includes(name)
  return isLoadable && chosen.every((one) => one === undefined)
}

async function isAgent({ auth }: ServerDependencies, tokenId: string): Promise<boolean> {
  const rows = await auth.tokens.list()
  return rows.some((row) => row.tokenId === tokenId && row.kind === 'agent')
}
