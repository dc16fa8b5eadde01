import { checkPolicyText, err, ok, type Result } from '@statewright/core/internal'
import { endpoints, type Replay } from '@statewright/core/wire'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { ReplayJob, Replays } from '../../replays/replays.ts'
import type { TriedRules } from '../../replays/request.ts'
import { wireReport } from '../../replays/wire-report.ts'
import { checkSource, invalidProblem, nameOf } from '../../runtime/rules/definitions.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'

/** Rules tried on past runs. */
export function replayRoutes(replays: Replays): readonly Route[] {
  const unknown = (id: string): Reply =>
    refuse('not_found', `No replay is called "${id.slice(0, 100)}".`, {
      next: 'start another one: replays are forgotten when the server stops.',
    })
  return [
    serve(
      endpoints.startReplay,
      async (call, reply) => {
        const rules = await triedRules(call)
        if (!rules.ok) return problemReply(rules.error)
        const { since = null, workflow = null, project = null, reanalyse = false } = call.body
        const ownProject = call.server.runtime.settings.project
        const chosen = { since, workflow, project, ownProject, reanalyse }
        // The thread that plays them reads the database beside the server.
        await call.server.runtime.store.settle()
        const started = replays.start({ rules: rules.value, ...chosen })
        return started.ok ? reply(202, wireReplay(started.value)) : problemReply(started.error)
      },
      { onlyReads: true },
    ),
    serve(endpoints.getReplay, ({ params }, reply) => {
      const job = replays.get(params.id)
      return job === undefined ? unknown(params.id) : reply(200, wireReplay(job))
    }),
    serve(
      endpoints.cancelReplay,
      async ({ params }, reply) => {
        const job = await replays.cancel(params.id)
        return job === undefined ? unknown(params.id) : reply(200, wireReplay(job))
      },
      { onlyReads: true },
    ),
  ]
}

/** What is to be tried, checked as saving it would check it. */
async function triedRules({
  server,
  body,
}: CallOf<typeof endpoints.startReplay>): Promise<Result<TriedRules, RuntimeProblem>> {
  const { definition: text, policy, name, policy_project: project } = body
  if ((text === undefined) === (policy === undefined)) {
    const next = 'name a "definition" or a "policy", and not both.'
    return err(problem('usage', 'The request does not say which rules to try.', { next }))
  }
  if (text === undefined) {
    if (name === undefined) {
      const next = 'add the "name" of the policy that it replaces.'
      return err(problem('usage', 'The policy has no "name".', { where: 'name', next }))
    }
    const checked = checkPolicyText(JSON.stringify(policy))
    if (checked.definition === undefined) return err(invalidProblem(checked.findings))
    return ok({ kind: 'policy', name, project: project ?? null, policy: checked.definition })
  }
  const { definition, findings } = await checkSource(server.runtime, text)
  if (definition === undefined) return err(invalidProblem(findings))
  const program = await server.runtime.programs.textOf(definition)
  if (!program.ok) return program
  return ok({ kind: 'definition', name: nameOf(definition), program: program.value })
}

function wireReplay(job: ReplayJob): Replay {
  const { id, startedAt, status, progress, report, problem: fault } = job
  return {
    replay_id: id,
    status,
    ...progress,
    started_at: startedAt,
    ...(report === undefined ? {} : { report: wireReport(report) }),
    ...(fault === undefined ? {} : { problem: wireProblem(fault) }),
  }
}

function wireProblem({ code, message, next }: RuntimeProblem): NonNullable<Replay['problem']> {
  return { code, message, ...(next === undefined ? {} : { next }) }
}
