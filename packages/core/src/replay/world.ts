import { defined } from '../base/defined.ts'
import type { Code, Reason } from '../base/problem.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import { takeAsAllowed } from '../reduce/tool-requested.ts'
import { machineOfCaller, stateOfCaller } from '../run/choose-lane.ts'
import type { Decision } from '../run/decision.ts'
import type { Actor, ToolRequested } from '../run/events.ts'
import { lanesOf } from '../run/lanes.ts'
import { openSealing, readResult } from '../run/read-result.ts'
import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { FileChanges } from './file-changes.ts'
import { type LegalPosition, type Look, legalWay, type Walk } from './legal-way.ts'

/** One way in which a transcript may have gone: where the run of the obedient agent stands. */
export interface World {
  readonly run: RunSnapshot
  readonly state: string
  readonly hasEnded: boolean
}

export interface Played {
  readonly program: Program
  readonly files: FileChanges
}

/** What became of a call, after the legal ways were tried. */
export interface CallOutcome {
  readonly world: World
  readonly kind: 'allow' | 'ask' | 'deny'
  readonly reasons: readonly Reason[]
  /** Where the agent stood when it was answered so. */
  readonly state: string
  readonly code?: Code
  readonly path?: string
  readonly message?: string
  readonly events: number
  readonly approvals: number
  readonly claims: readonly string[]
}

const person: Actor = { kind: 'person', id: 'person' }
const mainAgent = 'agent'
const waiting = '(waiting)'
const approvalLifeMs = 60 * 60_000
/** Other states say the same of these, so that no way is looked for. */
const shutEverywhere: ReadonlySet<Code> = new Set<Code>([
  'self_protection',
  'question_refused',
  'agent_spawn',
  'run_blocked',
  'gate_closed',
  'condition_failed',
  'policy_denied',
  'rate_exceeded',
  'budget_exceeded',
  'session_budget_exhausted',
])

export function startWorld(
  { program, files }: Played,
  { at, task }: { readonly at: number; readonly task?: string },
): World {
  const digests = files.atStart()
  const { run } = startRun(program, {
    ...{ type: 'started', at, by: person, hash: program.hash, digests },
    ...defined({ task }),
  })
  return worldOf(program, run)
}

/** A person said more while the run is on (FC-11). */
export function nextTask(
  { program }: Played,
  { run }: World,
  { at, text }: { readonly at: number; readonly text: string },
): World {
  return worldOf(program, reduceRun(program, run, { type: 'task_given', at, by: person, text }).run)
}

