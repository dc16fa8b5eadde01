import { lineOf, type PlayedStep, programOf, type ReplayedCall } from '@statewright/core/internal'
import type { ChosenRun } from './chosen-runs.ts'

type PlayedCall = Extract<PlayedStep, { kind: 'call' }>

/** A played call in the words of the report. */
export function replayedCall(run: ChosenRun, seq: number, played: PlayedCall): ReplayedCall {
  const { event, before, after, decision, missing, state } = played
  const { call, at } = event
  const [reason] = decision.reasons
  const { code, message } = decision
  return {
    run: run.runId,
    index: seq,
    at,
    tool: call.tool,
    program: programOf(call),
    shown: after === before ? '' : lineOf(call),
    before,
    after,
    state,
    ...(after === before || code === undefined ? {} : { code }),
    ...(after === before || message === undefined ? {} : { message }),
    ...(after === before || reason === undefined ? {} : { path: reason.path }),
    ...(missing.length === 0 ? {} : { missing }),
    link: linkOf(run.runId, seq),
  }
}

/** Where the dashboard shows the entry. */
export function linkOf(runId: string, seq: number): string {
  return `/runs/${encodeURIComponent(runId)}?at=${seq}`
}
