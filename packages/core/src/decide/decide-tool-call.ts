import { type DecisionKind, type ReasonFacts, shownReason } from '../base/problem.ts'
import { bounded } from '../base/text/bounded.ts'
import { allowsTool } from '../call/tool-pattern.ts'
import type { Machine, MachineState, Program } from '../machine/machine.ts'
import { shortestWay, waysOn } from '../machine/way.ts'
import type { UsageFacts } from '../policy/usage.ts'
import { chooseLane, machinesFor } from '../run/choose-lane.ts'
import { callFacts } from '../run/condition-values.ts'
import type { Decision } from '../run/decision.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import { laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { asItIs, type RunnerFacts, type RunPlan } from '../run/run-plan.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ExternalAnswer, ToolCall } from '../run/tool-call.ts'
import { type CallShape, isFreeCall, shapeOf } from './call-shape.ts'
import type { CurrentState } from './current-state.ts'
import { judgeAsks } from './judge-asks.ts'
import { judgeConditions } from './judge-conditions.ts'
import { hear, judgePolicies, type PolicyVerdicts } from './judge-policies.ts'
import { judgeLane, judgeStanding } from './judge-standing.ts'
import { judgeState, type StateAnswer } from './judge-state.ts'
import { judgeContainment, judgeRunner, planRun } from './plan-run.ts'
import { byGravity } from './rank.ts'
import { judgeSessionBudgets } from './session-budget.ts'
import { type Ways, waysNow } from './ways-now.ts'

export interface DecisionInput {
  readonly program: Program
  readonly run: RunSnapshot
  readonly call: ToolCall
  readonly by: Actor
  readonly at: number
  readonly branch?: string | undefined
  readonly usage?: UsageFacts | undefined
  readonly external?: readonly ExternalAnswer[] | undefined
  readonly runner?: RunnerFacts | undefined
  readonly place?: string | undefined
  readonly asker?: string | undefined
  readonly digests?: DigestFacts | undefined
  readonly results?: 'observed' | undefined
  readonly role?: string | undefined
}

/**
 * The one decision behind every door: joins what the run, its process and all policies say of a
 * tool call. The strictest answer wins and every reason is kept, with its place.
 */
export function decideToolCall(input: DecisionInput): DecidedCall {
  const { run, call } = input
  const shape = shapeOf(call)
  if (shape.isOwn) return { shape, decision: openDecision, reasons: [], spends: [] }
  const verdicts: PolicyVerdicts = { reasons: [], asks: [], takes: [] }
  const view = judgeRun(input, shape, verdicts)
  for (const answer of input.external ?? []) hear(answer, verdicts)
  const asked = judgeAsks(run, verdicts.asks, call, input)
  verdicts.reasons.push(...asked.reasons)
  const kind = kindOf(verdicts.reasons, asked.open.length)
  if (kind === 'allow') {
    const { allowedTools, plan } = view
    const decision = { ...openDecision, allowedTools, takes: verdicts.takes, plan }
    return { shape, decision, reasons: [], spends: asked.spends }
  }
  const open = asked.open.map((ask) => ask.reason)
  const facts = byGravity([...verdicts.reasons, ...open]).map(boundedReason)
  const reasons = facts.map(shownReason)
  const top = reasons[0]
  return {
    shape,
    spends: [],
    reasons: facts,
    decision: {
      kind,
      ...(top === undefined ? {} : { code: top.code, message: top.message }),
      reasons,
      allowedTools: view.allowedTools,
      events: facts.some(({ code }) => usedUp.has(code)) ? [] : view.events(),
      ...wayTo(view, shape, facts),
      ...(asked.waitingId === null ? {} : { approvalId: asked.waitingId }),
      asks: kind === 'ask' ? asked.open : [],
      takes: [],
      plan: asItIs,
    },
  }
}

export interface DecidedCall {
  readonly decision: Decision
  readonly shape: CallShape
  /** The reasons as they are stored. */
  readonly reasons: readonly ReasonFacts[]
  /** Approvals that the call uses up. */
  readonly spends: readonly string[]
}

