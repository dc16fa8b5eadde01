import { toApproval } from '../rows.ts'
import type { DeliveryStore } from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

export function deliveryQueries(db: TypedQueries): DeliveryStore {
  return {
    async due(channel, at, limit) {
      const rows = await db
        .selectFrom('approvals')
        .leftJoin('deliveries', (join) =>
          join
            .onRef('deliveries.approval_id', '=', 'approvals.approval_id')
            .on('deliveries.channel', '=', channel),
        )
        .selectAll('approvals')
        .select('deliveries.tries as tries')
        .where('approvals.status', '=', 'waiting')
        .where((where) =>
          where.or([
            where('deliveries.tries', 'is', null),
            where.and([
              where('deliveries.finished_at', 'is', null),
              where('deliveries.next_at', '<=', at),
            ]),
          ]),
        )
        .orderBy('approvals.place')
        .limit(limit)
        .execute()
      return rows.map(({ tries, ...row }) => ({ approval: toApproval(row), tries: tries ?? 0 }))
    },

    async take({ approvalId, channel, tries, nextAt }) {
      const result = await db
        .insertInto('deliveries')
        .values({
          approval_id: approvalId,
          channel,
          tries: tries + 1,
          next_at: nextAt,
          finished_at: null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['approval_id', 'channel'])
            .doUpdateSet({ tries: tries + 1, next_at: nextAt })
            .where('deliveries.tries', '=', tries)
            .where('deliveries.finished_at', 'is', null),
        )
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async finish(approvalId, channel, at) {
      await db
        .updateTable('deliveries')
        .set({ finished_at: at })
        .where('approval_id', '=', approvalId)
        .where('channel', '=', channel)
        .execute()
    },
  }
}
