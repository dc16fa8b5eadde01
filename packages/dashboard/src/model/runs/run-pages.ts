import { type Filtered, passesFilters, type RunFilters } from './run-filters.ts'

export interface ListedRun extends Filtered {
  readonly run_id: string
  readonly seq: number
  readonly created_at: number
}

export interface RunPageOf<Row> {
  readonly runs: readonly Row[]
  readonly next: string | null
}

/**
 * Puts rows as they stand now into pages that were read before: known ones in their place, new
 * ones by their age, and those that no longer pass the filters away. A row that is older than the
 * one shown is dropped, since two answers may overtake each other.
 */
export function patchPages<Row extends ListedRun>(
  pages: readonly RunPageOf<Row>[],
  fresh: readonly Row[],
  filters: RunFilters,
): readonly RunPageOf<Row>[] {
  const byId = new Map(fresh.map((row) => [row.run_id, row]))
  const known = new Set<string>()
  const patched = pages.map((page) => ({
    ...page,
    runs: page.runs.flatMap((row) => {
      known.add(row.run_id)
      const newer = byId.get(row.run_id)
      const now = newer !== undefined && newer.seq >= row.seq ? newer : row
      return passesFilters(now, filters) ? [now] : []
    }),
  }))
  // Whether a new one holds the words only the server knows.
  if (filters.search !== '') return patched
  const added = fresh.filter((row) => !known.has(row.run_id) && passesFilters(row, filters))
  return added.reduce<readonly RunPageOf<Row>[]>((now, row) => insertRun(now, row), patched)
}

/** Newest first. A run that is older than all that was read comes when its page is read. */
function insertRun<Row extends ListedRun>(
  pages: readonly RunPageOf<Row>[],
  row: Row,
): readonly RunPageOf<Row>[] {
  const index = pages.findIndex(({ runs, next }) => {
    const oldest = runs.at(-1)
    return next === null || (oldest !== undefined && oldest.created_at <= row.created_at)
  })
  return pages.map((page, at) => {
    if (at !== index) return page
    const before = page.runs.filter((one) => one.created_at > row.created_at)
    const after = page.runs.filter((one) => one.created_at <= row.created_at)
    return { ...page, runs: [...before, row, ...after] }
  })
}
