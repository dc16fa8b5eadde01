import { budgetsOfRun } from '../decide/session-budget.ts'
import type { CostReported } from '../run/events.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record } from './draft.ts'

/** A cost that belongs to no call: it counts for the run and for its session (PR-9). */
export function onCostReported(draft: Draft<CostReported>): Step {
  const { program, run } = draft
  const costMicros = Math.max(0, draft.event.costMicros)
  draft.run = { ...run, costMicros: run.costMicros + costMicros }
  record(draft, { type: 'cost_reported', cost_micros: draft.event.costMicros })
  const takes = budgetsOfRun(program, run)
  if (takes.length > 0 && costMicros > 0) {
    draft.actions.push({ type: 'charge_counters', takes, costMicros })
  }
  return finish(draft, { type: 'recorded', notices: [] })
}