const openDecision: Decision = {
  kind: 'allow',
  reasons: [],
  allowedTools: null,
  events: [],
  asks: [],
  takes: [],
  plan: asItIs,
}

/** What the agent may know of its place when it is refused. */
interface LaneView {
  readonly machine: Machine | null
  readonly state: MachineState | null
  readonly ways: Ways
  /** No list of tools means none, so that such a state is no way out. */
  readonly isStrict: boolean
  readonly allowedTools: readonly string[] | null
  readonly events: () => Decision['events']
  readonly plan: RunPlan
}

const nowhere: LaneView = {
  machine: null,
  state: null,
  ways: { open: () => [], all: () => [] },
  isStrict: false,
  allowedTools: null,
  events: () => [],
  plan: asItIs,
}

const silent: StateAnswer = { reasons: [], doubt: null }

/** Gathers what the run itself says into `voice`, and tells where the caller stands. */
function judgeRun(input: DecisionInput, shape: CallShape, verdicts: PolicyVerdicts): LaneView {
  const { program, run, call } = input
  const standing = judgeStanding(run, program)
  verdicts.reasons.push(...standing.reasons)
  if (standing.holds === 'policy') {
    verdicts.reasons.push(...judgeLane(run, run.main, program))
    hearPolicies(input, shape, verdicts)
  }
  if (standing.holds !== 'all') return nowhere
  const choice = chooseLane(run, input.by, input.branch)
  if (choice.kind !== 'lane') {
    // A parent whose fork is worked by others may start workers, nothing else (WF-25).
    verdicts.reasons.push(...judgeLane(run, run.main, program))
    if (!startsWorker(input, shape) || choice.kind !== 'outside') {
      verdicts.reasons.push({ code: 'tool_not_allowed', message: choice.message, path: 'states' })
    }
    hearPolicies(input, shape, verdicts)
    return nowhere
  }
  const lane = laneOf(run, choice.name)
  verdicts.reasons.push(...judgeLane(run, lane, program))
  const frame = topFrame(lane)
  const machine = machineOf(program, frame)
  const state = stateOf(program, frame)
  const { runner } = input
  const current: CurrentState = {
    machine,
    state,
    counters: frame.counters,
    strict: isStrict(run, machine),
    keepsEnvironment: runner?.environment === false,
  }
  const answer = startsWorker(input, shape) ? silent : judgeState(current, call, shape)
  const containment = judgeContainment(current, call, answer.doubt, runner)
  verdicts.reasons.push(...answer.reasons, ...containment.reasons)
  verdicts.asks.push(...containment.asks)
  if (shape.isShell) verdicts.reasons.push(...judgeRunner(state, runner))
  hearPolicies(input, shape, verdicts, state)
  const returnTo = frame.interrupt?.returnTo ?? null
  // Edits and the like start no command, unless their runner says so.
  const isHeld = shape.isShell || runner !== undefined
  const events = () => waysOn(state, returnTo)
  return {
    machine,
    state,
    ways: waysNow(machine, frame, { digests: input.digests, run, at: input.at, by: input.by }),
    isStrict: current.strict,
    allowedTools: state.toolNames,
    events,
    plan: isHeld ? planRun(state, frame.counters, runner, containment.contain) : asItIs,
  }
}

/**
 * In a fork the parent may start workers whatever its state says: working branch after branch
 * is only one of two legal modes. Anyone who is bound to a branch is judged by that branch alone.
 */
function startsWorker({ run, by }: DecisionInput, shape: CallShape): boolean {
  if (!shape.isAgent || run.fork === null) return false
  return !run.fork.branches.some((branch) => branch.boundTo === by.id)
}

/**
 * Policies, and conditions on calls, hold wherever a call is made, also where no state speaks
 * (PO-1, FC-1). `state` is the one that judges it, where there is one.
 */
