import type { JsonObject } from '../base/json.ts'
import { shapeOf } from '../decide/call-shape.ts'
import { decideToolCall } from '../decide/decide-tool-call.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { type CallCapabilities, countersFor } from '../policy/evaluate-policy.ts'
import type { CounterUsage, UsageFacts } from '../policy/usage.ts'
import { startRun } from '../reduce/start.ts'
import type { Decision } from '../run/decision.ts'
import type { Actor } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { brief } from './brief.ts'

export interface Explained {
  readonly decision: Decision
  readonly brief: string
}

export interface ExplainInput {
  readonly program: Program
  /** Where the run would stand; the initial state when absent. It must exist. */
  readonly state?: string
  readonly context?: JsonObject
  readonly strict?: boolean
  readonly call: ToolCall
}

/** What a call would get in a state of a fresh run: nothing used yet, nothing asked yet. */
export function explainCall(input: ExplainInput): Explained {
  const { program, call } = input
  const run = standingAt(input)
  const usage = unused(program.root, shapeOf(call).asked)
  const { decision } = decideToolCall({ program, run, call, by: nobody, at: 0, usage })
  return { decision, brief: brief(program, run, nobody) }
}

const nobody: Actor = { kind: 'agent', id: 'explain' }

function standingAt({ program, state, context, strict }: ExplainInput): RunSnapshot {
  const { run } = startRun(program, {
    type: 'started',
    at: 0,
    by: nobody,
    hash: program.hash,
    ...(context === undefined ? {} : { context }),
    ...(strict === undefined ? {} : { strict }),
  })
  if (state === undefined) return run
  const frames = run.main.frames.map((frame) => ({ ...frame, state }))
  return { ...run, status: 'running', main: { ...run.main, frames } }
}

function unused(machine: Machine, capabilities: CallCapabilities): UsageFacts {
  const counters = machine.policy === null ? [] : countersFor(machine.policy, capabilities)
  const usage: Record<string, CounterUsage> = {}
  for (const counter of counters) {
    const max = counter.kind === 'rate' ? counter.maxCalls : counter.maxMicros
    usage[counter.key] = { used: 0, max, resetsAt: null, free: true }
  }
  return usage
}