/** Judges a call; where it is denied, again after the shortest legal way to where it is not. */
export function judgeCall(
  played: Played,
  { run }: World,
  asked: { readonly at: number; readonly call: ToolCall; readonly agent?: string },
): CallOutcome {
  const { program } = played
  const { call } = asked
  const by: Actor = { kind: 'agent', id: asked.agent ?? mainAgent }
  const walk = walkFor(played, { at: asked.at, by })
  const first = requested(walk, run, call)
  const judged = (
    there: typeof first,
    way: Pick<LegalPosition, 'events' | 'approvals' | 'claims'>,
  ) => {
    const { events, approvals, claims } = way
    const taken = { events: events.length, approvals, claims }
    const state = stateOfCaller(program, there.before, by)?.name ?? waiting
    return { ...reportedOf(there.decision), ...taken, state, world: worldOf(program, there.run) }
  }
  const denied = judged(first, { events: [], approvals: 0, claims: [] })
  if (first.decision.kind !== 'deny') return denied
  if (first.decision.reasons.some(({ code }) => shutEverywhere.has(code))) return denied
  const look = (there: RunSnapshot): Look => {
    const { decision } = requested(walk, there, call)
    if (decision.kind !== 'deny') return 'fits'
    return lacksTool(first.decision) && !lacksTool(decision) ? 'nearer' : 'no'
  }
  const { reached, nearer, closed } = legalWay(walk, first.run, look, { mayEnd: !changes(call) })
  const way = reached ?? nearer
  const then = way === undefined ? denied : judged(requested(walk, way.run, call), way)
  // What keeps the way shut says more than what the state lists; work on files has no way out.
  if (reached !== undefined || closed === undefined || changes(call)) return then
  const message = [then.message, `${closed.event} is refused: ${closed.message}`]
  return {
    ...then,
    message: message
      .map((one) => sentence(one ?? ''))
      .join(' ')
      .trim(),
  }
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`
}

function lacksTool({ reasons }: Decision): boolean {
  return reasons.some(({ code }) => code === 'tool_not_allowed')
}

/** Whether a call changes files, as far as it says so: such work belongs to a run. */
export function changes({ edits = [], shellFiles = [] }: ToolCall): boolean {
  return edits.length + shellFiles.length > 0
}

/** What came of it, in a world that let it through; in another one nothing changes. */
export function finishCall(
  { program, files }: Played,
  world: World,
  result: {
    readonly at: number
    readonly id: string
    readonly exit: 'success' | 'failure' | null
    readonly bytes: number
    readonly output?: string
  },
  agent: string | undefined,
): World {
  const { run } = world
  const { at, id: callId, exit, bytes, output } = result
  const by: Actor = { kind: 'agent', id: agent ?? mainAgent }
  const text = output === undefined ? { isCut: true } : { text: output }
  const seen = { ...text, ...(exit === null ? {} : { exitCode: exit === 'success' ? 0 : 1 }) }
  const step = reduceRun(program, run, {
    ...{ type: 'tool_finished', at, by, callId, bytes, exit, source: 'observed' },
    digests: files.now(machineOfCaller(program, run, by)),
    ...readResult(program, run, callId, { at, by, exit, result: seen, sealing: openSealing }),
  })
  return step.refusal === undefined ? worldOf(program, step.run) : world
}

/** What two worlds have in common that will go on alike. */
export function standingOf({ run }: World): string {
  const lanes = lanesOf(run)
  const frames = lanes.flatMap((lane) =>
    lane.frames.map(({ machine, state, interrupt, evidence }) => {
      const known = Object.entries(evidence).map(([name, { callId, outcome }]) => [
        name,
        callId,
        outcome,
      ])
      return [machine, state, interrupt?.name, known]
    }),
  )
  return JSON.stringify([run.status, frames])
}

function worldOf(program: Program, run: RunSnapshot): World {
  const by: Actor = { kind: 'agent', id: mainAgent }
  const state = stateOfCaller(program, run, by)?.name ?? waiting
  return { run, state, hasEnded: hasEnded(run.status) }
}

function walkFor(
  { program, files }: Played,
  { at, by }: { readonly at: number; readonly by: Actor },
): Walk {
  return { program, at, by, digests: (machine: Machine) => files.now(machine) }
}

/** The decision, and the run when the call is made: a question counts as answered with yes. */
function requested(
  { program, at, by, digests }: Walk,
  run: RunSnapshot,
  call: ToolCall,
): { readonly decision: Decision; readonly run: RunSnapshot; readonly before: RunSnapshot } {
  const event: ToolRequested = {
    ...{ type: 'tool_requested', at, by, call, asker: by.id, results: 'observed' },
    ...{ approvalId: `ask-${call.id}`, approvalExpiresAt: at + approvalLifeMs },
    digests: digests(machineOfCaller(program, run, by)),
  }
  const step = reduceRun(program, run, event)
  if (step.answer.type !== 'decided') throw new Error('bug: a call is answered with a decision')
  const { decision } = step.answer
  const after = decision.kind === 'ask' ? takeAsAllowed(program, run, event) : step.run
  return { decision, run: after, before: run }
}

function reportedOf(decision: Decision) {
  const { kind, code, message, reasons, asks } = decision
  const path = reasons[0]?.path ?? asks[0]?.reason.path
  return { kind, reasons, ...defined({ code, message, path: path === '' ? undefined : path }) }
}

/** The same with what was used, learnt and sent: two worlds in which all of it is alike are one. */
export function wholeStandingOf(world: World): string {
  const { facts, marks, mailsSent } = world.run
  const used = lanesOf(world.run).flatMap((lane) =>
    lane.frames.map(({ counters: { visit: _, ...counters }, context }) => [counters, context]),
  )
  return JSON.stringify([standingOf(world), used, facts ?? {}, marks ?? {}, mailsSent])
}
