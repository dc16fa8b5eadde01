import { type Problem, toMicros } from '@statewright/core'
import type { Caller } from '../../runtime/caller.ts'
import { finishCall } from '../../runtime/change-run.ts'
import {
  type CheckAnswer,
  type CheckRequest,
  checkCall,
  RunNotFound,
} from '../../runtime/check-call.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { problem, type RuntimeProblem } from '../../runtime/problem.ts'
import { UpstreamFault } from '../../upstream/problem.ts'
import type { ToolCaller } from '../callers-run.ts'
import { placeCall } from './place-call.ts'
import { type Verdict, type VerdictBell, waitForVerdict } from './wait-for-verdict.ts'

export interface JudgeParts {
  readonly runtime: RuntimeParts
  readonly bell: VerdictBell
  /** How long a call may wait at the gateway for a person; 0 to refuse at once. */
  readonly askWaitMs: () => number
  readonly onFault?: (fault: unknown) => void
}

export interface GuardedCall<Given> {
  readonly from: ToolCaller
  readonly meta: unknown
  /** Missing for the gateway's own guarded tools, which are judged like those of any client. */
  readonly server?: string
  readonly tool: string
  readonly input: unknown
  readonly signal: AbortSignal
  readonly onStillWaiting: (seconds: number) => void
  /** Carries the call out; only ever called after it was allowed and that was made durable. */
  readonly run: (allowed: CheckAnswer) => Promise<Given>
  /** What came of it, as the run's history counts it. */
  readonly outcome: (given: Given) => Outcome
}

export interface Outcome {
  readonly bytes: number
  readonly exit: 'success' | 'failure' | null
  readonly costUsd?: number
}

export type Guarded<Given> =
  | { readonly kind: 'done'; readonly given: Given; readonly notices: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: RuntimeProblem }

/**
 * Judges a call, waits for a person where one is asked, carries it out, and writes down what came
 * of it. Nothing is carried out when anything of ours fails (invariant 1).
 */
export async function judgeAndRun<Given>(
  parts: JudgeParts,
  call: GuardedCall<Given>,
): Promise<Guarded<Given>> {
  let allowed: CheckAnswer
  try {
    const judged = await judge(parts, call)
    if ('refusal' in judged) return { kind: 'refused', refusal: judged.refusal }
    allowed = judged.allowed
  } catch (fault) {
    if (fault instanceof RunNotFound) return refused(problem('unknown_run', fault.message))
    parts.onFault?.(fault)
    return refused(notJudged)
  }
  return carryOut(parts, call, allowed)
}

const notJudged = problem(
  'internal',
  'Statewright could not judge this call, so that it was not made.',
  { next: 'try again; ask a person to look at the server if it goes on.' },
)

type Judged = { readonly allowed: CheckAnswer } | { readonly refusal: RuntimeProblem }

async function judge<Given>(parts: JudgeParts, call: GuardedCall<Given>): Promise<Judged> {
  const { from, server, tool, input } = call
  const placed = await placeCall(from, call.meta)
  if (!placed.ok) return { refusal: placed.error }
  const { project } = from
  const request: CheckRequest = {
    ...placed.value,
    tool,
    ...(server === undefined ? {} : { server }),
    input,
    ...(project === undefined ? {} : { project, workspace: project }),
  }
  // The id is ours: one that the client chose could be used twice, and count once.
  const first = await checkCall(parts.runtime, from.caller, request)
  if (first.decision === 'allow') return { allowed: first }
  const { approvalId } = first
  if (first.decision !== 'ask' || approvalId === undefined) return { refusal: denial(first) }
  const mostMs = parts.askWaitMs()
  if (mostMs === 0) return { refusal: denial(first) }
  const { signal, onStillWaiting } = call
  const verdict = await waitForVerdict(parts.runtime, parts.bell, {
    approvalId,
    mostMs,
    signal,
    onStillWaiting,
  })
  if (verdict !== 'approved') return { refusal: unanswered(verdict, first, approvalId) }
  // Judged again from the start: the run may have moved on while the person was thinking.
  const second = await checkCall(parts.runtime, from.caller, request)
  return second.decision === 'allow' ? { allowed: second } : { refusal: denial(second) }
}

