import type { Code, Decision, Reason } from '@statewright/core/internal'
import { nextStep } from '../base/next-step.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'

/** A call that may not run, or not yet: what the agent is told of it (WF-14). */
export interface Denial {
  readonly decision: 'ask' | 'deny'
  readonly code: Code
  readonly message: string
  readonly reasons: readonly Reason[]
  /** The approval that a person was asked for. */
  readonly approvalId?: string
  readonly allowedTools: readonly string[] | null
  readonly events: Decision['events']
  readonly way?: Decision['way']
  readonly runId: string | null
  readonly callId: string
  readonly notices: readonly string[]
}

/** What the text is made of, as far as a caller on the other side of a wire knows it. */
export interface DenialFacts {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly approvalId?: string | undefined
  readonly allowedTools: readonly string[] | null
  readonly events: Decision['events']
  readonly way?: Decision['way'] | undefined
}

/** Clients cut long texts; a denial that loses its end would lose the way on. */
const maxListed = 40

const tryAgain = 'Make exactly the same call again once it is approved.'

/**
 * A denial as the agent reads it: the code, the sentence, what is allowed now, which events lead on
 * and the shortest way to the wanted tool. Stable words, since agents learn them (WF-14).
 */
export function denialText(denial: DenialFacts): string {
  const { code = 'internal', message = 'The call was denied.' } = denial
  const { allowedTools, events, way } = denial
  const lines = [`${code}: ${message}`]
  if (denial.approvalId !== undefined) {
    lines.push(`A person was asked (${denial.approvalId}). ${tryAgain}`)
  }
  // The sentence of this code names them already.
  if (allowedTools !== null && code !== 'tool_not_allowed') {
    lines.push(`Allowed now: ${listed(allowedTools) || 'none'}.`)
  }
  if (events.length > 0) {
    lines.push(`Events: ${listed(events.map(({ event, target }) => `${event} -> ${target}`))}.`)
  }
  if (way !== undefined && way.length > 0) {
    const steps = way.map(({ event, target, needs }) => {
      const wants = needs === undefined ? '' : ` (${needs})`
      return `${event} to ${target}${wants}`
    })
    lines.push(`To go on, call statewright_transition with ${steps.join(', then ')}.`)
  }
  return lines.join('\n')
}

/** The same for anyone who wants a problem with fields. */
export function denialProblem(denial: Denial): RuntimeProblem {
  const { decision, code, message, approvalId, allowedTools, events, way, reasons } = denial
  const next = nextOf(denial)
  return problem(code, message, {
    ...(next === undefined ? {} : { next }),
    details: {
      decision,
      reasons: reasons.map(({ code, message, path, resets_at }) => ({
        code,
        message,
        path,
        ...(resets_at === undefined ? {} : { resets_at }),
      })),
      allowed_tools: allowedTools === null ? null : [...allowedTools],
      events: events.map((one) => ({ ...one })),
      ...(way === undefined ? {} : { way: way.map((one) => ({ ...one })) }),
      ...(approvalId === undefined ? {} : { approval_id: approvalId }),
    },
  })
}

function nextOf({ decision, code, approvalId, events, way }: Denial): string | undefined {
  if (decision === 'ask' && approvalId !== undefined) {
    return 'make exactly the same call again once a person has approved it.'
  }
  const [step] = way ?? []
  if (step !== undefined && step.needs === undefined) {
    return `send ${step.event} to go to ${step.target}.`
  }
  return nextStep(code, events)
}

/** A denial that no rule made: a failure of ours, or a run that is not there. */
export function plainDenial(
  code: Code,
  message: string,
  { runId = null, callId = '' }: { readonly runId?: string | null; readonly callId?: string } = {},
): Denial {
  const reasons = [{ code, message, path: '' }]
  const facts = { decision: 'deny', allowedTools: null, events: [], notices: [] } as const
  return { ...facts, code, message, reasons, runId, callId }
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, maxListed).join(', ')
  const left = items.length - maxListed
  return left > 0 ? `${shown} and ${left} more` : shown
}
