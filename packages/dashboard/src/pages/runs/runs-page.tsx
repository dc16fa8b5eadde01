import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { runsQuery, stuckQuery } from '../../api/resources/queries.ts'
import { type RunFilters, readFilters, writeFilters } from '../../model/runs/run-filters.ts'
import { DemoButton } from '../../ui/demo/demo-button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { FilterBar } from './filter-bar.tsx'
import { RunList } from './run-list.tsx'
import './runs.css'

/** All runs, newest first, as they stand now. */
export function RunsPage() {
  const search = useSearch({ from: '/runs' })
  const filters = readFilters(search)
  const navigate = useNavigate()
  const setFilters = (next: RunFilters) =>
    void navigate({ to: '/runs', search: writeFilters(next), replace: true })
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(
    runsQuery(filters),
  )
  const stuck = useQuery(stuckQuery).data ?? []
  const runs = data?.pages.flatMap((page) => page.runs)
  const isFiltered = Object.keys(writeFilters(filters)).length > 0
  // A page of a search may hold nothing while older runs do.
  const isEmptySoFar = runs?.length === 0 && hasNextPage
  useEffect(() => {
    if (isEmptySoFar && !isFetching) void fetchNextPage()
  }, [isEmptySoFar, isFetching, fetchNextPage])
  return (
    <div className="runs">
      <Page
        title="Runs"
        subtitle={runs === undefined ? 'Reading…' : countText(runs.length, hasNextPage)}
        actions={<RunsActions />}
      >
        <FilterBar filters={filters} onChange={setFilters} />
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        {runs?.length === 0 && !isEmptySoFar ? (
          isFiltered ? (
            <EmptyState title="No run passes these filters">
              Remove a filter to see more.
            </EmptyState>
          ) : (
            <EmptyState
              title="No run yet"
              command="statewright run start <workflow>"
              action={<DemoButton />}
            >
              A run is one piece of work under a workflow. A guarded client starts one by itself, or
              you do:
            </EmptyState>
          )
        ) : null}
        {runs === undefined || runs.length === 0 ? null : (
          <RunList
            runs={runs}
            stuck={new Map(stuck.map((one) => [one.run_id, one]))}
            onNearEnd={() => {
              if (hasNextPage && !isFetching) void fetchNextPage()
            }}
          />
        )}
      </Page>
    </div>
  )
}

function RunsActions() {
  return (
    <>
      <Link to="/compare" className="button">
        Compare two runs
      </Link>
      <Link to="/open" className="button">
        Open an exported run
      </Link>
    </>
  )
}

function countText(shown: number, hasMore: boolean): string {
  return `${shown.toLocaleString('en')}${hasMore ? ' and more' : ''}, newest first`
}
