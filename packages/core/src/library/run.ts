import { invariant } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import { decideToolCall } from '../decide/decide-tool-call.ts'
import type { WorkspaceFacts } from '../decide/describe-call.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import type { Decision } from '../run/decision.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step as RunStep } from '../run/step.ts'
import { explainCall } from '../view/explain.ts'
import { type RunView, runView, type ViewOptions } from '../view/run-view.ts'
import { anAgent, type Call, type CallFacts, describe, factsOfCall } from './call.ts'
import { inside, type Program } from './compile.ts'
import { type Event, runEvent } from './event.ts'

/**
 * What an event came to.
 *
 * @example
 * import { compile, start, type Step } from '@statewright/core'
 *
 * const compiled = compile({ id: 'look', initial: 'done', states: { done: { type: 'final' } } })
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const { snapshot, entries }: Step = start(compiled.value)
 * console.log(snapshot.status, entries.length) // completed 2
 */
export interface Step extends Omit<RunStep, 'run'> {
  /** Where the run stands now; the very same as before when the rules said no. */
  readonly snapshot: RunSnapshot
}

export interface StartFacts {
  /** When it began, in epoch milliseconds. */
  readonly at?: number
  readonly by?: Actor
  /** What guards read, over what the definition begins with. */
  readonly context?: JsonObject
  /** No list of tools means no tools, and what no rule of a policy matches is denied. */
  readonly strict?: boolean
  /** The agent may not pause or stop the run. */
  readonly locked?: boolean
  /** What a person asked for; an agent cannot say so. */
  readonly task?: string
  /** Digests of the files that define evidence, as the run begins. */
  readonly digests?: DigestFacts
}

/**
 * Starts a run: its first snapshot and the first entries of its history. Keep both; the snapshot is
 * plain JSON.
 *
 * @example
 * import { compile, start, view } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { allowed_tools: [Read], on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const { snapshot } = start(compiled.value, { at: Date.now() })
 * console.log(view(compiled.value, snapshot).state) // reading
 */
export function start(program: Program, facts: StartFacts = {}): Step {
  const { compiled } = program[inside]
  const { at = 0, by = anAgent, ...rest } = facts
  return shown(startRun(compiled, { ...rest, type: 'started', hash: compiled.hash, at, by }))
}

/**
 * What an event makes of a run: the next snapshot, entries for its history, what is to be done
 * outside, and the answer. Nothing is changed in place, and no clock is read.
 *
 * @example
 * import { compile, start, step, view } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const program = compiled.value
 * const { snapshot } = start(program)
 * const lost = step(program, snapshot, { type: 'transition_requested', event: 'GO', at: 1 })
 * console.log(lost.refusal?.code) // unknown_event
 * const moved = step(program, snapshot, { type: 'transition_requested', event: 'DONE', at: 2 })
 * console.log(view(program, moved.snapshot).state) // done
 */
export function step(program: Program, snapshot: RunSnapshot, event: Event): Step {
  const { compiled } = program[inside]
  return shown(reduceRun(compiled, snapshot, runEvent(compiled, snapshot, event)))
}

/**
 * What a tool call would get now: allow, ask or deny, with every reason, what is allowed instead
 * and the way there. It counts nothing; send `tool_requested` to `step` for a call that will run.
 *
 * @example
 * import { compile, decide, start } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { allowed_tools: [Read, Bash], on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const { snapshot } = start(compiled.value)
 * const call = { tool: 'Bash', input: { command: 'rm -rf build' } }
 * const decision = decide(compiled.value, snapshot, call)
 * console.log(decision.kind, decision.code) // deny shell_write
 */
export function decide(
  program: Program,
  snapshot: RunSnapshot,
  call: Call,
  facts: DecideFacts = {},
): Decision {
  const { compiled } = program[inside]
  // No time is later than every approval, so that none counts by mistake.
  const { at = Number.POSITIVE_INFINITY, workspace } = facts
  return decideToolCall({
    program: compiled,
    run: snapshot,
    at,
    call: describe(compiled, call, 'call', workspace),
    ...factsOfCall(compiled, snapshot, facts),
  }).decision
}

export interface DecideFacts extends CallFacts {
  /** Now, in epoch milliseconds. Without it approvals that were given count as expired. */
  readonly at?: number
}

/**
 * What a tool call would get in a state of a fresh run: for questions about a definition.
 *
 * @example
 * import { compile, explain } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { allowed_tools: [Read], on: { READY: changing } }
 *   changing: { allowed_tools: [Read, Edit], on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const call = { tool: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } }
 * console.log(explain(compiled.value, call).way?.map(({ event }) => event).join()) // READY
 * console.log(explain(compiled.value, call, { state: 'changing' }).kind) // allow
 */
export function explain(program: Program, call: Call, facts: ExplainFacts = {}): Decision {
  const { compiled } = program[inside]
  const { workspace, ...standing } = facts
  const { state } = standing
  const isKnown = state === undefined || compiled.root.states.has(state)
  invariant(isKnown, `${program.id} has no state ${JSON.stringify(state)}`)
  const described = describe(compiled, call, 'call', workspace)
  return explainCall({ program: compiled, call: described, ...standing }).decision
}

export interface ExplainFacts {
  /** A state of the definition; its initial one when it is not given. */
  readonly state?: string
  readonly context?: JsonObject
  readonly strict?: boolean
  readonly workspace?: WorkspaceFacts
}

/**
 * Where a run stands, in the words of the HTTP API: state, tools, transitions with their guards,
 * limits, and `brief`, the text for the agent.
 *
 * @example
 * import { compile, start, view } from '@statewright/core'
 *
 * const compiled = compile(`
 * id: look
 * initial: reading
 * states:
 *   reading: { allowed_tools: [Read, Grep], on: { DONE: done } }
 *   done: { type: final }
 * `)
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const { allowed_tools, transitions } = view(compiled.value, start(compiled.value).snapshot)
 * console.log(allowed_tools?.join(), transitions[0]?.event) // Read,Grep DONE
 */
export function view(
  program: Program,
  snapshot: RunSnapshot,
  options: ViewOptions & { readonly by?: Actor } = {},
): RunView {
  const { by = anAgent, ...rest } = options
  return runView(program[inside].compiled, snapshot, by, rest)
}

function shown({ run, ...step }: RunStep): Step {
  return { ...step, snapshot: run }
}
