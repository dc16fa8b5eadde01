import type { AgentStateKind } from '@statewright/core/internal'
import type { Session } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { problemOf } from '../../api/problem.ts'
import { sessionQuery } from '../../api/sessions.ts'
import { plainText } from '../../model/plain-text.ts'
import { shortId, usd } from '../../model/words.ts'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { SessionBadge } from '../sessions/session-badge.tsx'
import { Chat } from './chat.tsx'
import { Composer } from './composer.tsx'
import { LaneChart } from './lane-chart.tsx'
import { StopButton } from './stop-button.tsx'
import { type SessionStory, useSession } from './use-session.ts'
import './session.css'

export function SessionPage() {
  const { sessionId } = useParams({ from: '/sessions/$sessionId' })
  // Another session is another story, which must not begin with the words of the one before.
  return <OneSession key={sessionId} sessionId={sessionId} />
}

/** One session, live: what is said, what runs when, and what a person can do about it. */
function OneSession({ sessionId }: { readonly sessionId: string }) {
  const story = useSession(sessionId)
  const { data: now, error } = useQuery(sessionQuery(sessionId))
  const { view, lanes } = story
  // Until the story has come, the server's word holds, for everything on the page alike.
  const state = view.state === 'idle' ? (now?.kind ?? 'idle') : view.state
  const title = now === undefined ? 'Session' : `${now.harness} session`
  return (
    <div className="session">
      <Page
        title={title}
        subtitle={<Facts sessionId={sessionId} story={story} state={state} now={now} />}
        actions={<StopButton sessionId={sessionId} state={state} />}
      >
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        <LaneChart lanes={lanes} />
        <Chat sessionId={sessionId} view={view} now={now} />
        <Composer sessionId={sessionId} state={state} />
      </Page>
    </div>
  )
}

function Facts(props: {
  readonly sessionId: string
  readonly story: SessionStory
  readonly state: AgentStateKind
  readonly now: Session | undefined
}) {
  const { sessionId, story, state, now } = props
  const { view, connection } = story
  const tokens = view.inputTokens + view.outputTokens
  return (
    <span className="row tight">
      <SessionBadge kind={state} />
      {state === 'error' && typeof now?.retryAtMs === 'number' ? (
        <span className="badge wait">◷ tries again by itself</span>
      ) : null}
      {connection === 'lost' ? <span className="badge bad">△ not live, trying again</span> : null}
      <span className="mono">{shortId(sessionId)}</span>
      <span className="number session-spent">
        {usd(view.costUsd)}
        {tokens === 0 ? '' : ` · ${tokens.toLocaleString('en')} tokens`}
      </span>
      {view.model === null ? null : <span>{plainText(view.model, 60)}</span>}
      {now?.runId ? (
        <Link to="/runs/$runId" params={{ runId: now.runId }}>
          judged by a run of {plainText(now.workflow ?? 'a process', 60)}
        </Link>
      ) : null}
      {now === undefined ? null : (
        <span className="foreign">in {plainText(now.projectPath, 200)}</span>
      )}
    </span>
  )
}
