import type { DefinitionKind, DefinitionLine, RunLine } from '@statewright/core/wire'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { problemOf } from '../../api/client/problem.ts'
import { activityQuery } from '../../api/resources/activity.ts'
import { definitionsQuery } from '../../api/resources/definitions.ts'
import { runsQuery } from '../../api/resources/queries.ts'
import { liveStatuses, type RunFilters } from '../../model/runs/run-filters.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { DefinitionLink } from './definition-link.tsx'
import { DraftCard } from './draft-card.tsx'
import './definitions.css'

/** All definitions of a kind, those that agents propose first. */
export function DefinitionList(props: {
  readonly kind: DefinitionKind
  readonly title: string
  readonly subtitle: string
  readonly about: string
}) {
  const { kind, title, subtitle, about } = props
  const { data, error } = useQuery(definitionsQuery(kind))
  const drafts = data?.filter(({ draft }) => draft) ?? []
  const accepted = data?.filter(({ draft }) => !draft) ?? []
  const fresh = (
    <Link to="/templates" search={{ kind }} className="button primary">
      New {kind}
    </Link>
  )
  return (
    <Page title={title} subtitle={subtitle} actions={fresh}>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {drafts.length === 0 ? null : (
        <section className="stack" aria-label="Drafts by agents">
          <h2>
            Drafts by agents <span className="soft number">{drafts.length}</span>
          </h2>
          {drafts.map((line) => (
            <DraftCard key={line.name} kind={kind} line={line} />
          ))}
        </section>
      )}
      {data === undefined && error === null ? <p className="soft">Reading…</p> : null}
      {data?.length === 0 ? (
        <EmptyState
          title={`No ${kind} yet`}
          command={`statewright workflow push ${kind}.yaml`}
          action={fresh}
        >
          {about}
        </EmptyState>
      ) : null}
      {accepted.length === 0 ? null : <Lines kind={kind} lines={accepted} />}
    </Page>
  )
}

const liveOfAll = {
  ...{ status: liveStatuses, workflow: '', project: '', search: '', span: '' },
} as const satisfies RunFilters

interface LiveRuns {
  readonly runs: readonly RunLine[]
  /** There are older ones, which were not read. */
  readonly hasMore: boolean
}

function LiveCount(props: { readonly name: string; readonly live: LiveRuns | undefined }) {
  const { name, live } = props
  if (live === undefined) return null
  const count = live.runs.filter((run) => run.workflow === name).length
  if (count === 0) return <span className="soft">{live.hasMore ? '' : '0'}</span>
  return (
    <Link to="/runs" search={{ workflow: name, status: liveStatuses.join(',') }}>
      {count}
      {live.hasMore ? '+' : ''}
    </Link>
  )
}

function Lines(props: {
  readonly kind: DefinitionKind
  readonly lines: readonly DefinitionLine[]
}) {
  const { kind, lines } = props
  const { data, hasNextPage: hasMore } = useInfiniteQuery(runsQuery(liveOfAll))
  const live = data && { runs: data.pages.flatMap((page) => page.runs), hasMore }
  const denied = useQuery({ ...activityQuery('week'), refetchInterval: false }).data?.denials.places
  const deniedIn = (name: string) =>
    denied?.reduce((sum, { workflow, count }) => sum + (workflow === name ? count : 0), 0)
  return (
    <div className="panel scroll-x">
      <table className="table definitions">
        <thead>
          <tr>
            <th>Name</th>
            <th className="right">Live runs</th>
            <th className="right" title="Denied calls of the last 7 days">
              Denied
            </th>
            <th className="right">Version</th>
            <th>Saved</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.name} {...{ kind, line, live }} denied={deniedIn(line.name)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line(props: {
  readonly kind: DefinitionKind
  readonly line: DefinitionLine
  readonly live: LiveRuns | undefined
  readonly denied: number | undefined
}) {
  const { kind, line, live, denied } = props
  return (
    <tr>
      <td>
        <DefinitionLink kind={kind} name={line.name} to="page">
          <strong>
            <Foreign text={line.name} max={120} />
          </strong>
        </DefinitionLink>
        <div className="soft">
          <Foreign text={line.description ?? ''} max={300} />
        </div>
      </td>
      <td className="number right">
        <LiveCount name={line.name} live={live} />
      </td>
      <td className={denied ? 'number right bad' : 'number right soft'}>{denied}</td>
      <td className="number right">{line.version}</td>
      <td className="soft">
        <Ago at={line.saved_at} />
        <div className="small-text">
          by <Foreign text={line.saved_by} max={40} />
        </div>
      </td>
      <td>
        <span className="row tight">
          <DefinitionLink kind={kind} name={line.name} to="edit" className="button small">
            Edit
          </DefinitionLink>
          <Link to="/runs" search={{ workflow: line.name }} className="button small quiet">
            Runs
          </Link>
        </span>
      </td>
    </tr>
  )
}
