import {
  type AgentAction,
  type BudgetTake,
  payloadNumber,
  payloadText,
  type StreamEvent,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { judgeModel } from '../../guard/guarded-call.ts'
import { activeOfSession } from '../../runtime/runs/find-run.ts'
import { reportCost, reportUsage } from '../../runtime/runs/report-cost.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { BrokerOptions } from './broker-options.ts'

export interface PayingSession {
  readonly caller: Caller
  readonly session: string
  readonly projectPath: string
}

/** What the answers of a session cost, told to its run in the order in which they came. */
export class SessionCost {
  /** The model that was asked last, in the words of policies. */
  capability: string | null = null
  readonly #broker: BrokerOptions
  readonly #session: PayingSession
  #reported: Promise<void> = Promise.resolve()

  constructor(broker: BrokerOptions, session: PayingSession) {
    this.#broker = broker
    this.#session = session
  }

  /** The run knows by then what the session has cost so far: no call is judged before. */
  get reported(): Promise<void> {
    return this.#reported
  }

  report(actions: readonly AgentAction[]): void {
    if (costsIn(actions).length === 0) return
    const { capability } = this
    const { runtime, observer } = this.#broker
    this.#reported = this.#reported
      .then(() => tellCost({ runtime, ...this.#session, capability }, actions))
      .catch((fault) => observer.fault(this.#session.session, fault))
  }
}

type TellingSession = PayingSession &
  Pick<SessionCost, 'capability'> & { readonly runtime: Runtime }

/** Whether an event of a stream says what it cost: each cost is told once. */
function tellsCost({ type }: StreamEvent): boolean {
  return type === 'metadata' || type === 'completed'
}

/** What the events of a step cost, in whole micro-dollars. */
export function costOf(actions: readonly AgentAction[]): number {
  const usd = costsIn(actions).reduce((sum, event) => sum + payloadNumber(event, 'costUsd'), 0)
  return Math.max(0, Math.round(usd * 1_000_000))
}

/**
 * Tells the run that judges a session what a step of it cost, so that its budget holds for models
 * as for tools (PR-9b). Where the price of a model is not known, the history of the run says so.
 */
async function tellCost(telling: TellingSession, actions: readonly AgentAction[]): Promise<void> {
  const { runtime, caller, session } = telling
  const micros = costOf(actions)
  // Without a run there is no budget; the session itself has counted it.
  if (micros > 0) {
    const charged = await budgetsFor(telling)
    await reportCost(runtime, caller, { session }, micros, { isCounted: true, charged })
  }
  for (const event of costsIn(actions)) {
    if (!Object.hasOwn(event.payload, 'costUnknown')) continue
    const input = payloadNumber(event, 'inputTokens')
    const usage = { input, output: payloadNumber(event, 'outputTokens') }
    const model = payloadText(event, 'model')
    await reportUsage(runtime, caller, { session }, { model, usage })
  }
}

/** The budgets of policies that hold what this model costs, as they are now (PO-9). */
async function budgetsFor(telling: TellingSession): Promise<readonly BudgetTake[]> {
  const { runtime, caller, session, projectPath, capability } = telling
  if (capability === null) return []
  const live = await activeOfSession(runtime, caller, session)
  return (await judgeModel(runtime, caller, { capability, projectPath, live })).budgets
}

/** Events that say what an answer cost or took. */
export function costsIn(actions: readonly AgentAction[]): StreamEvent[] {
  return actions.flatMap((action) =>
    action.type === 'emit_stream_event' && tellsCost(action.event) ? [action.event] : [],
  )
}
