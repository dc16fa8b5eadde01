import type { ArchivedRun } from '../../store/archive-store.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'

/** What was asked for is no longer here, and where it is (AR-5). */
export function archivedReply({ runId, seq, node, file, archivedAt }: ArchivedRun): Reply {
  const day = new Date(archivedAt).toISOString().slice(0, 10)
  const message = `The history of run ${runId} up to entry ${seq} was archived on ${day}.`
  return refuse('run_archived', message, {
    where: `${file} (${node})`,
    next: 'read that file, one entry per line, or check it with "statewright archive verify".',
  })
}
