import type { JsonObject } from '../base/json.ts'
import { own } from '../base/own.ts'
import { textOf } from '../base/text/phrase.ts'
import type { Machine, MachineState, Program } from '../machine/machine.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { ShownReading } from '../run/entries.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import { branchOf, currentBranch, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { type EvidenceState, evidenceState } from '../run/read-evidence.ts'
import {
  type BranchStatus,
  type Frame,
  isUnguarded,
  type Lane,
  type PendingApproval,
  type RunSnapshot,
  type RunStatus,
} from '../run/snapshot.ts'
import { brief } from './brief.ts'
import { type SeenFact, type SeenMark, seenView } from './seen.ts'
import { guardFacts, type TransitionView, transitionViews } from './transitions.ts'

/**
 * Where a run stands, as every door shows it. Names are those of the wire.
 *
 * @example
 * import type { View } from '@statewright/core'
 *
 * const prompt = ({ brief }: View) => `You are guarded. ${brief}`
 */
export interface RunView {
  readonly workflow: string
  readonly status: RunStatus
  /** Paused by its own agent: nothing of the workflow is enforced until it is resumed. */
  readonly unguarded: boolean
  readonly state: string
  readonly is_final: boolean
  /** Null when any tool may be used. */
  readonly allowed_tools: readonly string[] | null
  readonly allowed_commands: readonly string[] | null
  readonly transitions: readonly TransitionView[]
  readonly iteration: number
  readonly max_iterations: number | null
  readonly instructions: string | null
  readonly transition_count: number
  readonly blocked_env: readonly string[]
  /** Names only: values may be secret. */
  readonly env_overrides: readonly string[]
  readonly context: JsonObject
  readonly guards: readonly ShownReading[]
  readonly meta: JsonObject
  readonly limits: LimitsView
  readonly pending_approval: ApprovalView | null
  readonly interrupt: {
    readonly name: string
    readonly file: string
    readonly return_to: string
  } | null
  readonly fork: ForkView | null
  readonly evidence: Readonly<Record<string, EvidenceState>>
  /** Facts learned from results, where a definition has any. */
  readonly facts?: readonly SeenFact[]
  /** Marks, set or not, where a definition has any. */
  readonly marks?: readonly SeenMark[]
  readonly stack: readonly { readonly workflow: string; readonly state: string }[]
  readonly cost_usd: number
  readonly question?: string
  readonly answers?: readonly string[]
  readonly brief: string
}

export interface LimitsView {
  readonly iteration: number
  readonly max_iterations: number | null
  readonly files: number
  readonly max_files_per_state: number | null
  readonly bytes: number
  readonly context_budget_bytes: number | null
  readonly max_edit_lines: number | null
}

export interface ApprovalView {
  readonly approval_id: string
  readonly event: string
  readonly from: string
  readonly to: string | null
  readonly message: string
}

export interface ForkView {
  readonly join: 'all' | 'any'
  readonly current_branch: string | null
  readonly branches: Readonly<
    Record<
      string,
      {
        readonly state: string
        readonly status: BranchStatus
        readonly initial: string
        readonly terminal: string
      }
    >
  >
}

export interface ViewOptions {
  readonly branch?: string
  readonly digests?: DigestFacts
  /** Now; without it what expires counts as expired. */
  readonly at?: number
}

export function runView(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  options: ViewOptions = {},
): RunView {
  const lane = viewedLane(run, by, options.branch)
  const frame = topFrame(lane)
  const machine = machineOf(program, frame)
  const state = stateOf(program, frame)
  const limits = limitsView(state, frame)
  const facts = guardFacts(run, by, options)
  const transitions = transitionViews(machine, state, frame, facts)
  return {
    workflow: program.root.id,
    status: run.status,
    unguarded: isUnguarded(run),
    state: frame.state,
    is_final: state.isFinal,
    allowed_tools: state.toolNames,
    allowed_commands: state.shell.allowedCommands?.map((words) => words.join(' ')) ?? null,
    transitions,
    iteration: limits.iteration,
    max_iterations: limits.max_iterations,
    instructions: state.instructions,
    transition_count: run.transitionCount,
    blocked_env: state.shell.blockedEnv,
    env_overrides: Object.keys(state.envOverrides),
    context: frame.context,
    guards: transitions.flatMap((transition) => transition.guards),
    meta: machine.meta as JsonObject, // Parsed as JSON by its schema.
    limits,
    pending_approval: approvalView(lane.approval),
    interrupt: interruptView(frame),
    fork: forkView(run),
    evidence: evidenceView(machine, frame, options.digests),
    ...seenView(program, run, facts.at),
    stack: stackOf(lane),
    cost_usd: run.costMicros / 1_000_000,
    ...(state.question === null
      ? {}
      : { question: state.question, answers: [...state.transitions.keys()] }),
    brief: brief(program, run, by, options),
  }
}

/** A branch that is asked for by name is shown, no matter who works it and even when it is over. */
function viewedLane(run: RunSnapshot, by: Actor, branch: string | undefined): Lane {
  const named = branch === undefined ? undefined : branchOf(run.fork, branch)
  if (named !== undefined) return named.lane
  const choice = chooseLane(run, by, undefined)
  return choice.kind === 'lane' ? laneOf(run, choice.name) : run.main
}

function limitsView(state: MachineState, { counters }: Frame): LimitsView {
  return {
    iteration: counters.iterations,
    max_iterations: finite(state.maxIterations),
    files: counters.files.length,
    max_files_per_state: finite(state.maxFiles),
    bytes: counters.bytes,
    context_budget_bytes: finite(state.contextBudgetBytes),
    max_edit_lines: finite(state.maxEditLines),
  }
}

/** JSON knows no infinity: a limit that is not there is null. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function approvalView(approval: PendingApproval | null): ApprovalView | null {
  if (approval === null) return null
  const { id, event, from, to, message } = approval
  return { approval_id: id, event, from, to, message: textOf(message) }
}

function interruptView({ interrupt }: Frame): RunView['interrupt'] {
  if (interrupt === null) return null
  return { name: interrupt.name, file: interrupt.file, return_to: interrupt.returnTo }
}

function forkView({ fork }: RunSnapshot): ForkView | null {
  if (fork === null) return null
  const branches = fork.branches.map(({ name, status, initial, terminal, lane }) => {
    const { state } = topFrame(lane)
    return [name, { state, status, initial, terminal }] as const
  })
  return {
    join: fork.join,
    current_branch: currentBranch(fork)?.name ?? null,
    branches: Object.fromEntries(branches),
  }
}

function evidenceView(
  machine: Machine,
  frame: Frame,
  digests: DigestFacts | undefined,
): RunView['evidence'] {
  const states = [...machine.evidence.values()].map((fact) => {
    const known = own(frame.evidence, fact.name)
    return [fact.name, evidenceState(fact, known, own(digests, fact.name))] as const
  })
  return Object.fromEntries(states)
}

function stackOf(lane: Lane): RunView['stack'] {
  return lane.frames.slice(0, -1).map(({ machine, state }) => ({ workflow: machine, state }))
}
