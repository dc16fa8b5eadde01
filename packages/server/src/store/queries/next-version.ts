import { type RawBuilder, sql } from 'kysely'

const maxTries = 20

/** The number behind the newest version of a name. */
export function nextVersion(table: 'definitions' | 'policies', name: string): RawBuilder<number> {
  return sql`(SELECT coalesce(max(version), 0) + 1 FROM ${sql.table(table)} WHERE name = ${name})`
}

/** Tries until it has a result: undefined means that another writer took the next number. */
export async function untilSaved<Row>(
  name: string,
  save: () => Promise<Row | undefined>,
): Promise<Row> {
  for (let tries = 0; tries < maxTries; tries++) {
    const saved = await save()
    if (saved !== undefined) return saved
  }
  throw new Error(`bug: version of ${name} was taken ${maxTries} times`)
}