async function carryOut<Given>(
  parts: JudgeParts,
  call: GuardedCall<Given>,
  allowed: CheckAnswer,
): Promise<Guarded<Given>> {
  const since = parts.runtime.clock.now()
  const { caller } = call.from
  try {
    const given = await call.run(allowed)
    const outcome = call.outcome(given)
    const notices = await finish(parts, caller, allowed, outcome, since)
    return { kind: 'done', given, notices: [...allowed.notices, ...notices] }
  } catch (fault) {
    if (fault instanceof NotRecorded) return refused(notRecorded)
    // Whether it happened is not known where no answer came: then nothing is given back.
    const exit = fault instanceof UpstreamFault && fault.mayHaveRun ? null : 'failure'
    await finish(parts, caller, allowed, { bytes: 0, exit }, since).catch((more) =>
      parts.onFault?.(more),
    )
    if (fault instanceof UpstreamFault) return refused(fault.toProblem())
    throw fault
  }
}

class NotRecorded extends Error {}

const notRecorded = problem(
  'internal',
  'The call was made, but what came of it could not be written down, so that it is not told.',
  { next: 'ask a person to look at the server before repeating the call.' },
)

/** The answer leaves only after its entry is durable (invariant 2). */
async function finish(
  parts: JudgeParts,
  caller: Caller,
  { runId, callId }: CheckAnswer,
  { bytes, exit, costUsd }: Outcome,
  since: number,
): Promise<readonly string[]> {
  if (runId === null) return []
  const { runtime } = parts
  const costMicros = costUsd === undefined ? undefined : toMicros(costUsd)
  try {
    const done = await finishCall(runtime, caller, {
      run: runId,
      callId,
      bytes,
      exit,
      // It was carried out by us, so that nobody else could have said what came of it (WF-31).
      source: 'observed',
      durationMs: Math.max(0, runtime.clock.now() - since),
      ...(costMicros === undefined ? {} : { costMicros }),
    })
    // A run that ended meanwhile takes no more results; the call itself is in its history.
    if (!done.ok || done.value.answer.type !== 'recorded') return []
    return done.value.answer.notices
  } catch (fault) {
    parts.onFault?.(fault)
    throw new NotRecorded()
  }
}

function refused(refusal: Problem): { kind: 'refused'; refusal: RuntimeProblem } {
  return { kind: 'refused', refusal }
}

/** A decision against the call, with everything that helps the model on. */
function denial(answer: CheckAnswer): RuntimeProblem {
  const { decision, code = 'internal', message = 'The call may not be made.', approvalId } = answer
  const { allowedTools, events, way, reasons } = answer
  const eventNames = [...new Set(events.map((one) => one.event))]
  const [step] = way ?? []
  const ways = eventNames.length === 0 ? [] : [`send one of: ${eventNames.join(', ')}.`]
  const next = step === undefined ? ways[0] : `send ${step.event} to go to ${step.target}.`
  return {
    code,
    message,
    ...(next === undefined ? {} : { next }),
    details: {
      decision,
      reasons: reasons.map(({ code, message, path }) => ({ code, message, path })),
      allowed_tools: allowedTools === null ? null : [...allowedTools],
      events: events.map((one) => ({ ...one })),
      ...(way === undefined ? {} : { way: way.map((one) => ({ ...one })) }),
      ...(approvalId === undefined ? {} : { approval_id: approvalId }),
    },
  }
}

function unanswered(verdict: Verdict, answer: CheckAnswer, approvalId: string): RuntimeProblem {
  const details = { decision: 'deny', approval_id: approvalId }
  switch (verdict) {
    case 'rejected':
      return problem('approval_rejected', 'A person rejected this call.', { details })
    case 'expired':
      return problem('approval_expired', 'No person answered in time.', { details })
    case 'too_long':
    case 'cancelled':
      return denial(answer)
    case 'approved':
    case 'withdrawn':
    case 'failed':
      return problem('approval_withdrawn', 'The question was withdrawn; the run has moved on.', {
        next: 'look where the run stands with statewright_get_state.',
        details,
      })
  }
}
