import { defined, type RunView, runView } from '@statewright/core/internal'
import type { Run } from '@statewright/core/wire'
import { useMemo, useRef, useState } from 'react'
import { type RunGraph, runGraph } from '../../model/diagram/run-graph.ts'
import { type RunMarks, runMarks } from '../../model/diagram/run-marks.ts'
import { emptyFold, extendFold, type Fold, snapshotAt } from '../../model/history/fold.ts'
import type { ReadProgram } from '../../model/history/program-text.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { type FailedCondition, failedConditions } from '../../model/words/failed-conditions.ts'

const noneFailed: ReadonlyMap<string, FailedCondition> = new Map()
const viewer = { kind: 'person', id: 'dashboard' } as const

export interface RunHistory {
  readonly read: ReadProgram
  readonly entries: readonly PlacedEntry[]
  /** How the server sees it now; absent for a file. */
  readonly now: Run | undefined
  /** The number of the selected entry; without one it is the newest. */
  readonly at: number | undefined
  /** The whole history played again, where that was done already. */
  readonly played?: Fold
}

/** The definitions on the stack and the branches of a fork, one of each to be looked at. */
export interface LaneChoice {
  readonly machines: readonly string[]
  readonly machine: string
  readonly onMachine: (name: string) => void
  readonly branches: readonly string[]
  readonly branch: string | undefined
  readonly onBranch: (name: string) => void
}

/** Everything that follows from a history at one of its moments. */
export interface Moment {
  readonly fold: Fold
  readonly index: number
  readonly isLive: boolean
  /** Where the beginning was left out, nothing can be played again: only now is known. */
  readonly isWhole: boolean
  readonly selected: PlacedEntry | undefined
  readonly choice: LaneChoice
  readonly graph: RunGraph | null
  readonly marks: RunMarks
  readonly view: RunView | undefined
  readonly failed: ReadonlyMap<string, FailedCondition>
}

export function useMoment({ read, entries, now, at, played: given }: RunHistory): Moment {
  const isWhole = (entries[0]?.seq ?? 1) === 1
  const own = useFold(read, isWhole && given === undefined ? entries : none)
  const fold = given ?? own
  const found = entries.findIndex((entry) => entry.seq === at)
  const index = found === -1 ? entries.length - 1 : found
  const isLive = found === -1
  const snapshot = snapshotAt(fold, index)
  const selected = entries[index]
  const choice = useLaneChoice(read, fold, index)
  const { machine, branch } = choice
  const definition = read.definitions.get(machine)
  const graph = useMemo(
    () => (definition === undefined ? null : runGraph(definition)),
    [definition],
  )
  const marks = useMemo(() => {
    const played = runMarks(machine, snapshot, entries.slice(0, index + 1), graph)
    const isKnown = isWhole || !isLive || now === undefined
    return isKnown ? played : { ...played, current: standing(now) }
  }, [machine, snapshot, entries, index, graph, isWhole, isLive, now])
  const played =
    snapshot === undefined
      ? undefined
      : runView(read.program, snapshot, viewer, {
          ...(branch === undefined ? {} : { branch }),
          // As of an entry, what has expired since was still known.
          ...(isLive || selected === undefined ? {} : { at: selected.at }),
        })
  const isNow = isLive && now !== undefined && choice.branches.length === 0
  const view = isNow
    ? played === undefined
      ? defined(now)
      : { ...played, ...defined(now) }
    : played
  const failed = useMemo(
    () =>
      selected === undefined
        ? noneFailed
        : failedConditions(read.program, fold.snapshots[index - 1], selected),
    [read, fold, index, selected],
  )
  return { fold, index, isLive, isWhole, selected, choice, graph, marks, view, failed }
}

const none: readonly PlacedEntry[] = []

/** Where the run stands, by the words of the server. */
function standing(now: Run): RunMarks['current'] {
  if (now.fork === null) return new Map([[now.state, ['']]])
  return new Map(Object.entries(now.fork.branches).map(([name, { state }]) => [state, [name]]))
}

function useLaneChoice(read: ReadProgram, fold: Fold, index: number): LaneChoice {
  const [requestedBranch, onBranch] = useState<string | undefined>(undefined)
  const [requested, onMachine] = useState<string | undefined>(undefined)
  const snapshot = snapshotAt(fold, index)
  const branches = snapshot?.fork?.branches.map(({ name }) => name) ?? []
  const branch =
    requestedBranch !== undefined && branches.includes(requestedBranch)
      ? requestedBranch
      : branches[0]
  const lane = snapshot?.fork?.branches.find(({ name }) => name === branch)?.lane ?? snapshot?.main
  const machines = [
    ...new Set(lane?.frames.map((frame) => frame.machine) ?? [read.program.root.id]),
  ]
  const machine =
    requested !== undefined && machines.includes(requested) ? requested : (machines.at(-1) ?? '')
  return { machines, machine, onMachine, branches, branch, onBranch }
}

/** Plays only what is new, so that a long history costs nothing when an entry comes. */
export function useFold({ program }: ReadProgram, entries: readonly PlacedEntry[]): Fold {
  const kept = useRef<Fold>(emptyFold(program))
  return useMemo(() => {
    if (kept.current.program !== program) kept.current = emptyFold(program)
    kept.current = extendFold(kept.current, entries)
    return kept.current
  }, [program, entries])
}
