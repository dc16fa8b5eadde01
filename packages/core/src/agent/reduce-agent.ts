import { unreachable } from '../base/invariant.ts'
import type { AgentEvent, AgentEventType } from './events.ts'
import type { AgentStateKind } from './kinds.ts'
import { onAgentTool } from './on-agent-tool.ts'
import { onCompactRequested, onWindowKnown } from './on-compact.ts'
import { onHookCompleted, onHookStarted } from './on-hooks.ts'
import { onInterrupt, onModelChosen, onUserInput, onWithdrawn } from './on-input.ts'
import {
  onHarnessExited,
  onHarnessReady,
  onResume,
  onRetry,
  onSpawn,
  onStop,
  onStopTimeout,
} from './on-life.ts'
import { onHarnessStream, onToolRequested } from './on-stream.ts'
import { onToolCompleted, onToolStarted } from './on-tools.ts'
import type { AgentState } from './state.ts'
import { type AgentStep, dropLate, refuse } from './step.ts'

const working: readonly AgentStateKind[] = ['calling_llm', 'executing_tools', 'post_tools_hook']
const known: readonly AgentStateKind[] = ['ready', ...working, 'error', 'stopping', 'stopped']

/** The states in which each event is known at all; in every other it is refused. */
const takenIn: Readonly<Record<AgentEventType, readonly AgentStateKind[]>> = {
  spawn: ['idle'],
  harness_ready: ['starting'],
  user_input: ['starting', 'ready', ...working, 'error'],
  input_withdrawn: ['starting', 'ready', ...working, 'error'],
  interrupt_requested: [...working, 'error'],
  compact_requested: ['ready'],
  model_chosen: ['starting', 'ready', ...working, 'error', 'stopped'],
  window_known: ['calling_llm'],
  resume_requested: ['stopped'],
  // What was under way when a session moved on still comes in, and is dropped.
  harness_stream: known,
  tool_requested: known,
  agent_tool: known,
  tool_started: known,
  tool_completed: known,
  hook_started: known,
  hook_completed: known,
  retry_timeout: ['ready', 'error'],
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
    return refuse(state, notPossible(state.kind, event.type), now)
  }
  switch (event.type) {
    case 'spawn':
      return onSpawn(state, event, now)
    case 'harness_ready':
      return onHarnessReady(state, event, now)
    case 'user_input':
      return onUserInput(state, event, now)
    case 'input_withdrawn':
      return onWithdrawn(state, event, now)
    case 'interrupt_requested':
      return onInterrupt(state, now)
    case 'compact_requested':
      return onCompactRequested(state, event, now)
    case 'model_chosen':
      return onModelChosen(state, event, now)
    case 'window_known':
      return onWindowKnown(state, event, now)
    case 'resume_requested':
      return onResume(state, event, now)
    case 'harness_stream':
      return state.kind === 'calling_llm'
        ? onHarnessStream(state, event, now)
        : dropLate(state, `stream event ${event.streamEvent.type}`, event.streamEvent.streamId)
    case 'tool_requested':
      return state.kind === 'calling_llm'
        ? onToolRequested(state, event, now)
        : dropLate(state, 'tool call', event.call.callId)
    case 'agent_tool':
      return state.kind === 'calling_llm'
        ? onAgentTool(state, event, now)
        : dropLate(state, 'call of an agent', event.call.callId)
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

/** Why a person's request is not possible; what harness, tools and hooks sent is named as it is. */
function notPossible(kind: AgentStateKind, type: AgentEventType): string {
  const isOver = kind === 'stopping' || kind === 'stopped'
  switch (type) {
    case 'user_input':
      return isOver
        ? 'The session has stopped. Resume it first.'
        : 'The session is not started yet.'
    case 'interrupt_requested':
      return isOver ? 'The session has stopped.' : 'No turn is under way.'
    case 'compact_requested':
      if (isOver) return 'The session has stopped. Resume it first.'
      return kind === 'error'
        ? 'Something failed: retry it, send a message, or interrupt the turn first.'
        : 'The session is working. Wait until the turn ends, or interrupt it.'
    case 'resume_requested':
      return 'The session is not stopped. Send it a message instead.'
    case 'retry_timeout':
      return isOver
        ? 'The session has stopped. Resume it first.'
        : 'Nothing can be retried while the session is working.'
    default:
      return `${type} is not possible in ${kind}.`
  }
}
