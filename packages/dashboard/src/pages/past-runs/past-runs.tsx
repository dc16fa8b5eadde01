import type { Replay } from '@statewright/core/wire'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { type TriedRules, tryOnPastRuns } from '../../api/resources/replays.ts'
import { amount, replayShare } from '../../model/history/replay-words.ts'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { ReplayReportView } from './replay-report.tsx'

const dayMs = 86_400_000
const spans = [
  { days: 1, word: 'the last day' },
  { days: 7, word: 'the last week' },
  { days: 30, word: 'the last 30 days' },
  { days: null, word: 'all runs' },
] as const

/** A button beside Save: what would these rules have done? */
export function TryOnPastRuns({ rules }: { readonly rules: TriedRules | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={rules === null}
        onClick={() => setOpen(true)}
      >
        Try on past runs
      </button>
      {isOpen && rules !== null ? <PastRuns rules={rules} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Starts a replay, follows it, and stops it when its viewer leaves. */
function useReplay(rules: TriedRules) {
  const [replay, setReplay] = useState<Replay | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const current = useRef<AbortController | null>(null)
  const start = async (days: number | null) => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    setProblem(null)
    setReplay(null)
    const show = (next: Replay) => {
      if (current.current === own) setReplay(next)
    }
    const since = days === null ? undefined : Date.now() - days * dayMs
    try {
      await tryOnPastRuns(rules, since, show, own.signal)
    } catch (fault) {
      if (current.current === own) setProblem(problemOf(fault))
    }
  }
  // Anyone who closes it wants no answer any more: the server need not go on.
  useEffect(() => () => current.current?.abort(), [])
  return { replay, problem, start, stop: () => current.current?.abort() }
}

function PastRuns(props: { readonly rules: TriedRules; readonly onClose: () => void }) {
  const { rules, onClose } = props
  const [days, setDays] = useState<number | null>(30)
  const { replay, problem, start, stop } = useReplay(rules)
  const isRunning = replay?.status === 'running'
  return (
    <Modal
      isOpen
      onClose={onClose}
      title="Try on past runs"
      description="Replays past runs under these rules. Nothing is saved, and no run changes."
      isWide
    >
      <div className="row replay-form">
        <label className="field">
          <span>Runs of</span>
          <select
            value={days ?? ''}
            disabled={isRunning}
            onChange={({ target }) => setDays(target.value === '' ? null : Number(target.value))}
          >
            {spans.map((span) => (
              <option key={span.word} value={span.days ?? ''}>
                {span.word}
              </option>
            ))}
          </select>
        </label>
        {isRunning ? (
          <button type="button" className="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" className="button primary" onClick={() => void start(days)}>
            {replay === null ? 'Try' : 'Try again'}
          </button>
        )}
      </div>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {replay === null ? null : (
        <Outcome
          replay={replay}
          definition={'definition' in rules ? rules.definition : undefined}
        />
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

/** Draws a machine, which only a report with differences needs. */
const ReplayHeat = lazy(async () => ({
  default: (await import('./replay-heat.tsx')).ReplayHeat,
}))

function Outcome(props: { readonly replay: Replay; readonly definition: string | undefined }) {
  const { replay, definition } = props
  const { status, report, problem, entries, of } = replay
  if (report !== undefined) {
    return (
      <>
        <ReplayReportView report={report} />
        {definition === undefined ? null : (
          <Suspense fallback={null}>
            <ReplayHeat text={definition} report={report} />
          </Suspense>
        )}
      </>
    )
  }
  if (problem !== undefined) return <ProblemNote problem={problem} />
  if (status === 'cancelled') return <p role="status">Stopped. Nothing was changed.</p>
  const share = replayShare(replay)
  return (
    <div className="stack" role="status">
      <progress aria-label="Played" {...(share === null ? {} : { value: share })} />
      <p className="soft small-text">
        {of === 0 ? 'Looking for runs…' : `${amount(entries, 'entry')} of ${amount(of, 'entry')}`}
      </p>
    </div>
  )
}
