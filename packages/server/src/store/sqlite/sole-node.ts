import type { NodeStore } from '../node-store.ts'
import type { TypedQueries } from '../queries/typed-queries.ts'
import { fieldsOf } from '../rows.ts'

/** The folder has one user at a time, so that anyone who had it before lives no more. */
export function soleNode(db: TypedQueries): NodeStore {
  return {
    async orphans(node, limit) {
      const rows = await db
        .selectFrom('sessions')
        .select(['session_id', 'node', 'harness', 'project_path'])
        .where('kind', '!=', 'stopped')
        .where('node', '!=', node)
        .orderBy('place')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...fieldsOf(row), mark: null }))
    },

    async claim(sessionId, from, to) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ node: to })
        .where('session_id', '=', sessionId)
        .where('node', '=', from)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
