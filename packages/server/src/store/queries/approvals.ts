import { toApproval } from '../rows.ts'
import type { ApprovalStore } from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

/** Ones told to expire at a time; the rest come at the next look. */
const expiredAtOnce = 1000

export function approvalQueries(db: TypedQueries): ApprovalStore {
  return {
    async get(approvalId) {
      const row = await db
        .selectFrom('approvals')
        .selectAll()
        .where('approval_id', '=', approvalId)
        .executeTakeFirst()
      return row && toApproval(row)
    },

    async list({ status, runId, order, limit }) {
      let query = db.selectFrom('approvals').selectAll()
      if (order === 'resolved') {
        query = query.where('resolved_at', 'is not', null).orderBy('resolved_at', 'desc')
      }
      if (status !== undefined) query = query.where('status', '=', status)
      if (runId !== undefined) query = query.where('run_id', '=', runId)
      const rows = await query.orderBy('place', 'desc').limit(limit).execute()
      return rows.map(toApproval)
    },

    async expired(at) {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .where('status', '=', 'waiting')
        .where('expires_at', '<=', at)
        .orderBy('expires_at')
        .limit(expiredAtOnce)
        .execute()
      return rows.map(toApproval)
    },
  }
}
