import { hasEnded } from '@statewright/core/internal'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useEntries } from '../api/resources/entries.ts'
import { runQuery } from '../api/resources/queries.ts'
import {
  chapterCount,
  decisionChapter,
  type TourChapter,
  tourChapters,
  tourVerdict,
} from '../model/app/tour.ts'
import { plainText } from '../model/words/plain-text.ts'
import { DemoButton } from '../ui/demo/demo-button.tsx'
import { setTour, type TourState } from '../ui/demo/tour-state.ts'
import { CommandLine } from '../ui/page/command-line.tsx'
import './tour.css'

/**
 * Leads through the demo at the pace of the person: each stop shows its moment of the run, however
 * far the demo has played by then. It stands above the pages and covers nothing of what it shows.
 */
export function Tour({ runId, chapter }: TourState) {
  const entries = useEntries(runId).entries ?? none
  const chapters = tourChapters(entries)
  const current = chapters[chapter]
  const verdict = tourVerdict(entries)
  const isDecided = verdict !== undefined && chapter === decisionChapter
  useEffect(() => {
    if (isDecided) setTour({ runId, chapter: chapterCount })
  }, [isDecided, runId])
  useMoment(runId, current)
  usePointer(current)
  if (current === undefined) return <LastStop runId={runId} verdict={verdict} />
  const go = (to: number) => setTour({ runId, chapter: to })
  return (
    <Card title={current.title} step={chapter + 1}>
      <p aria-live="polite">{plainText(current.text, 600)}</p>
      <Progress runId={runId} current={current} newest={entries.at(-1)?.seq ?? 0} />
      <span className="row tour-buttons">
        <NextButton chapter={chapter} current={current} onNext={() => go(chapter + 1)} />
        <button
          type="button"
          className="button"
          disabled={chapter === 0}
          onClick={() => go(chapter - 1)}
        >
          Back
        </button>
        <button type="button" className="button quiet" onClick={() => setTour(null)}>
          Skip the tour
        </button>
      </span>
    </Card>
  )
}

const none: Parameters<typeof tourChapters>[0] = []

/** It has the focus first: who plays the demo by keyboard goes on by keyboard. */
function NextButton(props: {
  readonly chapter: number
  readonly current: TourChapter
  readonly onNext: () => void
}) {
  const { chapter, current, onNext } = props
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  const isHere = current.at !== undefined
  const isDecision = chapter === decisionChapter
  return (
    <button
      ref={button}
      type="button"
      className={isHere && !isDecision ? 'button primary' : 'button'}
      onClick={onNext}
    >
      {isDecision ? 'Go on without deciding' : isHere ? 'Next' : 'Go on without waiting'}
    </button>
  )
}

/** Says that the demo is not there yet, or that it will not come there any more. */
function Progress(props: {
  readonly runId: string
  readonly current: TourChapter
  readonly newest: number
}) {
  const { runId, current, newest } = props
  const run = useQuery(runQuery(runId))
  const isWaiting = current.at === undefined
  const isSilent = useSilence(newest, isWaiting)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (isWaiting) {
    const isOver = run.error !== null || (run.data !== undefined && hasEnded(run.data.status))
    if (isOver || isSilent) {
      return (
        <p role="status" className="row">
          The demo stopped before this step. Go on, or play it again: <DemoButton />
        </p>
      )
    }
    return <p role="status">The agent has not reached this step yet; it takes a few seconds…</p>
  }
  if (path === `/runs/${runId}`) return null
  return (
    <p>
      <Link to="/runs/$runId" params={{ runId }}>
        Back to the run of the demo
      </Link>
    </p>
  )
}

/** The demo does something every second or so. */
const silenceMs = 12_000

function useSilence(newest: number, isWaiting: boolean): boolean {
  const [silentAt, setSilentAt] = useState(-1)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => setSilentAt(newest), silenceMs)
    return () => clearTimeout(timer)
  }, [newest, isWaiting])
  return silentAt === newest
}

/** Shows the moment that the stop speaks of. */
function useMoment(runId: string, current: TourChapter | undefined): void {
  const navigate = useNavigate()
  const at = current === undefined || current.isLive ? undefined : current.at
  const isOn = current !== undefined
  // Who loads a page again in the middle of it is not taken elsewhere.
  const isKept = useRef(current?.target !== 'diagram' || !current.isLive)
  useEffect(() => {
    const wasKept = isKept.current
    isKept.current = false
    if (!isOn || wasKept) return
    const search = at === undefined ? {} : { at }
    void navigate({ to: '/runs/$runId', params: { runId }, search })
  }, [runId, at, isOn, navigate])
}

const targets: Readonly<Record<TourChapter['target'], string>> = {
  diagram: '.story-diagram',
  entry: '[aria-label="Selected entry"]',
  question: '[aria-label="Waiting for you"]',
}

/** Marks what the stop speaks of, as soon as it is drawn, and brings it into view. */
function usePointer(current: TourChapter | undefined): void {
  const target = current?.at === undefined ? undefined : current.target
  const at = current?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is another target.
  useEffect(() => {
    if (target === undefined) return undefined
    document.documentElement.dataset.tour = target
    const show = () => {
      const found = document.querySelector(targets[target])
      found?.scrollIntoView({ block: 'nearest' })
      return found !== null
    }
    const timer = show() ? undefined : setInterval(() => show() && clearInterval(timer), 100)
    return () => {
      clearInterval(timer)
      delete document.documentElement.dataset.tour
    }
  }, [target, at])
}

function LastStop(props: { readonly runId: string; readonly verdict: string | undefined }) {
  const { runId, verdict } = props
  const isDecided = verdict !== undefined
  return (
    <Card title="Guard my own project" step={undefined}>
      <p aria-live="polite">
        {verdictWords(verdict)} What the agent did stays in{' '}
        <Link to="/runs/$runId" params={{ runId }}>
          the history of the run
        </Link>
        . In the folder of your project, this asks three questions, writes a first workflow, starts
        its server, and guards your coding client (<a href="/docs/first-workflow">tutorial</a>):
      </p>
      <span className="tour-commands">
        <CommandLine text="statewright init" />
      </span>
      <p className="soft small-text">
        Where a terminal does not know <code>statewright</code> yet, run{' '}
        <code>npm run install:global</code> in the clone of Statewright first. Other clients: codex,
        gemini, opencode, copilot, cursor.
      </p>
      <span className="row tour-buttons">
        <DoneButton />
        <button
          type="button"
          className="button"
          onClick={() => setTour({ runId, chapter: decisionChapter - (isDecided ? 1 : 0) })}
        >
          Back
        </button>
      </span>
    </Card>
  )
}

function DoneButton() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <button ref={button} type="button" className="button primary" onClick={() => setTour(null)}>
      Done
    </button>
  )
}

function verdictWords(verdict: string | undefined): string {
  if (verdict === 'approved') return 'You approved it, and the agent could go on.'
  if (verdict === 'rejected') return 'You said no, and the agent stays where it is.'
  return 'That was the demo.'
}

function Card(props: {
  readonly title: string
  readonly step: number | undefined
  readonly children: ReactNode
}) {
  const { title, step, children } = props
  return (
    <section className="tour" aria-label="Tour">
      <header className="row">
        <h2>{title}</h2>
        {step === undefined ? null : (
          <span className="soft small-text">
            {step} of {chapterCount}
          </span>
        )}
      </header>
      {children}
    </section>
  )
}
