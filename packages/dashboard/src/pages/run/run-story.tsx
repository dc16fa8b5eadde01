import { lazy, Suspense, useCallback, useState } from 'react'
import type { Fold } from '../../model/history/fold.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { seenSoFar } from '../../model/history/seen-so-far.ts'
import { type EntryKind, entriesOfKinds } from '../../model/words/entry-words.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { useFeedState } from '../../ui/page/feed-state.ts'
import { useHotkeys } from '../../ui/page/hotkeys.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { StateDiagram } from '../diagram/state-diagram.tsx'
import { EntryDetails } from './entry-details.tsx'
import { RunFacts } from './run-facts.tsx'
import { Scrubber } from './scrubber.tsx'
import { Timeline } from './timeline.tsx'
import { type LaneChoice as Choice, type Moment, type RunHistory, useMoment } from './use-moment.ts'
import './run.css'
import { Toggle } from '../../ui/page/toggle.tsx'

// It judges and edits texts, which only somebody who looks at a denial needs.
const RunSuggestion = lazy(async () => ({
  default: (await import('../suggest/run-suggestion.tsx')).RunSuggestion,
}))

interface StoryProps extends RunHistory {
  readonly runId: string
  /** Whether older entries are still on their way. */
  readonly isReading?: boolean
  readonly onSelect: (seq: number | undefined) => void
}

/**
 * The history of a run with everything that follows from it. The selected entry decides what the
 * diagram, the data and the limits show; without one they show the newest.
 */
export function RunStory(props: StoryProps) {
  const { entries, now, onSelect, isReading = false } = props
  const moment = useMoment(props)
  const { index, isLive, isWhole, selected, choice, graph, marks } = moment
  const [kinds, setKinds] = useState<readonly EntryKind[]>([])
  const selectIndex = useCallback(
    (to: number | undefined) => onSelect(to === undefined ? undefined : entries[to]?.seq),
    [entries, onSelect],
  )
  useStepKeys(entries, kinds, index, selectIndex)
  return (
    <div className="story">
      <section className="panel story-diagram" aria-label="States">
        <header>
          <LaneChoice {...choice} />
          {isLive ? (
            <NowBadge isRunning={now !== undefined} />
          ) : (
            <button type="button" className="button small" onClick={() => onSelect(undefined)}>
              As of entry {selected?.seq} · back to now <kbd>Esc</kbd>
            </button>
          )}
        </header>
        {graph === null ? null : <StateDiagram key={choice.machine} graph={graph} marks={marks} />}
        <Scrubber
          entries={entries}
          index={index}
          isLive={isLive}
          onIndex={selectIndex}
          hasLink={now !== undefined}
        />
      </section>
      <Timeline
        entries={entries}
        total={isWhole ? entries.length : tailWords(entries, isReading)}
        kinds={kinds}
        onKinds={setKinds}
        selected={index}
        isLive={isLive}
        onSelect={onSelect}
      />
      <StoryFacts {...props} moment={moment} />
    </div>
  )
}

/** Without the server it is not known where the run stands by now. */
function NowBadge({ isRunning }: { readonly isRunning: boolean }) {
  const isLost = useFeedState() === 'lost'
  if (!isRunning) return <span className="badge live">at the end</span>
  return isLost ? (
    <span className="badge">last known</span>
  ) : (
    <span className="badge live">now</span>
  )
}

/** What was known and possible at the moment that is shown. */
function StoryFacts(props: StoryProps & { readonly moment: Moment }) {
  const { runId, read, entries, now, onSelect, isReading = false, moment } = props
  const { index, isLive, isWhole, selected, choice, fold } = moment
  if (moment.view === undefined) {
    return (
      <div className="story-facts">
        {isLive || selected === undefined ? null : (
          <EntryDetails
            runId={now === undefined ? undefined : runId}
            entry={selected}
            definition={read.definitions.get(choice.machine)?.definition}
            suggestion={null}
            failed={moment.failed}
          />
        )}
        <p className="soft">
          {isWhole
            ? null
            : isReading
              ? 'Reading the older entries…'
              : 'The history is too long to replay here: only the current state is shown.'}
        </p>
      </div>
    )
  }
  return (
    <RunFacts
      runId={now === undefined ? undefined : runId}
      view={moment.view}
      // Facts and marks are those of the whole run, whichever branch is looked at.
      seen={seenSoFar(isLive && now !== undefined ? now : moment.view, read.definitions, entries)}
      failed={moment.failed}
      onSelect={onSelect}
      contextBefore={contextBefore(fold, index, choice.branch)}
      entry={isLive ? undefined : selected}
      definitions={read.definitions}
      machine={choice.machine}
      suggestion={
        now !== undefined && !isLive && selected !== undefined && isDenial(selected) ? (
          <Suspense fallback={null}>
            <RunSuggestion read={read} entry={selected} before={fold.snapshots[index - 1]} />
          </Suspense>
        ) : null
      }
    />
  )
}

function tailWords(entries: readonly PlacedEntry[], isReading: boolean): string {
  const words = `newest ${entries.length} of ${entries.at(-1)?.seq ?? 0}`
  return isReading ? `${words}; reading the others…` : `${words}; the export has all`
}

/** Steps go through what the list shows, not through what it hides. */
function useStepKeys(
  entries: readonly PlacedEntry[],
  kinds: readonly EntryKind[],
  index: number,
  select: (index: number | undefined) => void,
): void {
  const step = (by: 1 | -1) => {
    const shown = entriesOfKinds(entries, kinds)
    const next =
      by === 1 ? shown.find((one) => one.index > index) : shown.findLast((one) => one.index < index)
    if (next !== undefined) select(next.index)
  }
  useHotkeys({
    j: () => step(1),
    k: () => step(-1),
    Escape: () => select(undefined),
    End: () => select(undefined),
    Home: () => select(0),
  })
}

/** The definitions on the stack and the branches of a fork, one of each to be looked at. */
function LaneChoice(props: Choice) {
  const { machines, machine, onMachine, branches, branch, onBranch } = props
  return (
    <nav className="row tight" aria-label="Definitions">
      {machines.map((name, depth) => (
        <Toggle key={name} isOn={name === machine} onClick={() => onMachine(name)}>
          {depth > 0 ? <Mark name="into" /> : null}
          {plainText(name, 40)}
        </Toggle>
      ))}
      {branches.map((name) => (
        <Toggle key={name} isOn={name === branch} onClick={() => onBranch(name)}>
          <Mark name="branch" /> {plainText(name, 40)}
        </Toggle>
      ))}
    </nav>
  )
}

function isDenial(entry: PlacedEntry): boolean {
  return entry.type === 'call_decided' && entry.decision === 'deny'
}

/** The data before the step of an entry, to show what the step wrote. */
function contextBefore(fold: Fold, index: number, branch: string | undefined) {
  let start = index
  while (start > 0 && fold.entries[start]?.cause === undefined) start -= 1
  const snapshot = fold.snapshots[start - 1]
  if (snapshot === undefined) return undefined
  const lane = snapshot.fork?.branches.find(({ name }) => name === branch)?.lane ?? snapshot.main
  return lane.frames.at(-1)?.context
}