function hearPolicies(
  input: DecisionInput,
  shape: CallShape,
  verdicts: PolicyVerdicts,
  state: MachineState | null = null,
): void {
  const { program, run, call, by, branch, usage = {}, results } = input
  const machines = machinesFor(program, run, by, branch)
  const money = { usage, isFree: isFreeCall(shape.ref, results) }
  const { role, at } = input
  const factsIn = callFacts({ run, call, shape, by, branch, role, at })
  const own = judgePolicies(machines, run, call, shape, money, factsIn)
  verdicts.reasons.push(...own.reasons)
  verdicts.asks.push(...own.asks)
  verdicts.takes.push(...own.takes)
  const top = machines.at(-1)
  for (const machine of machines) {
    const here = machine === top ? state : null
    verdicts.reasons.push(...judgeConditions(machine, here, call, shape, factsIn))
  }
  const budget = judgeSessionBudgets(machines, money)
  verdicts.takes.push(...budget.takes)
  const isReported = verdicts.reasons.some(({ code }) => code === 'session_budget_exhausted')
  if (!isReported) verdicts.reasons.push(...budget.reasons)
}

/** A process lists no tools: what it lets pass is its policy's affair, in strict mode as well. */
function isStrict(run: RunSnapshot, machine: Machine): boolean {
  return run.settings.strict && (machine.kind === 'workflow' || machine.policy === null)
}

function boundedReason(reason: ReasonFacts): ReasonFacts {
  const message = bounded(reason.message)
  return message === reason.message ? reason : { ...reason, message }
}

function kindOf(reasons: readonly ReasonFacts[], openAsks: number): DecisionKind {
  if (reasons.length > 0) return 'deny'
  return openAsks > 0 ? 'ask' : 'allow'
}

function wayTo(
  view: LaneView,
  shape: CallShape,
  reasons: readonly ReasonFacts[],
): Pick<Decision, 'way'> {
  const { machine, state } = view
  // Where a limit or a policy says no as well, another state is no way out, only a way round.
  const helps = reasons.some(({ code }) => waysHelp.has(code))
  const has = (wanted: string) => reasons.some(({ code }) => code === wanted)
  // The state has the tool and lists its commands: a way on would be a way round the list.
  const isListed = has('command_not_allowed') && !has('tool_not_allowed')
  const isShut = isListed || reasons.some(({ code }) => shutEverywhere.has(code))
  if (machine === null || state === null || !helps || isShut) return {}
  const fits = (other: MachineState) => {
    if (other.tools === null) return !view.isStrict
    const { tools } = other
    if (shape.files.length > 0 && shape.ref.server === undefined) {
      return shape.needs.every((tool) => allowsTool(tools, { tool }))
    }
    if (shape.isShell && wantsToWrite(reasons))
      return other.mayWrite && allowsTool(tools, shape.ref)
    return allowsTool(tools, shape.ref)
  }
  const { open, all } = view.ways
  const way =
    shortestWay(machine, state.name, fits, { from: open }) ??
    shortestWay(machine, state.name, fits, { from: all })
  return way === undefined ? {} : { way }
}

/** Codes where another state may allow what this one does not. */
const waysHelp: ReadonlySet<string> = new Set([
  'tool_not_allowed',
  'iterations_exhausted',
  'context_budget_exhausted',
  'shell_write',
])

/** Codes of limits: an event is no way to get round one. */
const usedUp: ReadonlySet<string> = new Set([
  'session_budget_exhausted',
  'rate_exceeded',
  'budget_exceeded',
])

/** Codes that hold in every state. */
const shutEverywhere: ReadonlySet<string> = new Set([
  'self_protection',
  'question_refused',
  'agent_spawn',
  'run_blocked',
  'unjudged_call',
  'session_budget_exhausted',
  'gate_closed',
  'condition_failed',
  'policy_denied',
  'approval_rejected',
  'rate_exceeded',
  'budget_exceeded',
])

function wantsToWrite(reasons: readonly ReasonFacts[]): boolean {
  return reasons.some((reason) => reason.code === 'shell_write')
}
