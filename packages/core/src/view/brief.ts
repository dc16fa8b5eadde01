import { limits } from '../base/limits.ts'
import { textOf } from '../base/text/phrase.ts'
import type { Machine, MachineState, Program } from '../machine/machine.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import { currentBranch, isUnfinished, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import {
  type Frame,
  hasEnded,
  isPauseStrict,
  type Lane,
  type PersonsWord,
  type Rejected,
  type RunSnapshot,
} from '../run/snapshot.ts'
import { eventLines } from './event-lines.ts'
import { guardFacts, transitionViews } from './transitions.ts'

export interface BriefOptions {
  readonly branch?: string
  readonly digests?: DigestFacts
  /** Now; without it what expires counts as expired. */
  readonly at?: number
  /** Overrides that we cannot set ourselves are told to the agent (SH-12). */
  readonly tellOverrides?: boolean
  /** The client tells its sub-agents apart, so that they can work a fork at once (WF-25). */
  readonly hasWorkers?: boolean
}

/**
 * What the agent is told each turn: where it stands, what it may use, which events lead on and what
 * they still need. Wording is stable and bounded, since agents read it again and again (WF-13).
 */
export function brief(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  options: BriefOptions = {},
): string {
  if (hasEnded(run.status)) return endedText(program.root.id, run)
  if (run.status === 'paused') return pausedText(program.root.id, run)
  const choice = chooseLane(run, by, options.branch)
  if (choice.kind !== 'lane') return `Phase: fork. ${textOf(choice.message)}`
  const lane = laneOf(run, choice.name)
  const frame = topFrame(lane)
  const machine = machineOf(program, frame)
  const state = stateOf(program, frame)
  const lines =
    machine.kind === 'process'
      ? questionLines(machine, state)
      : workflowLines(machine, state, frame, run, by, options)
  lines.push(...spentLines(program.root, run), ...stateLines(run, lane, frame, choice.name))
  if (options.hasWorkers === true) lines.push(...workerLines(program, run))
  return bounded(lines.join('\n'))
}

/** A block holds on after the end: an agent that is told "ended" alone would just try (PR-4). */
function endedText(name: string, { status, main }: RunSnapshot): string {
  const { word } = topFrame(main)
  return [
    `The run of ${name} has ended: ${status}.`,
    ...(status === 'blocked' ? ['No tool may be used until a person starts another run.'] : []),
    ...(word === undefined ? [] : [wordLine(word)]),
  ].join(' ')
}

/** What a state allows would mislead here: a pause denies everything, or nothing (WF-27). */
function pausedText(workflow: string, run: RunSnapshot): string {
  const paused = `The run of ${workflow} is paused in ${topFrame(run.main).state}.`
  if (isPauseStrict(run)) {
    return `${paused} Only the tools of Statewright may be used until a person resumes it.`
  }
  const how = `call statewright_load_workflow with name "${workflow}" and resume: true.`
  return `${paused} Its rules are not enforced until it is resumed: ${how}`
}

function questionLines(machine: Machine, state: MachineState): string[] {
  const answers = [...state.transitions.keys()].join(', ')
  const lines = [`Phase: ${state.name}. Process: ${machine.id}.`]
  // An invoked process has its first turn later than the run.
  if (state.name === machine.initial && machine.initialPrompt !== null) {
    lines.push(`Task: ${cut(machine.initialPrompt, instructionLength)}`)
  }
  lines.push(
    `Question: ${state.question ?? ''}`,
    `Answers: ${answers}. Give one with process_step.`,
  )
  return lines
}

function workflowLines(
  machine: Machine,
  state: MachineState,
  frame: Frame,
  run: RunSnapshot,
  by: Actor,
  options: BriefOptions,
): string[] {
  const moves = transitionViews(machine, state, frame, guardFacts(run, by, options))
  const list = moves.map((move) => `${move.event} -> ${move.target}`).join(', ')
  const lines = [
    `Phase: ${state.name}. Tools: ${toolList(state, run.settings.strict)}.`,
    `Transitions: ${list || 'none'}.`,
  ]
  if (state.instructions !== null) {
    lines.push(`Instructions: ${cut(state.instructions, instructionLength)}`)
  }
  lines.push(...eventLines(moves, machine.approvalsWait), ...conditionLines(machine, state))
  lines.push(...shellLines(state, options.tellOverrides === true), ...limitLines(state, frame))
  if (Object.keys(frame.context).length > 0) {
    lines.push(`Context: ${cut(JSON.stringify(frame.context, withoutSecrets), 1500)}`)
  }
  return lines
}

function toolList(state: MachineState, strict: boolean): string {
  if (state.toolNames === null) return strict ? 'none' : 'any'
  return state.toolNames.join(', ') || 'none'
}

function shellLines(state: MachineState, tellOverrides: boolean): string[] {
  const lines: string[] = []
  const { allowedCommands, blockedEnv } = state.shell
  if (allowedCommands !== null) {
    lines.push(`Commands: ${allowedCommands.map((words) => words.join(' ')).join(', ') || 'none'}.`)
  }
  if (blockedEnv.length > 0) lines.push(`Blocked variables: ${blockedEnv.join(', ')}.`)
  const overrides = Object.entries(state.envOverrides)
  if (tellOverrides && overrides.length > 0) {
    const reported = overrides.map(
      ([key, value]) => `${key}=${looksSecret(key) ? '(hidden)' : value}`,
    )
    lines.push(`Set in the environment: ${reported.join(', ')}.`)
  }
  return lines
}

