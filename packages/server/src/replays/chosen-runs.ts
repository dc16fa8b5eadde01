import { holdsFor } from '../runtime/policies.ts'
import type { RunRow, Store } from '../store/store.ts'
import type { ReplayRequest } from './request.ts'

/** What a replay has to know of a run. */
export type ChosenRun = Pick<
  RunRow,
  'runId' | 'hash' | 'role' | 'workspace' | 'createdAt' | 'seq' | 'workflow'
>

const pageSize = 200

/** The runs that the request means, oldest first. */
export async function chosenRuns(
  store: Pick<Store, 'runs'>,
  request: ReplayRequest,
): Promise<readonly ChosenRun[]> {
  const { since, project, rules } = request
  const workflow = rules.kind === 'definition' ? rules.name : request.workflow
  const chosen: ChosenRun[] = []
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
      const { runId, hash, role, workspace, createdAt, seq } = row
      chosen.push({ runId, hash, role, workspace, createdAt, seq, workflow: row.workflow })
    }
    cursor = page.next
  } while (cursor !== null)
  return chosen.toSorted((left, right) => left.createdAt - right.createdAt)
}

/** A policy of a project or a role would have judged the calls of those runs alone (PO-1a). */
function isUnder(row: RunRow, { rules, ownProject }: ReplayRequest): boolean {
  if (rules.kind !== 'policy') return true
  const folders = [row.project, row.workspace, ownProject]
  const projects = folders.filter((folder) => folder !== null)
  return holdsFor({ row: rules, policy: rules.policy }, { role: row.role, projects })
}
