import { type Selectable, sql } from 'kysely'
import type { NewPolicy, PolicyRow, PolicyStore } from '../policy-store.ts'
import type { PolicyColumns } from '../rows.ts'
import type { TypedQueries } from './typed-queries.ts'

const triesToSave = 20

/** Versions are kept when a policy is changed or removed: what held once can be looked up. */
export function policyQueries(db: TypedQueries): PolicyStore {
  return {
    async save(policy) {
      for (let tries = 0; tries < triesToSave; tries++) {
        const createdAt = (await newest(policy.name))?.createdAt ?? policy.savedAt
        const saved = await insertNext(policy, createdAt)
        if (saved !== undefined) return saved
      }
      throw new Error(`bug: version of ${policy.name} was taken ${triesToSave} times`)
    },

    get: newest,

    async list() {
      const rows = await live()
        .where('version', '=', (inner) =>
          inner
            .selectFrom('policies as other')
            .select((of) => of.fn.max('other.version').as('newest'))
            .whereRef('other.name', '=', 'policies.name')
            .where('other.removed', '=', 0),
        )
        .orderBy('name')
        .execute()
      return rows.map(toPolicy)
    },

    async remove(name) {
      const result = await db
        .updateTable('policies')
        .set({ removed: 1 })
        .where('name', '=', name)
        .where('removed', '=', 0)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async epoch() {
      const { epoch } = await db
        .selectFrom('policy_epoch')
        .select('epoch')
        .executeTakeFirstOrThrow()
      return epoch
    },
  }

  function live() {
    return db.selectFrom('policies').selectAll().where('removed', '=', 0)
  }

  async function newest(name: string): Promise<PolicyRow | undefined> {
    const row = await live()
      .where('name', '=', name)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && toPolicy(row)
  }

  /** Undefined when somebody else took the next number meanwhile. */
  async function insertNext(policy: NewPolicy, createdAt: number): Promise<PolicyRow | undefined> {
    const { name, project, text, savedBy, savedAt } = policy
    const row = await db
      .insertInto('policies')
      .values({
        name,
        version: sql<number>`(SELECT coalesce(max(version), 0) + 1
          FROM policies WHERE name = ${name})`,
        project,
        body: text,
        saved_by: savedBy,
        saved_at: savedAt,
        created_at: createdAt,
        removed: 0,
      })
      .onConflict((conflict) => conflict.columns(['name', 'version']).doNothing())
      .returningAll()
      .executeTakeFirst()
    return row && toPolicy(row)
  }
}

function toPolicy(row: Selectable<PolicyColumns>): PolicyRow {
  return {
    name: row.name,
    version: row.version,
    project: row.project,
    text: row.body,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
    createdAt: row.created_at,
  }
}
