import { toMicros } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { RuntimeSettings } from './settings.ts'

type Limit = Pick<RuntimeSettings, 'maxCostReportUsd'>

/** Why a cost that somebody reports is not taken (PR-9d); undefined where it may be. */
export function tooDear(settings: Limit, costMicros: number): RuntimeProblem | undefined {
  const { maxCostReportUsd } = settings
  if (costMicros <= toMicros(maxCostReportUsd)) return undefined
  return problem(
    'usage',
    `One report may name at most ${maxCostReportUsd} USD (max_cost_report_usd).`,
    { next: 'report the real cost, split into several reports if it is more.' },
  )
}

/** What counts of a cost that comes with a result, which is not lost for it. */
export function boundedCost({ maxCostReportUsd }: Limit, costMicros: number): number {
  return Math.min(costMicros, toMicros(maxCostReportUsd))
}
