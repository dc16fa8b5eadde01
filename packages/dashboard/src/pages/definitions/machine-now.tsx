import { checkDefinition, definitionIn } from '@statewright/core/internal'
import type { DefinitionKind, RunLine } from '@statewright/core/wire'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { activityQuery } from '../../api/resources/activity.ts'
import { definitionQuery } from '../../api/resources/definitions.ts'
import { runsQuery } from '../../api/resources/queries.ts'
import { marksOfMany, statesOf } from '../../model/diagram/machine-now.ts'
import { runGraph } from '../../model/diagram/run-graph.ts'
import { liveStatuses } from '../../model/runs/run-filters.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, shortId } from '../../model/words/words.ts'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { StateDiagram } from '../diagram/state-diagram.tsx'

const shownRuns = 8

/** A definition at work: its picture, the runs that stand in it now, and what it denied lately. */
export function MachineNow(props: { readonly kind: DefinitionKind; readonly name: string }) {
  const { kind, name } = props
  const text = useQuery(definitionQuery(kind, name)).data?.text
  const { runs, hasMore, error } = useLiveRuns(name)
  const denied = useQuery({ ...activityQuery('week'), refetchInterval: false }).data?.denials.places
  const [chosen, setChosen] = useState<string>()
  const graph = useMemo(() => {
    const definition = text === undefined ? undefined : definitionIn(checkDefinition(text))
    return definition === undefined ? null : runGraph(definition)
  }, [text])
  const marks = useMemo(() => marksOfMany(name, runs ?? [], denied ?? []), [name, runs, denied])
  const choose = useCallback(
    (state: string) => setChosen((before) => (before === state ? undefined : state)),
    [],
  )
  return (
    <section className="panel machine-now" aria-label="At work">
      <header>
        <h2>At work</h2>
        <span className="soft small-text">
          {runs === undefined ? 'Reading…' : `${count(runs.length, 'live run')}${hasMore}`}
          {' · denials of the last 7 days'}
        </span>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      <div className="machine-picture">
        {graph === null ? null : <StateDiagram {...{ graph, marks, chosen }} onState={choose} />}
      </div>
      {runs === undefined ? null : <Standing {...{ name, runs, chosen }} />}
    </section>
  )
}

function useLiveRuns(name: string) {
  const filters = useMemo(
    () => ({ status: liveStatuses, workflow: name, project: '', search: '', span: '' }) as const,
    [name],
  )
  const { data, error } = useInfiniteQuery(runsQuery(filters))
  const runs = useMemo(() => data?.pages.flatMap((page) => page.runs), [data])
  return { runs, hasMore: data?.pages.at(-1)?.next == null ? '' : ' or more', error }
}

/** The runs that stand in the chosen state, or anywhere. */
function Standing(props: {
  readonly name: string
  readonly runs: readonly RunLine[]
  readonly chosen: string | undefined
}) {
  const { name, runs, chosen } = props
  const here = chosen === undefined ? runs : runs.filter((run) => statesOf(run).includes(chosen))
  const rest = here.length - shownRuns
  return (
    <div className="standing">
      {here.length === 0 ? (
        <p className="soft body">
          {chosen === undefined
            ? 'It has no live run. Start one with '
            : `No live run is in ${plainText(chosen, 60)}.`}
          {chosen === undefined ? <code>statewright run start {plainText(name, 60)}</code> : null}
        </p>
      ) : (
        <ul aria-label={chosen === undefined ? 'Live runs' : `Live runs in ${chosen}`}>
          {here.slice(0, shownRuns).map((run) => (
            <li key={run.run_id}>
              <Link to="/runs/$runId" params={{ runId: run.run_id }} className="standing-run">
                <StatusBadge status={run.status} />
                <bdi className="clip">{plainText(run.state, 80)}</bdi>
                <span className="soft mono small-text">{shortId(run.run_id)}</span>
                <span className="soft small-text right">
                  <Ago at={run.updated_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 ? (
        <p className="body small-text">
          <Link to="/runs" search={{ workflow: name, status: liveStatuses.join(',') }}>
            {rest} more
          </Link>
        </p>
      ) : null}
    </div>
  )
}
