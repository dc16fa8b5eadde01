import { isDeepStrictEqual } from 'node:util'
import {
  type Actor,
  describeCall,
  type Program,
  type ProgramTable,
  type RunEvent,
  type RunSnapshot,
  reduceRun,
  runView,
  type Step,
  startRun,
} from '@statewright/core/internal'
import { ImaginedFiles } from './imagined-files.ts'
import { type Action, actions, type Scenario, type ScenarioStep } from './schema.ts'

export interface Played {
  readonly name: string
  readonly ok: boolean
  readonly steps: number
  /** Of the first step that went another way. */
  readonly failed?: { readonly step: number; readonly key: string; readonly message: string }
}

const agent: Actor = { kind: 'agent', id: 'scenario' }
const person: Actor = { kind: 'person', id: 'scenario' }
const tick = 1000
const askTimeoutMs = 5 * 60_000

/** What came of a step, in the words of `expect`. */
interface Outcome {
  readonly word: NonNullable<ScenarioStep['expect']>
  readonly code?: string
  readonly message?: string
}

/** Plays a scenario against the pure reducer: no server, no clock, the same answer every time. */
export function playScenario(
  program: Program,
  scenario: Scenario,
  options: {
    readonly strict: boolean
    readonly root: string
    readonly programs: ProgramTable
  },
): Played {
  const { name, context, steps } = scenario
  let now = tick
  const files = new ImaginedFiles()
  const started = startRun(program, {
    type: 'started',
    at: now,
    by: person,
    hash: program.hash,
    strict: options.strict,
    digests: files.atStart(program),
    ...(context === undefined ? {} : { context }),
  })
  let run = started.run
  for (const [index, step] of steps.entries()) {
    now += tick
    const { root, programs } = options
    const played = playStep({ program, run, step, now, root, programs, files })
    run = played.run
    files.change(step.changes ?? [])
    const wrong = outcomeFault(step, played.outcome) ?? standFault(program, run, step)
    if (wrong !== undefined) {
      return { name, ok: false, steps: index + 1, failed: { step: index, ...wrong } }
    }
  }
  return { name, ok: true, steps: steps.length }
}

interface Stage {
  readonly program: Program
  readonly run: RunSnapshot
  readonly step: ScenarioStep
  readonly now: number
  readonly root: string
  readonly programs: ProgramTable
  readonly files: ImaginedFiles
}

export function actionOf(step: ScenarioStep): Action | undefined {
  return actions.find((name) => step[name] !== undefined)
}

function playStep(stage: Stage): { run: RunSnapshot; outcome: Outcome | undefined } {
  const { program, run, step } = stage
  const event = eventOf(stage)
  if (event === undefined) return { run, outcome: undefined }
  const done = reduceRun(program, run, event)
  const outcome = outcomeOf(done)
  if (event.type !== 'tool_requested' || outcome.word !== 'allow' || step.result === 'none') {
    return { run: done.run, outcome }
  }
  const { files } = stage
  if (step.result !== 'failure') files.change((event.call.edits ?? []).map((edit) => edit.path))
  const finished = reduceRun(program, done.run, {
    type: 'tool_finished',
    at: stage.now + 1,
    by: agent,
    callId: event.call.id,
    bytes: step.bytes ?? 0,
    exit: step.result ?? 'success',
    source: 'observed',
    digests: files.now(program, done.run, agent, step.branch),
  })
  return { run: finished.run, outcome }
}

