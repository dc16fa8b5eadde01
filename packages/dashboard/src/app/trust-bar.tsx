import type { Trust, Usage } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../api/resources/queries.ts'
import { configQuery, trustQuery } from '../api/resources/settings.ts'
import { waitingKind } from '../model/app/waiting-change.ts'
import { plainText } from '../model/words/plain-text.ts'
import { count, levelNames } from '../model/words/words.ts'
import { useFeedState } from '../ui/page/feed-state.ts'
import { Mark } from '../ui/values/mark.tsx'

/** Can I trust this right now? One line on every page. */
export function TrustBar() {
  const trust = useQuery(trustQuery).data
  const usage = useQuery(usageQuery).data
  // What it said last may no longer hold while the server cannot be heard.
  const isLost = useFeedState() === 'lost'
  if (isLost) {
    return (
      <section className="trust" aria-label="Protection">
        <LiveMark />
        <span className="badge wait">protection not known</span>
      </section>
    )
  }
  return (
    <section className="trust" aria-label="Protection">
      <LiveMark />
      {trust === undefined ? null : <Facts trust={trust} />}
      <WaitingChange />
      {usage === undefined ? null : <span className="trust-usage soft">{usageText(usage)}</span>}
    </section>
  )
}

/** Anyone who changed the files may believe that the change holds: it does not, until accepted. */
function WaitingChange() {
  const changes = useQuery(configQuery).data?.waiting?.changes ?? []
  if (changes.length === 0) return null
  const kind = waitingKind(changes)
  return (
    <Link to="/settings" className={kind === 'other' ? 'badge wait' : 'badge bad'}>
      <Mark name={kind === 'other' ? 'care' : 'danger'} />
      {waitingWords[kind]}
    </Link>
  )
}

const waitingWords = {
  programs: 'programs wait to be accepted',
  looser: 'a change that loosens the rules is waiting',
  other: 'a change of the settings is waiting',
} as const

/** Denials are those of live runs: a number that falls when a run ends needs its reason. */
function usageText({ runs, denials }: Usage): string {
  const live = Object.values(runs).reduce((sum, one) => sum + one, 0)
  if (live === 0) return 'no live run'
  return `${count(live, 'live run')} with ${count(denials, 'denial')}`
}

function LiveMark() {
  const state = useFeedState()
  const words = { connecting: 'Connecting', live: 'Live', lost: 'Not live, trying again' } as const
  return (
    <span className={`live is-${state}`} role="status">
      <span aria-hidden="true" className="live-dot" />
      {words[state]}
    </span>
  )
}

/** Enforcing holds what has rules: a session that gets none is said to be open. */
function NewSessions({ trust }: { readonly trust: Trust }) {
  const sessions = trust.new_sessions
  if (sessions.guard !== 'open' && sessions.guard !== 'broken') return null
  const words = { open: 'new sessions are not guarded', broken: 'new sessions are denied' }
  return (
    <span className="badge bad" title={sessions.sentence}>
      <Mark name="danger" />
      {words[sessions.guard]}
    </span>
  )
}

/** A run whose agent has switched its rules off stands as if it were held. */
function Unguarded({ trust }: { readonly trust: Trust }) {
  const runs = trust.unguarded
  if (runs.length === 0) return null
  const names = runs.map(({ workflow }) => plainText(workflow, 40)).join(', ')
  return (
    <span className="badge bad" title={`Paused by the agent: ${names}`}>
      <Mark name="danger" />
      {count(runs.length, 'unguarded run')}
    </span>
  )
}

function Facts({ trust }: { readonly trust: Trust }) {
  const { mode, level, sentence, unjudged, enforcement_gap_until: gap, strict } = trust
  return (
    <Link to="/settings" className="trust-facts">
      {mode === 'enforce' ? (
        <span className="badge good">
          <Mark name="done" />
          enforcing{strict ? ', strict' : ''}
        </span>
      ) : (
        <span className="badge wait">
          <Mark name="care" />
          observing only
          {trust.would_have_denied === null ? '' : `: ${trust.would_have_denied} would be denied`}
        </span>
      )}
      <Unguarded trust={trust} />
      {mode === 'enforce' ? <NewSessions trust={trust} /> : null}
      <span className={`badge ${level === 'L0' ? 'wait' : 'good'}`} title={sentence}>
        {level}
        <span className="trust-zero">{levelNames[level]}</span>
      </span>
      {unjudged.count === 0 ? null : (
        <span className="badge bad">
          <Mark name="danger" />
          {count(unjudged.count, 'unjudged call')}
        </span>
      )}
      {gap === null ? null : (
        <span className="badge bad" title={`until ${new Date(gap).toLocaleString()}`}>
          <Mark name="danger" />
          enforcement gap
        </span>
      )}
    </Link>
  )
}
