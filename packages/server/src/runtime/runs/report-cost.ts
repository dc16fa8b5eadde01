import {
  type BudgetTake,
  err,
  ok,
  phrase,
  type Result,
  type RunEvent,
  toMicros,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../../base/problem.ts'
import { costOfUsage, type TokenUsage } from '../../prices/prices.ts'
import { dispatch } from '../dispatch.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'
import type { RuntimeSettings } from '../settings.ts'
import { findRun, type RunRef } from './find-run.ts'

export interface CostReport {
  readonly live: LiveRun
  readonly costMicros: number
}

/**
 * Adds a cost that belongs to no single tool call. Hooks may report as well: a cost only ever
 * narrows what the run may still do (PR-9).
 */
export async function reportCost(
  runtime: Runtime,
  caller: Caller,
  ref: RunRef,
  costMicros: number,
  {
    isCounted,
    charged,
  }: { readonly isCounted?: boolean; readonly charged?: readonly BudgetTake[] } = {},
): Promise<Result<CostReport, RuntimeProblem>> {
  // What we count ourselves, in transcripts and sessions, is a sum of many requests.
  const dear = isCounted === true ? undefined : tooDear(runtime.settings, costMicros)
  if (dear !== undefined) return err(dear)
  const cost = { type: 'cost_reported', costMicros } as const
  const reported = await tell(runtime, caller, ref, cost, charged)
  return reported.ok ? ok({ live: reported.value, costMicros }) : reported
}

/**
 * Adds what a request to a model cost. Where its price is not known the history says so and the
 * caller hears it: the run's cost is then too low, and nobody may take it for the whole.
 */
export async function reportUsage(
  runtime: Runtime,
  caller: Caller,
  ref: RunRef,
  request: { readonly model: string; readonly usage: TokenUsage },
): Promise<Result<CostReport, RuntimeProblem>> {
  const cost = costOfUsage(request.model, request.usage, runtime.settings.prices)
  if (cost.ok) return reportCost(runtime, caller, ref, cost.value)
  const { code } = cost.error
  const { input, output } = request.usage
  const model = request.model.slice(0, 100)
  const text = phrase('model_price_unknown', { model, input, output })
  const reported = await tell(runtime, caller, ref, { type: 'noted', entry: 'notice', text, code })
  return reported.ok ? cost : reported
}

type Report =
  | Pick<Extract<RunEvent, { type: 'cost_reported' }>, 'type' | 'costMicros'>
  | Pick<Extract<RunEvent, { type: 'noted' }>, 'type' | 'entry' | 'text' | 'code'>

async function tell(
  runtime: Runtime,
  caller: Caller,
  ref: RunRef,
  what: Report,
  charged?: readonly BudgetTake[],
): Promise<Result<LiveRun, RuntimeProblem>> {
  const found = await findRun(runtime, caller, ref)
  if (!found.ok) return found
  const done = await dispatch(runtime, found.value.row.runId, () => ({
    event: { ...what, at: runtime.clock.now(), by: actorOf(caller) },
    extras: { role: caller.role, ...(charged === undefined ? {} : { charged }) },
  }))
  if (done === undefined) return err(problem('unknown_run', 'The run no longer exists.'))
  if (done.step.refusal !== undefined) return err(refusalProblem(done.step.refusal))
  return ok(done.live)
}

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
