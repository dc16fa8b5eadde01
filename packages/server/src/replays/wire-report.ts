import type { ReplayReport } from '@statewright/core/internal'
import type { ReplayReport as WireReport } from '@statewright/core/wire'

/** The report as the API tells it. */
export function wireReport(report: ReplayReport): WireReport {
  const { unsureMoves, divergences, ...rest } = report
  const { total, notCompared, first } = divergences
  return {
    // Lists of core are readonly, those of a shape are not: the same values.
    ...(rest as Omit<WireReport, 'unsure_moves' | 'divergences'>),
    unsure_moves: unsureMoves,
    divergences: {
      total,
      not_compared: notCompared,
      first: first.map(({ notCompared: left, undecided, ...one }) => ({
        ...one,
        not_compared: left,
        ...(undecided === undefined ? {} : { undecided: [...undecided] }),
      })),
    },
  }
}
