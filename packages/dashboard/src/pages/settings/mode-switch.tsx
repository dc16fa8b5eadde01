import { endpoints, type Mode, type ModeNow, type StoppedCall } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import { modeQuery } from '../../api/resources/settings.ts'
import { count } from '../../model/words/words.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'

const modes = [
  { mode: 'enforce', word: 'Enforce', what: 'what the rules deny is denied' },
  {
    mode: 'observe',
    word: 'Observe',
    what: 'denials are only recorded, except for calls that would touch Statewright itself',
  },
] as const

/** Deny, or only watch: one switch, with what it would change. */
export function ModeSwitch() {
  const { data: now, error } = useQuery(modeQuery)
  const [requested, setRequested] = useState<Mode | null>(null)
  return (
    <section className="panel" aria-labelledby="mode-title">
      <header>
        <h2 id="mode-title">Observe or enforce</h2>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {now === undefined ? null : (
        <div className="body stack">
          <fieldset className="choices">
            <legend className="visually-hidden">Mode</legend>
            <div className="row">
              {modes.map(({ mode, word, what }) => (
                <button
                  key={mode}
                  type="button"
                  aria-pressed={now.mode === mode}
                  className={now.mode === mode ? 'button is-on' : 'button'}
                  onClick={() => (now.mode === mode ? undefined : setRequested(mode))}
                >
                  {word}
                  <span className="soft small-text mode-what">{what}</span>
                </button>
              ))}
            </div>
          </fieldset>
          <WhoseWord now={now} />
          <Stopped now={now} />
        </div>
      )}
      {requested === null || now === undefined ? null : (
        <Confirm
          title={`Switch to ${requested}`}
          description={consequence(now, requested)}
          word={requested === 'observe' ? 'Stop blocking' : 'Start blocking'}
          act={() => call(endpoints.setMode, { body: { mode: requested } })}
          done={requested === 'observe' ? 'Only observing from now on' : 'Enforcing from now on'}
          isDangerous={requested === 'observe'}
          onClose={() => setRequested(null)}
        />
      )}
    </section>
  )
}

function WhoseWord({ now }: { readonly now: ModeNow }) {
  const { choice, ended, configured, origin, since } = now
  return (
    <p className="small-text soft">
      {choice === null ? (
        <>
          The configuration says so (<Foreign text={origin} max={200} />
          ), since <Ago at={since} />.
        </>
      ) : (
        <>
          <Foreign text={choice.by} max={60} /> switched it, <Ago at={choice.at} />. The
          configuration says {configured} (<Foreign text={origin} max={200} />
          ); this switch overrides it, also after a restart.
        </>
      )}
      {ended === null ? null : (
        <>
          {' '}
          The switch to {ended.mode} by <Foreign text={ended.by} max={60} /> ended{' '}
          <Ago at={ended.until} />, when the configuration changed.
        </>
      )}
    </p>
  )
}

const maxShown = 5

function Stopped({ now: { mode, stopped } }: { readonly now: ModeNow }) {
  const observes = mode === 'observe'
  if (stopped.count === 0) {
    return (
      <p>
        {observes
          ? 'No call would have been denied so far.'
          : 'No call was denied since this mode began.'}
      </p>
    )
  }
  return (
    <div className="stack">
      <p>
        <strong>{count(stopped.count, 'call')}</strong>{' '}
        {observes ? 'would have been' : stopped.count === 1 ? 'was' : 'were'} denied or held for a
        person {observes ? 'so far' : 'since this mode began'}. The newest:
      </p>
      <div className="scroll-x">
        <table className="table stopped-calls">
          <thead>
            <tr>
              <th>Tool</th>
              <th>Why</th>
              <th>Run</th>
              <th>When</th>
            </tr>
          </thead>
          <tbody>
            {stopped.latest.slice(0, maxShown).map((call) => (
              <StoppedLine key={`${call.run_id} ${call.seq}`} call={call} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function StoppedLine({ call }: { readonly call: StoppedCall }) {
  return (
    <tr>
      <td>
        <Foreign text={call.tool} max={80} />
      </td>
      <td>
        <code>{call.code ?? call.decision}</code>{' '}
        <span className="soft">
          <Foreign text={call.message} max={160} />
        </span>
      </td>
      <td>
        <Link to="/runs/$runId" params={{ runId: call.run_id }} search={{ at: call.seq }}>
          <Foreign text={call.workflow} max={40} /> in <Foreign text={call.state} max={40} />
        </Link>
      </td>
      <td>
        <Ago at={call.at} />
      </td>
    </tr>
  )
}

function consequence({ stopped }: ModeNow, wanted: Mode): string {
  if (wanted === 'observe') {
    return (
      'Calls pass whatever the workflow says, except those that would touch Statewright itself. ' +
      'What would have been denied is recorded and counted here. ' +
      'You confirm it with your passkey or PIN.'
    )
  }
  const so = stopped.count === 0 ? 'So far none' : `So far ${count(stopped.count, 'call')}`
  return `From the next call on, what the rules deny is denied. ${so} would have been stopped.`
}
