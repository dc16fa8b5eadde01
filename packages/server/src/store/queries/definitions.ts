import { toDefinition } from '../rows.ts'
import type { DefinitionRow, DefinitionStore, NewDefinition } from '../store.ts'
import { nextVersion, untilSaved } from './next-version.ts'
import type { TypedQueries } from './typed-queries.ts'

export function definitionQueries(db: TypedQueries): DefinitionStore {
  return {
    async save(definition) {
      return untilSaved(definition.name, async () => {
        const newest = await newestRow(db, definition.name)
        if (newest?.hash === definition.hash) return accept(db, newest, definition)
        return insertNext(db, definition, newest?.createdAt ?? definition.savedAt)
      })
    },

    newest: (name) => newestRow(db, name),

    async version(name, version) {
      const row = await live(db)
        .where('name', '=', name)
        .where('version', '=', version)
        .executeTakeFirst()
      return row && toDefinition(row)
    },

    async versions(name) {
      const rows = await live(db).where('name', '=', name).orderBy('version', 'desc').execute()
      return rows.map(toDefinition)
    },

    async list(kind) {
      let query = live(db).where('version', '=', (inner) =>
        inner
          .selectFrom('definitions as other')
          .select((of) => of.fn.max('other.version').as('newest'))
          .whereRef('other.name', '=', 'definitions.name')
          .where('other.removed', '=', 0),
      )
      if (kind !== undefined) query = query.where('kind', '=', kind)
      const rows = await query.orderBy('name').execute()
      return rows.map(toDefinition)
    },

    /** Removed versions keep their numbers: a run names its own, which must not mean another. */
    async remove(name) {
      const result = await db
        .updateTable('definitions')
        .set({ removed: 1 })
        .where('name', '=', name)
        .where('removed', '=', 0)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    ...programQueries(db),
  }
}

/** Programs by the hash of all definitions that they were compiled from. */
function programQueries(db: TypedQueries): Pick<DefinitionStore, 'saveProgram' | 'program'> {
  return {
    async saveProgram(hash, text) {
      await db
        .insertInto('programs')
        .values({ hash, body: text })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
    },

    async program(hash) {
      const row = await db
        .selectFrom('programs')
        .select('body')
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row?.body
    },
  }
}

function live(db: TypedQueries) {
  return db.selectFrom('definitions').selectAll().where('removed', '=', 0)
}

async function newestRow(db: TypedQueries, name: string): Promise<DefinitionRow | undefined> {
  const row = await live(db)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toDefinition(row)
}

/** The same text saved once more, but not as a draft: a person has accepted it. */
async function accept(
  db: TypedQueries,
  newest: DefinitionRow,
  saved: NewDefinition,
): Promise<DefinitionRow> {
  if (!newest.draft || saved.draft) return newest
  await db
    .updateTable('definitions')
    .set({ draft: 0 })
    .where('name', '=', newest.name)
    .where('version', '=', newest.version)
    .execute()
  return { ...newest, draft: false }
}

/** Undefined when somebody else took the next number meanwhile. */
async function insertNext(
  db: TypedQueries,
  definition: NewDefinition,
  createdAt: number,
): Promise<DefinitionRow | undefined> {
  const { name, kind, hash, text, savedBy, savedAt, draft } = definition
  const row = await db
    .insertInto('definitions')
    .values({
      name,
      version: nextVersion('definitions', name),
      kind,
      hash,
      body: text,
      saved_by: savedBy,
      saved_at: savedAt,
      created_at: createdAt,
      draft: draft ? 1 : 0,
      removed: 0,
    })
    .onConflict((conflict) => conflict.columns(['name', 'version']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toDefinition(row)
}