function eventOf({ program, run, step, now, root, programs, files }: Stage): RunEvent | undefined {
  const branch = step.branch === undefined ? {} : { branch: step.branch }
  const digests = files.now(program, run, agent, step.branch)
  const facts = { at: now, by: agent }
  const approvalId = `approval-${now}`
  if (step.tool !== undefined) {
    const raw = { id: `call-${now}`, tool: step.tool, input: step.input ?? {} }
    const call = describeCall(raw, { root, shell: { programs } })
    const approvalExpiresAt = now + askTimeoutMs
    return {
      ...facts,
      ...branch,
      type: 'tool_requested',
      call,
      digests,
      approvalId,
      approvalExpiresAt,
    }
  }
  if (step.send !== undefined) {
    const data = step.data === undefined ? {} : { data: step.data }
    return {
      ...facts,
      ...branch,
      ...data,
      type: 'transition_requested',
      event: step.send,
      digests,
      approvalId,
    }
  }
  if (step.answer !== undefined) {
    const rationale = step.rationale === undefined ? {} : { rationale: step.rationale }
    return { ...facts, ...rationale, type: 'answer_given', answer: step.answer, approvalId }
  }
  if (step.pause === true) return { at: now, by: person, type: 'paused' }
  if (step.resume === true) return { at: now, by: person, type: 'resumed' }
  const note = step.approve ?? step.reject
  if (note === undefined) return undefined
  return {
    at: now,
    by: person,
    type: 'approval_resolved',
    approvalId: waitingId(run) ?? 'none',
    verdict: step.approve === undefined ? 'reject' : 'approve',
    digests,
    ...(note === '' ? {} : { note }),
  }
}

function waitingId(run: RunSnapshot): string | undefined {
  const lanes = [run.main, ...(run.fork?.branches ?? []).map((branch) => branch.lane)]
  const parked = lanes.find((lane) => lane.approval !== null)?.approval?.id
  return parked ?? run.asks.find((ask) => ask.status === 'waiting')?.id
}

function outcomeOf({ answer, refusal }: Step): Outcome {
  if (refusal !== undefined) {
    return { word: 'refused', code: refusal.code, message: refusal.message }
  }
  switch (answer.type) {
    case 'decided': {
      const { kind, code, message } = answer.decision
      return {
        word: kind,
        ...(code === undefined ? {} : { code }),
        ...(message === undefined ? {} : { message }),
      }
    }
    case 'pending_approval':
      return { word: 'waits', message: answer.message }
    case 'approval_ended':
      // A rejection is just what the person wanted; guards that fail at an approval are not.
      return answer.code === undefined || answer.code === 'approval_rejected'
        ? { word: 'moved' }
        : { word: 'refused', code: answer.code, message: `The approval ended: ${answer.verdict}.` }
    default:
      return { word: 'moved' }
  }
}

interface Fault {
  readonly key: string
  readonly message: string
}

function outcomeFault(step: ScenarioStep, outcome: Outcome | undefined): Fault | undefined {
  if (outcome === undefined) return undefined
  const wanted = wantedWord(step)
  const key = step.expect === undefined ? (actionOf(step) ?? 'expect') : 'expect'
  const why = outcome.code === undefined ? '' : ` (${outcome.code}: ${outcome.message ?? ''})`
  if (outcome.word !== wanted) {
    return { key, message: `expected ${wanted}, got ${outcome.word}${why}` }
  }
  if (step.code === undefined || step.code === outcome.code) return undefined
  return { key: 'code', message: `expected ${step.code}, got ${outcome.code ?? 'no code'}${why}` }
}

/** A step that says nothing of its outcome has to be let through; a code means a no. */
function wantedWord(step: ScenarioStep): Outcome['word'] {
  if (step.expect !== undefined) return step.expect
  const isNo = step.code !== undefined
  if (step.tool !== undefined) return isNo ? 'deny' : 'allow'
  return isNo ? 'refused' : 'moved'
}

function standFault(program: Program, run: RunSnapshot, step: ScenarioStep): Fault | undefined {
  const options = step.branch === undefined ? {} : { branch: step.branch }
  const view = runView(program, run, agent, options)
  for (const key of ['state', 'status'] as const) {
    if (step[key] === undefined || step[key] === view[key]) continue
    return { key, message: `expected ${key} ${step[key]}, got ${view[key]}` }
  }
  for (const [name, value] of Object.entries(step.context ?? {})) {
    const got = Object.hasOwn(view.context, name) ? view.context[name] : undefined
    if (isDeepStrictEqual(got, value)) continue
    const shown = got === undefined ? 'nothing' : JSON.stringify(got)
    return { key: 'context', message: `expected ${name} ${JSON.stringify(value)}, got ${shown}` }
  }
  return undefined
}
