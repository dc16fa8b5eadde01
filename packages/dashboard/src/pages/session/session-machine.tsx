import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { programQuery, useEntries } from '../../api/resources/entries.ts'
import { runQuery } from '../../api/resources/queries.ts'
import { type ReadProgram, readProgram } from '../../model/history/program-text.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { StateDiagram } from '../diagram/state-diagram.tsx'
import { useMoment } from '../run/use-moment.ts'

/** The run that judges a session, beside the conversation: where it stands and what it allows. */
export function SessionMachine({ runId }: { readonly runId: string }) {
  const program = useQuery(programQuery(runId)).data?.program
  const { entries } = useEntries(runId)
  const read = useMemo(() => (program === undefined ? null : readProgram(program)), [program])
  return (
    <aside className="panel session-machine" aria-label="Workflow of the session">
      {read === null || entries === undefined ? (
        <p className="soft body">Reading…</p>
      ) : (
        <Machine runId={runId} read={read} entries={entries} />
      )}
    </aside>
  )
}

function Machine(props: {
  readonly runId: string
  readonly read: ReadProgram
  readonly entries: readonly PlacedEntry[]
}) {
  const { runId, read, entries } = props
  const now = useQuery(runQuery(runId)).data
  const { graph, marks, view, choice } = useMoment({ read, entries, now, at: undefined })
  return (
    <>
      <header>
        <h2>
          <Link to="/runs/$runId" params={{ runId }}>
            {plainText(choice.machine, 60)}
          </Link>
        </h2>
        {now === undefined ? null : <StatusBadge status={now.status} />}
      </header>
      <div className="session-picture">
        {graph === null ? null : <StateDiagram key={choice.machine} graph={graph} marks={marks} />}
      </div>
      {view === undefined || now === undefined || isOver(now.status) ? null : (
        <dl className="body facts">
          <div>
            <dt>Allowed now</dt>
            <dd>{toolWords(view.allowed_tools)}</dd>
          </div>
          <div>
            <dt>Next events</dt>
            <dd>
              {view.transitions.length === 0
                ? 'none'
                : view.transitions.map(({ event }) => plainText(event, 60)).join(', ')}
            </dd>
          </div>
        </dl>
      )}
    </>
  )
}

function toolWords(tools: readonly string[] | null): string {
  if (tools === null) return 'any tool'
  return tools.length === 0 ? 'no tools' : plainText(tools.join(', '), 200)
}

function isOver(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'stopped'
}
