import type {
  GuardDefinition,
  GuardedTransition,
  StateDefinition,
  TransitionDefinition,
  WorkflowDefinition,
} from './workflow-schema.ts'

/** A workflow whose names the compiler knows. */
export interface TypedWorkflow<
  State extends string,
  Event extends string,
  Guard extends string,
  Evidence extends string,
> extends Omit<WorkflowDefinition, 'initial' | 'states' | 'guards' | 'interrupts' | 'evidence'> {
  initial: NoInfer<State>
  states: { [Name in State]: TypedState<NoInfer<State>, Event, NoInfer<Guard>> }
  guards?: { [Name in Guard]: TypedGuard<NoInfer<Evidence>> }
  interrupts?: Record<string, Interrupt & { target: NoInfer<State> }>
  evidence?: { [Name in Evidence]: EvidenceOf<WorkflowDefinition> }
}

/**
 * Gives back the very definition, typed by its own names: a target, guard or evidence that does not
 * exist does not compile (WF-1). `compile` checks the rest.
 *
 * @example
 * import { compile, defineWorkflow } from '@statewright/core'
 *
 * const look = defineWorkflow({
 *   id: 'look',
 *   initial: 'reading',
 *   states: {
 *     reading: { allowed_tools: ['Read'], on: { DONE: 'done' } },
 *     done: { type: 'final' },
 *   },
 * })
 * console.log(compile(look).ok) // true
 */
export function defineWorkflow<
  const State extends string,
  const Event extends string = never,
  const Guard extends string = never,
  const Evidence extends string = never,
>(
  definition: TypedWorkflow<State, Event, Guard, Evidence>,
): TypedWorkflow<State, Event, Guard, Evidence> {
  return definition
}

/** Names of the states of a typed workflow. */
export type StateName<Workflow> =
  Workflow extends TypedWorkflow<infer State, string, string, string> ? State : never

/** Names of all events that its states define. */
export type EventName<Workflow> = Workflow extends { states: infer States }
  ? Keys<NonNullable<On<States[keyof States]>>>
  : never

/** Names of its guards. */
export type GuardName<Workflow> = Workflow extends { guards?: infer Guards }
  ? Keys<NonNullable<Guards>>
  : never

type Keys<Value> = Value extends unknown ? keyof Value & string : never
type On<State> = State extends { on?: infer Transitions } ? Transitions : never
type Interrupt = Omit<NonNullable<WorkflowDefinition['interrupts']>[string], 'target'>
type EvidenceOf<Definition> = Definition extends { evidence?: infer Facts }
  ? NonNullable<Facts>[keyof NonNullable<Facts>]
  : never

type TypedGuard<Evidence extends string> =
  | Exclude<GuardDefinition, { evidence: string }>
  | { evidence: Evidence }

interface TypedState<State extends string, Event extends string, Guard extends string>
  extends Omit<StateDefinition, 'on' | 'safe_next'> {
  safe_next?: State
  on?: { [Name in Event]?: TypedTransition<State, Guard> }
}

type TypedTransition<State extends string, Guard extends string> =
  | State
  | '$return'
  | TypedCandidate<State, Guard>
  | TypedCandidate<State, Guard>[]
  | TypedInvoke<State>
  | { fork: TypedFork<State> }

interface TypedCandidate<State extends string, Guard extends string>
  extends Omit<GuardedTransition, 'target' | 'guard' | 'guards'> {
  target: State | '$return'
  guard?: Guard
  guards?: Guard[]
}

type Invoke = Extract<TransitionDefinition, { invoke: unknown }>
type Fork = Extract<TransitionDefinition, { fork: unknown }>['fork']

interface TypedInvoke<State extends string> extends Omit<Invoke, 'on_complete' | 'on_fail'> {
  on_complete: State
  on_fail?: State
}

interface TypedFork<State extends string> extends Pick<Fork, 'join'> {
  branches: Record<string, { initial: State; terminal: State }>
  on_complete: State
  on_fail?: State
}
