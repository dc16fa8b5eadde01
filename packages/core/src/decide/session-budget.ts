import { own } from '../base/own.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { hasRoom } from '../policy/evaluate-policy.ts'
import { microsPerUsd } from '../policy/money.ts'
import type { BudgetTake, UsageFacts } from '../policy/usage.ts'
import { lanesOf } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'

/** The session budgets that a call of these definitions is held by (PR-9). */
export function sessionBudgets(machines: readonly Machine[]): readonly BudgetTake[] {
  return machines.flatMap(({ sessionBudget }) => sessionBudget ?? [])
}

/** Every session budget of a run, whoever calls: what a model costs belongs to no single lane. */
export function budgetsOfRun(program: Program, run: RunSnapshot): readonly BudgetTake[] {
  const lanes = lanesOf(run)
  const names = new Set(lanes.flatMap(({ frames }) => frames.map(({ machine }) => machine)))
  return sessionBudgets([...names].flatMap((name) => program.machines.get(name) ?? []))
}

/** What the run by itself has to say: its own cost has reached the budget. */
export function judgeSpent(run: RunSnapshot, machines: readonly Machine[]): ReasonFacts[] {
  for (const { id: definition, sessionBudget } of machines) {
    if (sessionBudget === null || run.costMicros < sessionBudget.maxMicros) continue
    return [noRoom(definition, run.costMicros, sessionBudget)]
  }
  return []
}

/**
 * What the session as a whole has to say: all its runs of a definition share one budget, and calls
 * on their way hold their money back. Where nobody keeps count, the run's own cost speaks alone.
 */
export function judgeSessionBudgets(
  machines: readonly Machine[],
  { usage, isFree }: { readonly usage: UsageFacts; readonly isFree: boolean },
): { readonly reasons: readonly ReasonFacts[]; readonly takes: readonly BudgetTake[] } {
  const takes: BudgetTake[] = []
  for (const { id: definition, sessionBudget } of machines) {
    if (sessionBudget === null) continue
    const facts = own(usage, sessionBudget.key)
    if (facts === undefined) continue
    if (hasRoom(sessionBudget, usage, { isFree })) {
      if (!isFree) takes.push(sessionBudget)
      continue
    }
    const { used, waits } = facts
    return { reasons: [noRoom(definition, used, sessionBudget, waits)], takes: [] }
  }
  return { reasons: [], takes }
}

const path = 'session_budget_usd'

function noRoom(
  definition: string,
  used: number,
  { maxMicros }: BudgetTake,
  waits?: true,
): ReasonFacts {
  const facts = { definition, spent: used / microsPerUsd, most: maxMicros / microsPerUsd }
  const message =
    waits === true
      ? phrase('session_budget_waits', facts)
      : phrase('session_budget_exhausted', facts)
  return { code: 'session_budget_exhausted', message, path }
}
