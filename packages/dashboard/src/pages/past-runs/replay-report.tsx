import type { ReplayReport } from '@statewright/core/wire'
import { Link } from '@tanstack/react-router'
import { amount, differenceWords, replaySentence } from '../../model/history/replay-words.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'

const shownGroups = 8
const shownMoves = 5

/** What tried rules would have done: the sentence, the rules that speak, calls worth a look. */
export function ReplayReportView({ report }: { readonly report: ReplayReport }) {
  const { rules, telling, divergences, missing, notes } = report
  return (
    <div className="stack" role="status">
      <p>
        <strong>{replaySentence(report)}</strong>
      </p>
      <Differences report={report} />
      <Groups title="By rule" groups={rules} />
      {telling.length === 0 ? null : (
        <section aria-label="Calls worth a look">
          <h3>Calls worth a look</h3>
          <ul className="stack">
            {telling.map((call) => (
              <li key={`${call.run} ${call.index}`} className="replayed-call">
                <code className="foreign">{plainText(call.shown, 300)}</code>
                <span className="small-text foreign">
                  {call.before ?? 'not checked'} → {call.after}
                  {call.message === undefined ? '' : `: ${plainText(call.message, 300)}`}
                </span>
                <EntryLink run={call.run} index={call.index} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {divergences.first.length === 0 ? null : (
        <section aria-label="Runs that would take another path">
          <h3>Runs that would take another path</h3>
          <ul className="stack small-text">
            {divergences.first.slice(0, shownMoves).map((one) => (
              <li key={one.run} className="replayed-call">
                <span className="foreign">
                  instead of <code>{plainText(one.expected, 200)}</code>:{' '}
                  {plainText(one.instead, 300)}
                </span>
                <span className="soft">{amount(one.not_compared, 'later entry')} not compared</span>
                <EntryLink run={one.run} index={one.index} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Groups title="Not recorded, so not decided" groups={missing} />
      {notes.map(({ text, count }) => (
        <p key={text} className="soft small-text foreign">
          {plainText(text, 300)}
          {count > 1 ? ` (${count})` : ''}
        </p>
      ))}
    </div>
  )
}

function Differences({ report }: { readonly report: ReplayReport }) {
  const seen = differenceWords.filter(({ kind }) => (report.differences[kind] ?? 0) > 0)
  if (seen.length === 0) return null
  return (
    <p className="row">
      {seen.map(({ kind, tone, word }) => (
        <span key={kind} className={`badge ${tone}`}>
          {amount(report.differences[kind] ?? 0, 'call')} {word}
        </span>
      ))}
    </p>
  )
}

function Groups(props: { readonly title: string; readonly groups: ReplayReport['rules'] }) {
  const { title, groups } = props
  if (groups.length === 0) return null
  const more = groups.length - shownGroups
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="stack small-text">
        {groups.slice(0, shownGroups).map(({ name, kind, count, samples }) => (
          <li key={`${name} ${kind}`} className="row spread">
            <span className="foreign">
              <code>{plainText(name ?? 'others', 120)}</code>{' '}
              <span className="soft">
                <Foreign text={samples[0]?.shown ?? ''} max={80} />
              </span>
            </span>
            <span className="number">{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="soft small-text">and {amount(more, 'more rule')}</p> : null}
    </section>
  )
}

/** In a tab of its own: what is being written must not be left for it. */
function EntryLink({ run, index }: { readonly run: string; readonly index: number }) {
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run }}
      search={{ at: index }}
      target="_blank"
      className="small-text"
    >
      show in its run
    </Link>
  )
}
