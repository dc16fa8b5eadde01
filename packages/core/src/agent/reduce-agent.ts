import { unreachable } from '../base/invariant.ts'
import type { AgentEvent, AgentEventType } from './events.ts'
import type { AgentStateKind } from './kinds.ts'
import { onHookCompleted, onHookStarted } from './on-hooks.ts'
import {
  onHarnessExited,
  onHarnessReady,
  onInputAfterError,
  onRetry,
  onSpawn,
  onStop,
  onStopTimeout,
} from './on-life.ts'
import { onHarnessStream, onToolRequested, onUserInput } from './on-stream.ts'
import { onToolCompleted, onToolStarted } from './on-tools.ts'
import type { AgentState } from './state.ts'
import { type AgentStep, dropLate, refuse } from './step.ts'

const working: readonly AgentStateKind[] = ['calling_llm', 'executing_tools', 'post_tools_hook']
const known: readonly AgentStateKind[] = ['ready', ...working, 'error', 'stopping', 'stopped']

/** The states in which each event is known at all; in every other it is refused. */
const takenIn: Readonly<Record<AgentEventType, readonly AgentStateKind[]>> = {
  spawn: ['idle'],
  harness_ready: ['starting'],
  user_input: ['ready', 'error'],
  // What was under way when a session moved on still comes in, and is dropped.
  harness_stream: known,
  tool_requested: known,
  tool_started: known,
  tool_completed: known,
  hook_started: known,
  hook_completed: known,
  retry_timeout: ['error'],
  stop_requested: ['idle', 'starting', 'ready', 'processing_response', ...working, 'error'],
  stop_timeout: ['stopping'],
  harness_exited: ['starting', 'ready', ...working, 'error', 'stopping'],
}

/**
 * What an event does to a session: the next state and the I/O it asks for, in order. A pair that
 * docs/spec/session.md does not list is refused, and the state is kept.
 */
export function reduceAgent(state: AgentState, event: AgentEvent, now: number): AgentStep {
  if (!takenIn[event.type].includes(state.kind)) {
    return refuse(state, `${event.type} is not possible in ${state.kind}.`, now)
  }
  switch (event.type) {
    case 'spawn':
      return onSpawn(state, event, now)
    case 'harness_ready':
      return onHarnessReady(state, now)
    case 'user_input':
      return state.kind === 'error'
        ? onInputAfterError(state, event, now)
        : onUserInput(state, event, now)
    case 'harness_stream':
      return state.kind === 'calling_llm'
        ? onHarnessStream(state, event, now)
        : dropLate(state, `stream event ${event.streamEvent.type}`, event.streamEvent.streamId)
    case 'tool_requested':
      return state.kind === 'calling_llm'
        ? onToolRequested(state, event, now)
        : dropLate(state, 'tool call', event.call.callId)
    case 'tool_started':
      return onToolStarted(state, event, now)
    case 'tool_completed':
      return onToolCompleted(state, event, now)
    case 'hook_started':
      return onHookStarted(state, event, now)
    case 'hook_completed':
      return onHookCompleted(state, event, now)
    case 'retry_timeout':
      return onRetry(state, event, now)
    case 'stop_requested':
      return onStop(state, event, now)
    case 'stop_timeout':
      return onStopTimeout(state, now)
    case 'harness_exited':
      return onHarnessExited(state, event, now)
    default:
      return unreachable(event)
  }
}
