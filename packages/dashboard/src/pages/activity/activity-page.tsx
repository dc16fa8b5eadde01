import type { Activity } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../api/client/problem.ts'
import { activityQuery } from '../../api/resources/activity.ts'
import type { ActivitySpan } from '../../model/runs/activity-span.ts'
import { stuckSentence, sumsOf, tookWords } from '../../model/words/activity-words.ts'
import { usd } from '../../model/words/words.ts'
import { DemoButton } from '../../ui/demo/demo-button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Charts } from './charts.tsx'
import { Rankings } from './rankings.tsx'
import './activity.css'
import { Toggle } from '../../ui/page/toggle.tsx'

const spans: readonly (readonly [span: ActivitySpan, word: string])[] = [
  ['day', '24 hours'],
  ['three_days', '3 days'],
  ['week', '7 days'],
  ['month', '30 days'],
]

/** What agents did over time, and where they get stuck. */
export function ActivityPage() {
  const { span = 'day' } = useSearch({ from: '/activity' })
  const navigate = useNavigate()
  const { data, error } = useQuery(activityQuery(span))
  return (
    <Page
      title="Activity"
      subtitle="Where do agents get stuck? From the newest entries of all runs"
      actions={
        <div className="row tight">
          {spans.map(([name, word]) => (
            <Toggle
              key={name}
              isOn={span === name}
              onClick={() =>
                void navigate({
                  to: '/activity',
                  search: name === 'day' ? {} : { span: name },
                  replace: true,
                })
              }
            >
              {word}
            </Toggle>
          ))}
        </div>
      }
    >
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data === undefined ? <p className="soft">Counting…</p> : <Shown activity={data} />}
    </Page>
  )
}

function Shown({ activity }: { readonly activity: Activity }) {
  const sums = sumsOf(activity)
  if (sums.calls + sums.transitions + sums.refused === 0) {
    return (
      <EmptyState
        title="Nothing happened in this period"
        command="statewright init"
        action={<DemoButton />}
      >
        Once a guarded agent works, this page shows what it is denied, by which rule and in which
        state. Put a coding client under guard, or watch a scripted one:
      </EmptyState>
    )
  }
  const { approvals } = activity
  return (
    <>
      <p className="note activity-answer">{stuckSentence(activity)}</p>
      <dl className="tiles">
        <Tile name="Calls" value={sums.calls.toLocaleString('en')} />
        <Tile name="Denied" value={sums.denied.toLocaleString('en')} tone="bad" />
        <Tile name="Transitions" value={sums.transitions.toLocaleString('en')} />
        <Tile name="Blocked transitions" value={sums.refused.toLocaleString('en')} />
        <Tile name="Approvals" value={approvals.opened.toLocaleString('en')} />
        <Tile name="Median response" value={tookWords(approvals.median_ms)} />
        <Tile name="Spent" value={usd(sums.costUsd)} />
      </dl>
      <Charts activity={activity} />
      <Rankings denials={activity.denials} />
    </>
  )
}

function Tile(props: { readonly name: string; readonly value: string; readonly tone?: 'bad' }) {
  const { name, value, tone } = props
  return (
    <div className="panel tile">
      <dt className="soft small-text">{name}</dt>
      <dd className={tone === 'bad' && value !== '0' ? 'number bad' : 'number'}>{value}</dd>
    </div>
  )
}
