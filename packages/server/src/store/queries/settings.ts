import type { SettingStore } from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

export function settingQueries(db: TypedQueries): SettingStore {
  return {
    async get(key) {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst()
      return row?.value
    },

    async set(key, value) {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    },

    async swap(key, expected, value) {
      if (expected === undefined) {
        const inserted = await db
          .insertInto('settings')
          .values({ key, value })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .executeTakeFirst()
        return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
      }
      const updated = await db
        .updateTable('settings')
        .set({ value })
        .where('key', '=', key)
        .where('value', '=', expected)
        .executeTakeFirst()
      return updated.numUpdatedRows > 0n
    },
  }
}
