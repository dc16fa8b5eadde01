import { type RawBuilder, sql } from 'kysely'

/** Runs that one page of a search looks at; what is older is looked at by the next page. */
export const searchedRuns = 1000
/** Of each of them only so many of its newest entries: a search must not hold up a decision. */
const searchedEntries = 500
const maxWords = 5

/**
 * What a run must hold to be found: every word, in whatever people know of it: its id, workflow,
 * state, project and session, the names of its agent and of who decided, the tools, states and
 * events of its history, and the arguments of its calls, such as commands and files.
 */
export function searchConditions(search: string): readonly RawBuilder<boolean>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [...new Set(words)].slice(0, maxWords).map(holds)
}

function holds(word: string): RawBuilder<boolean> {
  const plain = patternOf(word)
  // Histories and arguments are kept as JSON.
  const quoted = patternOf(JSON.stringify(word).slice(1, -1))
  const like = (column: string, pattern: string) =>
    sql<boolean>`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '!'`
  const columns = ['run_id', 'workflow', 'state', 'project', 'session', 'client', 'status']
  return sql<boolean>`(${sql.join(
    [
      ...columns.map((column) => like(`runs.${column}`, plain)),
      sql`EXISTS (SELECT 1 FROM tokens WHERE tokens.token_id IN (runs.owner, runs.agent)
        AND ${like('tokens.name', plain)})`,
      sql`EXISTS (SELECT 1 FROM approvals WHERE approvals.run_id = runs.run_id
        AND (${like('approvals.resolved_by', plain)} OR ${like('approvals.note', plain)}))`,
      sql`EXISTS (SELECT 1 FROM blobs WHERE blobs.run_id = runs.run_id
        AND blobs.what = 'input' AND ${like('blobs.body', quoted)})`,
      sql`EXISTS (SELECT 1 FROM entries WHERE entries.run_id = runs.run_id
        AND entries.seq > runs.seq - ${sql.lit(searchedEntries)}
        AND ${like('entries.entry', quoted)})`,
    ],
    sql` OR `,
  )})`
}

/** Anywhere in the text; signs that mean something in a pattern stand for themselves. */
function patternOf(word: string): string {
  return `%${word.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`
}
