import type { SessionLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { sessionsQuery } from '../../api/resources/sessions.ts'
import {
  harnesses,
  passesSessionFilters,
  readSessionFilters,
  type SessionFilters,
  sessionGroups,
  writeSessionFilters,
} from '../../model/sessions/session-filters.ts'
import { count, shortId, usd } from '../../model/words/words.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { SessionBadge } from './session-badge.tsx'
import { StartDialog } from './start-dialog.tsx'
import './sessions.css'
import { Toggle } from '../../ui/page/toggle.tsx'

/** The agents that this server runs itself, newest first. */
export function SessionsPage() {
  const search = useSearch({ from: '/sessions' })
  const filters = readSessionFilters(search)
  const navigate = useNavigate()
  const [isStarting, setStarting] = useState(false)
  const { data, error } = useQuery(sessionsQuery)
  const shown = data?.filter((session) => passesSessionFilters(session, filters))
  const setFilters = (next: SessionFilters) =>
    void navigate({ to: '/sessions', search: writeSessionFilters(next), replace: true })
  return (
    <Page
      title="Sessions"
      subtitle={
        shown === undefined ? 'Reading…' : `${count(shown.length, 'session')}, newest first`
      }
      actions={
        <button type="button" className="button primary" onClick={() => setStarting(true)}>
          Start a session
        </button>
      }
    >
      <Filters filters={filters} onChange={setFilters} />
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {shown?.length === 0 ? <NoSession hasOthers={data?.length !== 0} /> : null}
      {shown === undefined || shown.length === 0 ? null : (
        <div className="panel">
          <div className="session-row session-head soft small-text" aria-hidden="true">
            <span>Status</span>
            <span>Session</span>
            <span>Workflow</span>
            <span>Folder</span>
            <span className="right">Cost</span>
            <span className="right">Changed</span>
          </div>
          <ul className="session-list" aria-label="Sessions">
            {shown.map((session) => (
              <li key={session.sessionId}>
                <SessionRow session={session} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {isStarting ? <StartDialog sessions={data ?? []} onClose={() => setStarting(false)} /> : null}
    </Page>
  )
}

function NoSession({ hasOthers }: { readonly hasOthers: boolean }) {
  if (hasOthers) {
    return (
      <EmptyState title="No session passes these filters">Remove a filter to see more.</EmptyState>
    )
  }
  return (
    <EmptyState title="No session yet" command="statewright session start --harness claude-code">
      A session is an agent that Statewright starts and guards itself: every call is checked before
      it runs. Start one here, or in a terminal:
    </EmptyState>
  )
}

function Filters(props: {
  readonly filters: SessionFilters
  readonly onChange: (filters: SessionFilters) => void
}) {
  const { filters, onChange } = props
  return (
    <search className="row session-filters">
      {sessionGroups.map((group) => {
        const isOn = filters.show === group
        return (
          <Toggle
            key={group}
            isOn={isOn}
            onClick={() => onChange({ ...filters, show: isOn ? 'all' : group })}
          >
            {group}
          </Toggle>
        )
      })}
      <label className="field">
        <span className="visually-hidden">Harness</span>
        <select
          value={filters.harness}
          onChange={(event) => onChange({ ...filters, harness: event.target.value })}
        >
          <option value="">All harnesses</option>
          {harnesses.map((harness) => (
            <option key={harness}>{harness}</option>
          ))}
        </select>
      </label>
    </search>
  )
}

function SessionRow({ session }: { readonly session: SessionLine }) {
  const { sessionId, kind, harness, title, projectPath, workflow, costUsd, lastError } = session
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId }} className="session-row">
      <span>
        <SessionBadge kind={kind} />
      </span>
      <span className="clip">
        {title === null ? harness : <Foreign text={title} max={120} />}{' '}
        <span className="soft mono small-text">{shortId(sessionId)}</span>
      </span>
      <span className="clip">
        {workflow === null ? (
          <span className="soft">no workflow</span>
        ) : (
          <Foreign text={workflow} />
        )}
        {lastError === null ? null : <span className="bad"> {lastError.code}</span>}
      </span>
      <span className="clip soft session-place" title={projectPath}>
        <Foreign text={projectPath} max={200} />
      </span>
      <span className="number soft session-cost">{costUsd === 0 ? '–' : usd(costUsd)}</span>
      <span className="soft session-when">
        <Ago at={session.updatedAtMs} />
      </span>
    </Link>
  )
}
