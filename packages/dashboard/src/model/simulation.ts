import type { JsonObject } from '@statewright/core/internal'
import { stringify } from 'yaml'
import { placeOf } from './place.ts'
import {
  giveAnswer,
  type Play,
  resolveApproval,
  sendEvent,
  type TriedCall,
  tryCall,
} from './play.ts'

/** Something that was tried in a simulated run. */
export type Tried =
  | { readonly kind: 'send'; readonly event: string; readonly data: JsonObject }
  | { readonly kind: 'answer'; readonly answer: string }
  | ({ readonly kind: 'call' } & TriedCall)
  | {
      readonly kind: 'verdict'
      readonly approvalId: string
      readonly verdict: 'approve' | 'reject'
    }

/** A run in the making with all that led to it. */
export interface Simulation {
  readonly start: Play
  readonly steps: readonly { readonly tried: Tried; readonly play: Play }[]
}

export function begin(start: Play): Simulation {
  return { start, steps: [] }
}

export function now({ start, steps }: Simulation): Play {
  return steps.at(-1)?.play ?? start
}

/** The run just before its last step. */
export function before({ start, steps }: Simulation): Play {
  return steps.at(-2)?.play ?? start
}

export function attempt(simulation: Simulation, tried: Tried, at: number): Simulation {
  const play = carryOut(now(simulation), tried, at)
  return { ...simulation, steps: [...simulation.steps, { tried, play }] }
}

/** The same steps on another definition, such as the one that was just changed. */
export function playAgain(steps: readonly Tried[], start: Play, at: number): Simulation {
  return steps.reduce((done, tried) => attempt(done, tried, at), begin(start))
}

function carryOut(play: Play, tried: Tried, at: number): Play {
  switch (tried.kind) {
    case 'send':
      return sendEvent(play, tried.event, tried.data, at)
    case 'answer':
      return giveAnswer(play, tried.answer, at)
    case 'call':
      return tryCall(play, tried, at)
    case 'verdict':
      return resolveApproval(play, waitingId(play, tried.approvalId), tried.verdict, at)
  }
}

/** On a changed text the same question may have another number. */
function waitingId(play: Play, wanted: string): string {
  const { waiting } = placeOf(play)
  const isThere = waiting.some(({ approvalId }) => approvalId === wanted)
  return isThere ? wanted : (waiting[0]?.approvalId ?? wanted)
}

/** The story as a scenario file, which `statewright workflow test` holds the workflow to. */
export function scenarioText(simulation: Simulation, name: string, file: string): string {
  const steps = simulation.steps.map(({ tried, play }) => scenarioStep(tried, play))
  return stringify({ definition: file, scenarios: [{ name, steps }] }, { lineWidth: 0 })
}

function scenarioStep(tried: Tried, play: Play): Record<string, unknown> {
  return { ...deed(tried), ...expected(tried, play), ...standing(play) }
}

function deed(tried: Tried): Record<string, unknown> {
  switch (tried.kind) {
    case 'send':
      return Object.keys(tried.data).length === 0
        ? { send: tried.event }
        : { send: tried.event, data: tried.data }
    case 'answer':
      return { answer: tried.answer }
    case 'call':
      return {
        tool: tried.tool,
        input: tried.input,
        ...(tried.exit === 'failure' ? { result: 'failure' } : {}),
      }
    case 'verdict':
      return tried.verdict === 'approve' ? { approve: 'approved' } : { reject: 'rejected' }
  }
}

function expected(tried: Tried, { last }: Play): Record<string, unknown> {
  if (last.refusal !== undefined) return { expect: 'refused', code: last.refusal.code }
  const { answer } = last
  if (answer.type === 'decided') {
    const { kind, code } = answer.decision
    if (kind === 'allow') return {}
    return kind === 'deny' && code !== undefined ? { expect: kind, code } : { expect: kind }
  }
  if (answer.type === 'pending_approval' && tried.kind !== 'verdict') return { expect: 'waits' }
  return {}
}

/** A fork stands in several states, which a scenario does not name. */
function standing(play: Play): Record<string, unknown> {
  const { states, status } = placeOf(play)
  const state = states.length === 1 ? { state: states[0] } : {}
  return status === 'running' || status === 'waiting' ? state : { ...state, status }
}
