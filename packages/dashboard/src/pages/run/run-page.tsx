import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { programQuery, useEntries } from '../../api/resources/entries.ts'
import { runQuery } from '../../api/resources/queries.ts'
import { readProgram } from '../../model/history/program-text.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { count, shortId, usd } from '../../model/words/words.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { DangerBadge, StatusBadge, UnguardedBadge } from '../../ui/values/status-badge.tsx'
import { RunQuestions } from '../approvals/run-question.tsx'
import { RunActions } from './run-actions.tsx'
import { RunStory } from './run-story.tsx'

/** One run, live: where it stands, how it came there, and what it may still do. */
export function RunPage() {
  const { runId } = useParams({ from: '/runs/$runId' })
  const { at } = useSearch({ from: '/runs/$runId' })
  const navigate = useNavigate()
  const now = useQuery(runQuery(runId))
  const program = useQuery(programQuery(runId))
  const { entries, isReading, error } = useEntries(runId)
  const read = useMemo(
    () => (program.data === undefined ? null : readProgram(program.data.program)),
    [program.data],
  )
  const select = (seq: number | undefined) => {
    const search = seq === undefined ? {} : { at: seq }
    void navigate({ to: '/runs/$runId', params: { runId }, search, replace: true })
  }
  const fault = now.error ?? program.error ?? error
  if (fault !== null && problemOf(fault).status === 404) return <NoRun runId={runId} />
  const run = now.data
  // A moment that was linked to may be older than what is here.
  const isHere = entries !== undefined && !(isReading && at !== undefined && at < firstOf(entries))
  // "Why was it denied?" is the commonest question to a run: the number leads to the newest answer.
  const denied = entries?.findLast(isDenial)?.seq
  return (
    <Page
      title={run === undefined ? 'Run' : run.workflow}
      subtitle={
        run === undefined ? (
          shortId(runId)
        ) : (
          <span className="row tight">
            <StatusBadge status={run.status} />
            {run.unguarded === true ? <UnguardedBadge /> : null}
            <DangerBadge level={run.meta.danger_level} />
            {run.locked ? <span className="badge">locked</span> : null}
            <span className="mono">{shortId(runId)}</span>
            <span>
              {count(run.calls, 'call')} ·{' '}
              {denied === undefined ? (
                count(run.denials, 'denial')
              ) : (
                <Link to="/runs/$runId" params={{ runId }} search={{ at: denied }}>
                  {count(run.denials, 'denial')}
                </Link>
              )}{' '}
              {run.passed === undefined || run.passed === 0
                ? null
                : `· ${count(run.passed, 'call')} passed that would have been stopped `}
              · {usd(run.cost_usd)}
            </span>
          </span>
        )
      }
      actions={run === undefined ? undefined : <RunActions run={run} />}
    >
      {fault === null ? null : <ProblemNote problem={problemOf(fault)} />}
      <RunQuestions runId={runId} />
      {fault === null && !isHere ? <p className="soft">Reading the history…</p> : null}
      {read === null || entries === undefined || !isHere ? null : (
        <RunStory
          runId={runId}
          read={read}
          entries={entries}
          isReading={isReading}
          now={run}
          at={at}
          onSelect={select}
        />
      )}
    </Page>
  )
}

function NoRun({ runId }: { readonly runId: string }) {
  return (
    <Page title="Run" subtitle={shortId(runId)}>
      <EmptyState title="There is no such run" action={<Link to="/runs">All runs</Link>}>
        The address may be wrong, or the run was old and has been removed.
      </EmptyState>
    </Page>
  )
}

function firstOf(entries: readonly PlacedEntry[]): number {
  return entries[0]?.seq ?? 0
}

function isDenial(entry: PlacedEntry): boolean {
  return entry.type === 'call_decided' && entry.decision !== 'allow'
}
