import type { NewPolicy, PolicyRow, PolicyStore } from '../policy-store.ts'
import { toPolicy } from '../rows.ts'
import { nextVersion, untilSaved } from './next-version.ts'
import type { TypedQueries } from './typed-queries.ts'

/** Versions are kept when a policy is changed or removed: what held once can be looked up. */
export function policyQueries(db: TypedQueries): PolicyStore {
  return {
    async save(policy) {
      const createdAt = (await newest(db, policy.name))?.createdAt ?? policy.savedAt
      return insert(db, { ...policy, createdAt, removed: 0 })
    },

    get: (name) => newest(db, name),

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
      const row = await newest(db, name)
      if (row === undefined) return false
      const { project, text, createdAt } = row
      await insert(db, { name, project, text, ...by, createdAt, removed: 1 })
      return true
    },

    async versions(name) {
      const rows = await ofName(db, name).execute()
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
}

function ofName(db: TypedQueries, name: string) {
  return db.selectFrom('policies').selectAll().where('name', '=', name).orderBy('version', 'desc')
}

async function newest(db: TypedQueries, name: string): Promise<PolicyRow | undefined> {
  const row = await ofName(db, name).limit(1).executeTakeFirst()
  return row === undefined || row.removed === 1 ? undefined : toPolicy(row)
}

function insert(db: TypedQueries, version: NewVersion): Promise<PolicyRow> {
  return untilSaved(version.name, () => insertNext(db, version))
}

/** Undefined when somebody else took the next number meanwhile. */
async function insertNext(db: TypedQueries, version: NewVersion): Promise<PolicyRow | undefined> {
  const { name, project, text, savedBy, savedAt, createdAt, removed } = version
  const row = await db
    .insertInto('policies')
    .values({
      name,
      version: nextVersion('policies', name),
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

interface NewVersion extends NewPolicy {
  readonly createdAt: number
  readonly removed: 0 | 1
}
