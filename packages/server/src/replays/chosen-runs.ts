import { holdsFor } from '../runtime/policies.ts'
import type { RunRow, Store } from '../store/store.ts'
import type { ReplayRequest } from './request.ts'

/** What a replay has to know of a run. */
export type ChosenRun = Pick<
  RunRow,
  'runId' | 'hash' | 'role' | 'workspace' | 'createdAt' | 'seq' | 'workflow'
>

const pageSize = 200

/** The runs that the request means, oldest first, and how many of them only the archive has. */
export async function chosenRuns(
  store: Pick<Store, 'runs' | 'archive'>,
  request: ReplayRequest,
): Promise<{ readonly runs: readonly ChosenRun[]; readonly archived: number }> {
  const { since, project, rules } = request
  const workflow = rules.kind === 'definition' ? rules.name : request.workflow
  const chosen: ChosenRun[] = []
  let archived = 0
  let cursor: string | null = null
  do {
    const page = await store.runs.list({
      limit: pageSize,
      ...(workflow === null ? {} : { workflow }),
      ...(project === null ? {} : { project }),
      ...(cursor === null ? {} : { cursor }),
    })
    for (const row of page.runs) {
      if (since !== null && row.updatedAt < since) continue
      if (!isUnder(row, request)) continue
      if ((await store.archive.get(row.runId)) !== undefined) {
        archived += 1
        continue
      }
      const { runId, hash, role, workspace, createdAt, seq } = row
      chosen.push({ runId, hash, role, workspace, createdAt, seq, workflow: row.workflow })
    }
    cursor = page.next
  } while (cursor !== null)
  const runs = chosen.toSorted((left, right) => left.createdAt - right.createdAt)
  return { runs, archived }
}

/** A policy of a project or a role would have judged the calls of those runs alone (PO-1a). */
function isUnder(row: RunRow, { rules, ownProject }: ReplayRequest): boolean {
  if (rules.kind !== 'policy') return true
  const folders = [row.project, row.workspace, ownProject]
  const projects = folders.filter((folder) => folder !== null)
  return holdsFor({ row: rules, policy: rules.policy }, { role: row.role, projects })
}
