import {
  type RunSnapshot,
  type RunView,
  runView,
  type Simulated,
  simulatedAgent,
  textOf,
} from '@statewright/core/internal'

/** Where the run stands, in the words that the page shows. */
export interface RunSummary {
  readonly status: string
  /** Every state the run is in: one, or one for each branch that is worked. */
  readonly states: readonly string[]
  readonly brief: string
  readonly moves: readonly Move[]
  readonly waiting: readonly Waiting[]
}

/** A button: an event of the state, an answer, or the end of a branch. */
export interface Move {
  readonly kind: 'event' | 'answer'
  readonly name: string
}

/** A question to a person. */
export interface Waiting {
  readonly approvalId: string
  readonly message: string
}

export function summaryOf({ program, run }: Simulated): RunSummary {
  const view = runView(program, run, simulatedAgent)
  const { fork } = view
  return {
    status: view.status,
    states: fork === null ? [view.state] : Object.values(fork.branches).map((one) => one.state),
    brief: view.brief,
    moves: movesOf(view),
    waiting: waitingIn(run),
  }
}

function movesOf(view: RunView): Move[] {
  if (view.answers !== undefined) return view.answers.map((name) => ({ kind: 'answer', name }))
  const names = new Set(view.transitions.map((transition) => transition.event))
  const branch = view.fork?.current_branch ?? null
  if (branch !== null) names.add(`BRANCH_DONE:${branch}`).add(`BRANCH_FAIL:${branch}`)
  return [...names].map((name) => ({ kind: 'event', name }))
}

function waitingIn(run: RunSnapshot): Waiting[] {
  const lanes = [run.main, ...(run.fork?.branches.map((branch) => branch.lane) ?? [])]
  const moves = lanes.flatMap(({ approval }) =>
    approval === null ? [] : [{ approvalId: approval.id, message: textOf(approval.message) }],
  )
  const calls = run.asks
    .filter((ask) => ask.status === 'waiting')
    .map((ask) => ({ approvalId: ask.id, message: `May ${ask.tool} be called? (${ask.rule})` }))
  return [...moves, ...calls]
}
