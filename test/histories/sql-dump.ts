import type { DatabaseSync } from 'node:sqlite'

/** A database as text that can be read, compared and played again. */
export function dumpDatabase(database: DatabaseSync): string {
  const objects = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
  const lines: string[] = []
  for (const { sql } of objects) if (sql !== null) lines.push(`${String(sql)};`)
  for (const { type, name } of objects) {
    if (type !== 'table') continue
    for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).all()) {
      lines.push(
        `INSERT INTO "${String(name)}" VALUES (${Object.values(row).map(quoted).join(', ')});`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}

export function loadDump(database: DatabaseSync, text: string): void {
  database.exec('BEGIN')
  database.exec(text)
  database.exec('COMMIT')
}

function quoted(value: unknown): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`
  return `'${String(value).replaceAll("'", "''")}'`
}
