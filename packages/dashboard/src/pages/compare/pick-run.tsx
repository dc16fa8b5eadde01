import { endpoints, type RunLine } from '@statewright/core/wire'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client/client.ts'
import type { Side } from '../../model/history/compare/compare-runs.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, shortId } from '../../model/words/words.ts'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { Ago } from '../../ui/values/when.tsx'

/** Chooses one of the two: runs of the same workflow come first to mind. */
export function PickRun(props: {
  readonly side: Side
  /** The run that was chosen already. */
  readonly other: string | undefined
  readonly workflow: string | undefined
  readonly onPick: (runId: string) => void
}) {
  const { side, other, workflow, onPick } = props
  const [text, setText] = useState('')
  const runs = useRuns(text, workflow)
  const shown = runs?.filter(({ run_id: id }) => id !== other)
  return (
    <section className="panel pick-run" aria-label={`Choose the run on the ${side}`}>
      <header>
        <h2>
          {other === undefined
            ? 'Choose the first run'
            : `Choose a run to compare with ${shortId(other)}`}
        </h2>
        <label className="field">
          <span className="visually-hidden">Search runs</span>
          <input
            type="search"
            placeholder="Words of a command, file, state or id"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      </header>
      {shown === undefined ? <p className="body soft">Reading…</p> : null}
      {shown?.length === 0 ? (
        <p className="body soft">
          {text.trim() !== ''
            ? 'No run contains these words.'
            : workflow === undefined
              ? 'There is no run yet.'
              : `There is no other run of ${plainText(workflow, 60)} yet.`}
        </p>
      ) : null}
      <ul aria-label="Runs to choose from">
        {shown?.map((run) => (
          <li key={run.run_id}>
            <RunChoice run={run} onPick={onPick} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RunChoice(props: { readonly run: RunLine; readonly onPick: (runId: string) => void }) {
  const { run, onPick } = props
  return (
    <button type="button" className="pick-line" onClick={() => onPick(run.run_id)}>
      <StatusBadge status={run.status} />
      <span className="clip">
        <bdi>{plainText(`${run.workflow} · ${run.state}`, 120)}</bdi>{' '}
        <span className="soft mono small-text">{shortId(run.run_id)}</span>
      </span>
      <span className={run.denials > 0 ? 'number bad' : 'number soft'}>
        {count(run.denials, 'denial')}
      </span>
      <span className="soft">
        <Ago at={run.updated_at} />
      </span>
    </button>
  )
}

const typingMs = 150
const maxShown = 50

function useRuns(text: string, workflow: string | undefined) {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['runs to compare', search, workflow ?? ''],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const words = search === '' ? {} : { search }
      const query = { limit: maxShown, ...words, ...(workflow === undefined ? {} : { workflow }) }
      return (await call(endpoints.listRuns, { query, signal })).runs
    },
  }).data
}
