import { defined } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { actorOf } from '../../base/caller.ts'
import { type ExplainedPolicy, explainPolicies } from '../../guard/explain.ts'
import { findRun } from '../../runtime/runs/find-run.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { runRef } from './wire.ts'

/** What the policies say of a call, without making it. */
export const explainPolicyRoutes: readonly Route[] = [
  serve(endpoints.explainPolicies, explain, { onlyReads: true }),
]

type Row = typeof endpoints.explainPolicies

async function explain(
  { server, caller, body }: CallOf<Row>,
  reply: Answering<Row>,
): Promise<Reply> {
  const { run, role, project, ...question } = body
  if ((question.capability === undefined) === (question.tool === undefined)) {
    const next = 'name a "capability" or a "tool", and not both.'
    return refuse('usage', 'The request does not say which call is meant.', { next })
  }
  if (role !== undefined && caller.kind !== 'person') {
    const next = 'leave "role" out.'
    return refuse('not_permitted', 'The role comes from the token; a request cannot set it.', {
      next,
    })
  }
  const found = run === undefined ? undefined : await findRun(server.runtime, caller, runRef(run))
  if (found?.ok === false) return problemReply(found.error)
  const live = found?.value
  const usual = caller.kind === 'person' ? (live?.row.role ?? 'agent') : caller.role
  const { settings } = server.runtime
  const folders = [settings.project, project, live?.row.project, live?.row.workspace]
  const scope = {
    role: role ?? usual,
    projects: folders.filter((folder) => typeof folder === 'string'),
  }
  const subject = { scope, by: actorOf(caller), live }
  const answer = await explainPolicies(server.runtime, defined(question), subject)
  const { decision, policies } = answer
  const loudest = loudestOf(policies.filter((one) => one.decision === decision && one.rule))
  const usage = loudest?.usage.find(({ free }) => !free) ?? loudest?.usage[0]
  const rule = loudest?.rule ? { policy: loudest.policy, ...loudest.rule } : undefined
  return reply(200, { ...answer, rule, usage, resets_at: usage?.resets_at })
}

/** The word that is shown on top: one whose limit is used up, else one that counts. */
function loudestOf(words: readonly ExplainedPolicy[]): ExplainedPolicy | undefined {
  const usedUp = words.find(({ usage }) => usage.some(({ free }) => !free))
  return usedUp ?? words.find(({ usage }) => usage.length > 0) ?? words[0]
}
