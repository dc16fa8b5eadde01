import type { AgentStateKind } from '@statewright/core/internal'
import type { Session } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { sessionQuery } from '../../api/resources/sessions.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, shortId, usd } from '../../model/words/words.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { useMedia } from '../../ui/page/use-media.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { RunQuestions } from '../approvals/run-question.tsx'
import { SessionBadge } from '../sessions/session-badge.tsx'
import { Chat } from './chat.tsx'
import { Composer, ResumeBar } from './composer.tsx'
import { FailureNote } from './failure-note.tsx'
import { LaneChart } from './lane-chart.tsx'
import { QueuedInputs } from './queued-inputs.tsx'
import { SessionActions } from './session-actions.tsx'
import { isTurnOpen } from './turns.ts'
import { type SessionStory, useSession } from './use-session.ts'
import './session.css'

// Pictures are large, and a narrow page has no room for one.
const SessionMachine = lazy(async () => ({
  default: (await import('./session-machine.tsx')).SessionMachine,
}))
const roomForMachine = '(min-width: 1180px)'

export function SessionPage() {
  const { sessionId } = useParams({ from: '/sessions/$sessionId' })
  // Another session is another story, which must not begin with the words of the one before.
  return <OneSession key={sessionId} sessionId={sessionId} />
}

/** One session, live: what is said, what runs when, and what a person can do about it. */
function OneSession({ sessionId }: { readonly sessionId: string }) {
  const { data: now, error, refetch } = useQuery(sessionQuery(sessionId))
  const story = useSession(sessionId, now)
  const { view, lanes } = story
  const hasRoom = useMedia(roomForMachine)
  // Until the story has come, the server's word holds, for everything on the page alike.
  const state = view.state === 'idle' ? (now?.kind ?? 'idle') : view.state
  if (error !== null && problemOf(error).status === 404) return <NoSession sessionId={sessionId} />
  const queued = view.items.flatMap((item) =>
    item.kind === 'input' && item.isQueued === true ? [item] : [],
  )
  return (
    <div className="session">
      <Page
        title={now === undefined ? 'Session' : plainText(titleOf(now), 200)}
        subtitle={<Facts sessionId={sessionId} story={story} state={state} now={now} />}
        actions={
          now === undefined ? undefined : (
            <SessionActions session={now} state={state} model={view.model} />
          )
        }
      >
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        <LaneChart lanes={lanes} />
        <div className="session-middle">
          <Chat sessionId={sessionId} view={view} now={now} />
          {hasRoom && now?.runId ? (
            <Suspense fallback={<aside className="panel session-machine" aria-hidden="true" />}>
              <SessionMachine runId={now.runId} />
            </Suspense>
          ) : null}
        </div>
        {now?.runId ? <RunQuestions runId={now.runId} /> : null}
        {now !== undefined && now.kind === state ? <FailureNote session={now} /> : null}
        <QueuedInputs sessionId={sessionId} inputs={queued} isWorking={isTurnOpen(state)} />
        {state === 'stopped' ? (
          <ResumeBar sessionId={sessionId} onResumed={() => void refetch()} />
        ) : (
          <Composer sessionId={sessionId} state={state} />
        )}
      </Page>
    </div>
  )
}

function titleOf({ title, harness }: Session): string {
  return title ?? `${harness} session`
}

function NoSession({ sessionId }: { readonly sessionId: string }) {
  return (
    <Page title="Session" subtitle={shortId(sessionId)}>
      <EmptyState
        title="There is no such session"
        action={<Link to="/sessions">All sessions</Link>}
      >
        The address may be wrong, or somebody has removed the session.
      </EmptyState>
    </Page>
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
  const unpriced = now?.unpricedRequests ?? 0
  const tokens = view.inputTokens + view.outputTokens
  const model = now?.state.chosenModel ?? view.model
  return (
    <span className="row session-facts">
      <SessionBadge kind={state} />
      {connection === 'lost' ? (
        <span className="badge bad">
          <Mark name="care" />
          not live, trying again
        </span>
      ) : null}
      <span className="mono">{shortId(sessionId)}</span>
      <span className="number session-spent">
        {usd(view.costUsd)}
        {unpriced === 0 ? '' : ` and ${count(unpriced, 'request')} of unknown price`}
        {tokens === 0 ? '' : ` · ${tokens.toLocaleString('en')} tokens`}
      </span>
      {model === null ? null : <span className="foreign">{plainText(model, 60)}</span>}
      {now?.runId ? (
        <Link to="/runs/$runId" params={{ runId: now.runId }}>
          guarded by a run of {plainText(now.workflow ?? 'a process', 60)}
        </Link>
      ) : null}
      {now === undefined ? null : (
        <span className="foreign">in {plainText(now.projectPath, 200)}</span>
      )}
    </span>
  )
}
