import { defined, runView } from '@statewright/core/internal'
import type { Run } from '@statewright/core/wire'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { type FailedCondition, failedConditions } from '../../model/failed-conditions.ts'
import { emptyFold, extendFold, type Fold } from '../../model/fold.ts'
import { plainText } from '../../model/plain-text.ts'
import type { ReadProgram } from '../../model/program-text.ts'
import type { PlacedEntry } from '../../model/recorded-run.ts'
import { runGraph } from '../../model/run-graph.ts'
import { runMarks } from '../../model/run-marks.ts'
import { seenSoFar } from '../../model/seen-so-far.ts'
import { useHotkeys } from '../../ui/hotkeys.ts'
import { RunFacts } from './run-facts.tsx'
import { StateDiagram } from './state-diagram.tsx'
import { Timeline } from './timeline.tsx'
import './run.css'

// It judges and edits texts, which only somebody who looks at a denial needs.
const RunSuggestion = lazy(async () => ({
  default: (await import('../suggest/run-suggestion.tsx')).RunSuggestion,
}))

const noneFailed: ReadonlyMap<string, FailedCondition> = new Map()
const viewer = { kind: 'person', id: 'dashboard' } as const

/**
 * The history of a run with everything that follows from it. The selected entry decides what the
 * diagram, the data and the limits show; without one they show the newest.
 */
export function RunStory(props: {
  readonly runId: string
  readonly read: ReadProgram
  readonly entries: readonly PlacedEntry[]
  /** How the server sees it now; absent for a file. */
  readonly now: Run | undefined
  readonly at: number | undefined
  readonly onSelect: (seq: number | undefined) => void
}) {
  const { runId, read, entries, now, at, onSelect } = props
  const fold = useFold(read, entries)
  const found = entries.findIndex((entry) => entry.seq === at)
  const index = found === -1 ? entries.length - 1 : found
  const isLive = found === -1
  const [branch, setBranch] = useState<string | undefined>(undefined)
  const snapshot = fold.snapshots[index]
  const selected = entries[index]
  const branches = snapshot?.fork?.branches.map(({ name }) => name) ?? []
  const shownBranch = branch !== undefined && branches.includes(branch) ? branch : branches[0]
  const lane =
    snapshot?.fork?.branches.find(({ name }) => name === shownBranch)?.lane ?? snapshot?.main
  const machines = [
    ...new Set(lane?.frames.map((frame) => frame.machine) ?? [read.program.root.id]),
  ]
  const [requested, setRequested] = useState<string | undefined>(undefined)
  const machine =
    requested !== undefined && machines.includes(requested) ? requested : (machines.at(-1) ?? '')
  const definition = read.definitions.get(machine)
  const graph = useMemo(
    () => (definition === undefined ? null : runGraph(definition)),
    [definition],
  )
  const marks = useMemo(
    () => runMarks(machine, snapshot, entries.slice(0, index + 1)),
    [machine, snapshot, entries, index],
  )
  const step = (by: number) => {
    const next = Math.min(entries.length - 1, Math.max(0, index + by))
    onSelect(entries[next]?.seq)
  }
  useHotkeys({
    j: () => step(1),
    k: () => step(-1),
    Escape: () => onSelect(undefined),
    End: () => onSelect(undefined),
    Home: () => onSelect(entries[0]?.seq),
  })
  const view =
    snapshot === undefined
      ? undefined
      : runView(read.program, snapshot, viewer, {
          ...(shownBranch === undefined ? {} : { branch: shownBranch }),
          // As of an entry, what has expired since was still known.
          ...(isLive || selected === undefined ? {} : { at: selected.at }),
        })
  const before = contextBefore(fold, index, shownBranch)
  const failed = useMemo(
    () =>
      selected === undefined
        ? noneFailed
        : failedConditions(read.program, fold.snapshots[index - 1], selected),
    [read, fold, index, selected],
  )
  return (
    <div className="story">
      <section className="panel story-diagram" aria-label="States">
        <header>
          <LaneChoice
            machines={machines}
            machine={machine}
            onMachine={setRequested}
            branches={branches}
            branch={shownBranch}
            onBranch={setBranch}
          />
          {isLive ? (
            <span className="badge good">now</span>
          ) : (
            <button type="button" className="button small" onClick={() => onSelect(undefined)}>
              As of entry {at} · back to now <kbd>Esc</kbd>
            </button>
          )}
        </header>
        {graph === null ? null : <StateDiagram key={machine} graph={graph} marks={marks} />}
      </section>
      <Timeline
        entries={entries}
        selected={index}
        isLive={isLive}
        onSelect={(seq) => onSelect(seq)}
      />
      {view === undefined ? null : (
        <RunFacts
          runId={now === undefined ? undefined : runId}
          view={
            isLive && now !== undefined && branches.length === 0
              ? { ...view, ...defined(now) }
              : view
          }
          // Facts and marks are those of the whole run, whichever branch is looked at.
          seen={seenSoFar(isLive && now !== undefined ? now : view, read.definitions, entries)}
          failed={failed}
          onSelect={onSelect}
          contextBefore={before}
          entry={isLive ? undefined : entries[index]}
          definitions={read.definitions}
          machine={machine}
          suggestion={
            now !== undefined && !isLive && selected !== undefined && isDenial(selected) ? (
              <Suspense fallback={null}>
                <RunSuggestion read={read} entry={selected} before={fold.snapshots[index - 1]} />
              </Suspense>
            ) : null
          }
        />
      )}
    </div>
  )
}

/** The definitions on the stack and the branches of a fork, one of each to be looked at. */
function LaneChoice(props: {
  readonly machines: readonly string[]
  readonly machine: string
  readonly onMachine: (name: string) => void
  readonly branches: readonly string[]
  readonly branch: string | undefined
  readonly onBranch: (name: string) => void
}) {
  const { machines, machine, onMachine, branches, branch, onBranch } = props
  return (
    <nav className="row tight" aria-label="Definitions">
      {machines.map((name, depth) => (
        <button
          key={name}
          type="button"
          className={name === machine ? 'button small is-on' : 'button small'}
          aria-pressed={name === machine}
          onClick={() => onMachine(name)}
        >
          {depth > 0 ? '↳ ' : ''}
          {plainText(name, 40)}
        </button>
      ))}
      {branches.map((name) => (
        <button
          key={name}
          type="button"
          className={name === branch ? 'button small is-on' : 'button small'}
          aria-pressed={name === branch}
          onClick={() => onBranch(name)}
        >
          ∥ {plainText(name, 40)}
        </button>
      ))}
    </nav>
  )
}

function isDenial(entry: PlacedEntry): boolean {
  return entry.type === 'call_decided' && entry.decision === 'deny'
}

/** Plays only what is new, so that a long history costs nothing when an entry comes. */
function useFold({ program }: ReadProgram, entries: readonly PlacedEntry[]): Fold {
  const kept = useRef<Fold>(emptyFold(program))
  return useMemo(() => {
    if (kept.current.program !== program) kept.current = emptyFold(program)
    kept.current = extendFold(kept.current, entries)
    return kept.current
  }, [program, entries])
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
