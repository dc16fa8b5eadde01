import { limits } from '../base/limits.ts'
import { type GroupCounter, groupCounter, type ReplayGroup } from './groups.ts'
import { type DifferenceKind, differenceOf, type ReplayedCall } from './replayed-call.ts'
import { tellingCalls } from './telling.ts'

/** A move that would have gone otherwise: from here on, nothing of the run can be compared. */
export interface Divergence {
  readonly run: string
  readonly index: number
  readonly at: number
  readonly expected: string
  readonly instead: string
  readonly notCompared: number
  /** Why it cannot be said how the move would have gone. */
  readonly undecided?: readonly string[]
  readonly link?: string
}

export interface ReplayNote {
  readonly text: string
  readonly count: number
}

export interface ReplayReport {
  readonly runs: number
  /** Calls that were judged: the same, different and undecided ones. */
  readonly decisions: number
  readonly same: number
  readonly differences: Readonly<Record<DifferenceKind, number>>
  readonly undecided: number
  /** Moves that may have gone otherwise; they are taken to go as they went. */
  readonly unsureMoves: number
  /** What was missing for them. A call that lacks two things counts for both. */
  readonly missing: readonly ReplayGroup[]
  readonly divergences: {
    readonly total: number
    readonly notCompared: number
    readonly first: readonly Divergence[]
  }
  /** Differences by the rule that spoke, the most frequent first. */
  readonly rules: readonly ReplayGroup[]
  /** Differences by program or tool. */
  readonly programs: readonly ReplayGroup[]
  readonly telling: readonly ReplayedCall[]
  /** What the figures leave out. */
  readonly notes: readonly ReplayNote[]
}

export interface ReportCounter {
  addRun(): void
  add(call: ReplayedCall): void
  diverge(divergence: Divergence): void
  /** A move of which nobody can say how it would have gone. */
  unsureMove(): void
  /** What the reader of the figures must know: the same text adds up. */
  note(text: string, count?: number): void
  finish(): ReplayReport
}

/** Counts differences one by one. It holds a bounded number of groups and calls, however many. */
export function openReport(): ReportCounter {
  const differences = {
    newly_denied: 0,
    newly_asked: 0,
    newly_allowed: 0,
    no_longer_asked: 0,
  } satisfies Record<DifferenceKind, number>
  let [runs, decisions, same, undecided, unsureMoves, diverged, notCompared] = [0, 0, 0, 0, 0, 0, 0]
  const first: Divergence[] = []
  const notes = new Map<string, number>()
  const [missing, rules, programs] = [groupCounter(), groupCounter(), groupCounter()]
  // The calls worth showing are chosen over rule and program together.
  const samples: GroupCounter = groupCounter()
  return {
    addRun: () => void runs++,
    add(call) {
      decisions += 1
      if (call.after === 'undecided') {
        undecided += 1
        const unknown = new Set(call.missing ?? [])
        for (const what of unknown.size === 0 ? ['unknown'] : unknown) missing.add(what, call)
        return
      }
      const kind = differenceOf(call)
      if (kind === null) {
        same += 1
        return
      }
      differences[kind] += 1
      rules.add(ruleOf(call), call, kind)
      programs.add(call.program, call, kind)
      samples.add(`${ruleOf(call)}\n${call.program}`, call, kind)
    },
    diverge(divergence) {
      diverged += 1
      notCompared += divergence.notCompared
      if (first.length < limits.replayDivergences) first.push(divergence)
    },
    unsureMove: () => void unsureMoves++,
    note(text, count = 1) {
      if (!notes.has(text) && notes.size >= limits.replayNotes) return
      notes.set(text, (notes.get(text) ?? 0) + count)
    },
    finish: () => ({
      runs,
      decisions,
      same,
      differences: { ...differences },
      undecided,
      unsureMoves,
      missing: missing.groups(),
      divergences: { total: diverged, notCompared, first: [...first] },
      rules: rules.groups(),
      programs: programs.groups(),
      telling: tellingCalls(samples.groups()),
      notes: [...notes].map(([text, count]) => ({ text, count })),
    }),
  }
}

/** What a command exits with: 0, 3 and 5 (RP-21). */
export function outcomeOfReport(report: ReplayReport): 'same' | 'different' | 'undecided' {
  const differs = Object.values(report.differences).some((count) => count > 0)
  const moved = report.divergences.first.some((one) => one.undecided === undefined)
  // Those beyond the ones kept may be of either kind; the graver answer is the honest one.
  const more = report.divergences.total > report.divergences.first.length
  if (differs || moved || more) return 'different'
  return report.undecided + report.unsureMoves + report.divergences.total > 0 ? 'undecided' : 'same'
}

function ruleOf({ code, path, tool }: ReplayedCall): string {
  if (path !== undefined && path !== '') return path
  return code ?? tool
}
