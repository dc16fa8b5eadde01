import { sql } from 'kysely'
import type { NewPolicy, PolicyRow, PolicyStore } from '../policy-store.ts'
import { toPolicy } from '../rows.ts'
import type { TypedQueries } from './typed-queries.ts'

const triesToSave = 20

/** Versions are kept when a policy is changed or removed: what held once can be looked up. */
export function policyQueries(db: TypedQueries): PolicyStore {
  return {
    async save(policy) {
      const createdAt = (await newest(policy.name))?.createdAt ?? policy.savedAt
      return insert({ ...policy, createdAt, removed: 0 })
    },

    get: newest,

    async list() {
      const rows = await db
        .selectFrom('policies')
        .selectAll()
        .where('removed', '=', 0)
        .where('version', '=', (inner) =>
          inner
            .selectFrom('policies as other')
            .select((of) => of.fn.max('other.version').as('newest'))
            .whereRef('other.name', '=', 'policies.name'),
        )
        .orderBy('name')
        .execute()
      return rows.map(toPolicy)
    },

    async remove(name, by) {
      const row = await newest(name)
      if (row === undefined) return false
      const { project, text, createdAt } = row
      await insert({ name, project, text, ...by, createdAt, removed: 1 })
      return true
    },

    async versions(name) {
      const rows = await ofName(name).execute()
      return rows.map((row) => ({ ...toPolicy(row), removed: row.removed === 1 }))
    },

    async epoch() {
      const { epoch } = await db
        .selectFrom('policy_epoch')
        .select('epoch')
        .executeTakeFirstOrThrow()
      return epoch
    },
  }

  function ofName(name: string) {
    return db.selectFrom('policies').selectAll().where('name', '=', name).orderBy('version', 'desc')
  }

  async function newest(name: string): Promise<PolicyRow | undefined> {
    const row = await ofName(name).limit(1).executeTakeFirst()
    return row === undefined || row.removed === 1 ? undefined : toPolicy(row)
  }

  async function insert(version: NewVersion): Promise<PolicyRow> {
    for (let tries = 0; tries < triesToSave; tries++) {
      const saved = await insertNext(version)
      if (saved !== undefined) return saved
    }
    throw new Error(`bug: version of ${version.name} was taken ${triesToSave} times`)
  }

  /** Undefined when somebody else took the next number meanwhile. */
  async function insertNext(version: NewVersion): Promise<PolicyRow | undefined> {
    const { name, project, text, savedBy, savedAt, createdAt, removed } = version
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
        removed,
      })
      .onConflict((conflict) => conflict.columns(['name', 'version']).doNothing())
      .returningAll()
      .executeTakeFirst()
    return row && toPolicy(row)
  }
}

interface NewVersion extends NewPolicy {
  readonly createdAt: number
  readonly removed: 0 | 1
}
