import { type ExternalAnswer, phrase } from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { RunRow } from '../../store/store.ts'
import type { Runtime } from '../runtime.ts'

/**
 * A process that ended blocked holds its client session; where it had none, it holds the token, or
 * the agent would go on under the next run it starts (PR-4).
 */
export async function blockOfToken(
  { sessions }: Pick<Runtime, 'sessions'>,
  caller: Caller,
  run: Pick<RunRow, 'runId' | 'owner' | 'createdAt'>,
): Promise<ExternalAnswer | null> {
  if (caller.kind === 'person') return null
  const block = await sessions.blockOf(caller.tokenId)
  if (block === undefined || block.runId === run.runId) return null
  // What a person started since then is the person's word on how to go on.
  if (run.owner.startsWith('person') && run.createdAt >= block.since) return null
  const message = phrase('run_blocked_token', { process: block.workflow })
  return {
    source: 'blocked_process',
    kind: 'deny',
    reasons: [{ code: 'run_blocked', message, path: '' }],
  }
}

export function blockedProblem(workflow: string): RuntimeProblem {
  const message = `The process ${workflow} ended as blocked, so nothing new may be started.`
  return problem('run_blocked', message, { next: 'ask a person to start another run.' })
}