function limitLines(state: MachineState, { counters }: Frame): string[] {
  const used: string[] = []
  if (Number.isFinite(state.maxIterations)) {
    used.push(`${counters.iterations} of ${state.maxIterations} tool calls`)
  }
  if (Number.isFinite(state.maxFiles))
    used.push(`${counters.files.length} of ${state.maxFiles} files`)
  if (Number.isFinite(state.contextBudgetBytes)) {
    used.push(`${counters.bytes} of ${state.contextBudgetBytes} result bytes`)
  }
  if (Number.isFinite(state.maxEditLines)) used.push(`${state.maxEditLines} lines per edit`)
  return used.length === 0 ? [] : [`Limits: ${used.join(', ')}.`]
}

/** What the whole run may spend, so that an agent can keep house before it is denied (PR-9). */
function spentLines({ sessionBudget, email }: Machine, run: RunSnapshot): string[] {
  const used: string[] = []
  if (sessionBudget !== null) {
    const [spent, max] = [run.costMicros, sessionBudget.maxMicros].map((one) => one / 1e6)
    used.push(`${spent} of ${max} USD of the session budget in this run`)
  }
  const mails = email?.max_emails_per_session
  if (mails !== undefined) used.push(`${run.mailsSent} of ${mails} mails`)
  return used.length === 0 ? [] : [`Spent: ${used.join(', ')}.`]
}

/** Where the lane stands beside its state: approval, interrupt, branch, parents. */
function stateLines(run: RunSnapshot, lane: Lane, frame: Frame, branch: string | null): string[] {
  const lines: string[] = []
  if (lane.approval !== null) {
    const { event, message, kind } = lane.approval
    const tools =
      kind === 'checkpoint'
        ? 'No tool may be used until then.'
        : 'The current tools stay available.'
    lines.push(`Waiting: ${event} waits for a person (${textOf(message)}). ${tools}`)
  }
  if (frame.rejected !== null) lines.push(rejectedLine(frame.rejected))
  if (frame.word !== undefined) lines.push(wordLine(frame.word))
  if (frame.interrupt !== null) {
    const { name, file, returnTo } = frame.interrupt
    lines.push(`Interrupt: ${name}, because ${file} was changed. It returns to ${returnTo}.`)
  }
  if (run.fork !== null && branch !== null) {
    const names = run.fork.branches.map((one) => one.name)
    const left = run.fork.branches.filter(isUnfinished).map((one) => one.name)
    const mode = run.fork.branches.some((one) => one.boundTo !== null) ? 'bound' : 'in order'
    const isCurrent = currentBranch(run.fork)?.name === branch ? 'current' : 'side'
    lines.push(
      `Branch: ${branch} (${isCurrent}, ${mode}) of ${names.join(', ')}; unfinished: ` +
        `${left.join(', ')}. Finish with BRANCH_DONE:${branch}.`,
    )
  }
  const parents = lane.frames.slice(0, -1)
  if (parents.length > 0) {
    const names = parents.map((parent) => `${parent.machine} (${parent.state})`)
    lines.push(`Invoked by: ${names.join(' > ')}.`)
  }
  return lines
}

/** How a fork is worked at once, as long as nobody has begun to. */
function workerLines({ root }: Program, { fork }: RunSnapshot): string[] {
  if (fork === null || fork.branches.some((one) => one.boundTo !== null)) return []
  const how = `first calls statewright_load_workflow with name "${root.id}" and its branch`
  return [`Workers: sub-agents may work the branches at once; each ${how}.`]
}

function rejectedLine({ event, verdict, note }: Rejected): string {
  const what = {
    rejected: `${event} was rejected by a person`,
    expired: `${event} was not approved in time`,
    failed: `${event} was approved, but was no longer possible`,
  }[verdict]
  return note === '' ? `Rejected: ${what}.` : `Rejected: ${what}: ${cut(textOf(note), 500)}`
}

function wordLine({ event, verdict, note }: PersonsWord): string {
  return `A person ${verdict} ${event} and wrote: ${cut(note, 500)}`
}

/** Names whose values should not be told, as people commonly spell them. */
export function looksSecret(key: string): boolean {
  return /secret|token|passw|credential|api_?key|private|auth|_key$|_url$|dsn/i.test(key)
}

/** The context is data, not settings: only names that leave no doubt are hidden there. */
function withoutSecrets(key: string, value: unknown): unknown {
  const isSecret = /secret|password|passwd|credential|api_?key|private_?key|_token$|^token$/i
  return typeof value === 'string' && isSecret.test(key) ? '(hidden)' : value
}

/** Leaves room for the rest of the brief, whatever an author wrote. */
const { instructionLength } = limits

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

function bounded(text: string): string {
  return cut(text, limits.briefLength)
}

const maxConditions = 12

/** What calls need, so that an agent does not learn it by being refused. */
function conditionLines(machine: Machine, state: MachineState): string[] {
  const rules = [...machine.calls, ...state.calls]
  const lines = rules
    .slice(0, maxConditions)
    .map(({ tool, message, require }) => `${tool} needs: ${cut(message ?? require.text, 300)}`)
  const more = rules.length - lines.length
  return more > 0 ? [...lines, `${more} more conditions apply to other calls.`] : lines
}
