import {
  at,
  calling,
  eventsFor,
  executing,
  hooking,
  hookNamed,
  play,
  ready,
  running,
  starting,
  toolCall,
} from '../../packages/core/src/agent/agent.test-kit.ts'
import type { AgentEvent } from '../../packages/core/src/agent/events.ts'
import type { AgentStateKind } from '../../packages/core/src/agent/kinds.ts'
import { type AgentState, initialAgentState } from '../../packages/core/src/agent/state.ts'

export interface Scene {
  readonly state: AgentState
  readonly event: AgentEvent
}

const [format, test] = [hookNamed('format'), hookNamed('test')]
const warn = (name: string) => hookNamed(name, { failure_policy: { type: 'warn_continue' } })
const twice = hookNamed('format', {
  failure_policy: { type: 'retry', max_attempts: 2, delay_ms: 40 },
})
const exited = (code: number | null): AgentEvent => ({ type: 'harness_exited', code })
const fail = (state: AgentState) => eventsFor(state).stream('error', { code: 'x', message: 'y' })
const retryModel = (state: AgentState) => eventsFor(state).retry({ kind: 'llm' })
const endTool = (status: 'succeeded' | 'failed') => (state: AgentState) =>
  eventsFor(state).ended(at(state.batch, 0), status)
const endHook = (status: 'succeeded' | 'failed') => (state: AgentState) =>
  eventsFor(state).hookEnded(at(state.pipeline, 0), status)

/** A session of each kind, come by in the ordinary way; it has ended one tool run and hook run. */
export const inKind: Readonly<Record<AgentStateKind, () => AgentState>> = {
  idle: () => initialAgentState('sess_1'),
  starting: () => starting(),
  ready: () => play(afterWork(), (state) => eventsFor(state).stream('completed')),
  calling_llm: () => afterWork(),
  // Nothing rests here; a stored one would still have to take a stop.
  processing_response: () => ({ ...ready(), kind: 'processing_response' }),
  executing_tools: () =>
    play(
      afterWork(),
      (state) => eventsFor(state).call('read_file', 'call_9'),
      (state) => eventsFor(state).stream('completed'),
    ),
  post_tools_hook: () =>
    play(
      afterWork(),
      (state) => eventsFor(state).call('edit_file', 'call_9', true),
      (state) => eventsFor(state).stream('completed'),
      endTool('succeeded'),
    ),
  error: () => play(afterWork(), fail),
  stopping: () => play(afterWork(), () => ({ type: 'stop_requested', reason: 'test' })),
  stopped: () =>
    play(
      afterWork(),
      () => ({ type: 'stop_requested', reason: 'test' }),
      () => exited(0),
    ),
}

function afterWork(): AgentState {
  return play(hooking([format]), endHook('succeeded'))
}

/** One event of each type that fits no run or stream in particular. */
export function anyEvent(type: AgentEvent['type'], state: AgentState): AgentEvent {
  const make = eventsFor(state)
  const tool = state.toolRuns[0]?.runId ?? 'toolrun_none'
  const hook = state.hookRuns[0]?.runId ?? 'hookrun_none'
  const events: Readonly<Record<AgentEvent['type'], AgentEvent>> = {
    spawn: {
      type: 'spawn',
      settings: { harness: 'scripted', projectPath: '/p', hooks: [], llmTimeoutMs: 1 },
    },
    harness_ready: { type: 'harness_ready' },
    user_input: make.input(),
    harness_stream: make.stream('text_delta', { text: 'x' }, 'turn_old'),
    tool_requested: { type: 'tool_requested', streamId: 'turn_old', call: toolCall('grep', 'c') },
    tool_started: make.started(tool),
    tool_completed: make.ended(tool),
    hook_started: make.hookStarted(hook),
    hook_completed: make.hookEnded(hook),
    retry_timeout: make.retry({ kind: 'llm' }),
    stop_requested: { type: 'stop_requested', reason: 'test' },
    stop_timeout: { type: 'stop_timeout' },
    harness_exited: exited(0),
  }
  return events[type]
}

const scene = (state: AgentState, event: (state: AgentState) => AgentEvent): Scene => ({
  state,
  event: event(state),
})
const streamed = (...part: Parameters<ReturnType<typeof eventsFor>['stream']>) =>
  scene(calling(), (state) => eventsFor(state).stream(...part))
const failedHook = (...hooks: Parameters<typeof hooking>[0]) =>
  scene(hooking(hooks), endHook('failed'))
const failedReading = () => play(running(['grep']), endTool('failed'))
const failedEdit = () => play(running(['!edit_file']), endTool('failed'))

/** How each case of the table comes about, where it is more than its state and its event. */
export const cases: Readonly<Record<string, () => Scene>> = {
  'calling_llm harness_stream text': () => streamed('text_delta', { text: 'x' }),
  'calling_llm harness_stream thinking': () => streamed('thinking_delta', { text: 'x' }),
  'calling_llm harness_stream part of a call': () => streamed('tool_call_delta'),
  'calling_llm harness_stream whole call': () => streamed('tool_call_completed'),
  'calling_llm harness_stream status': () => streamed('status'),
  'calling_llm harness_stream metadata': () => streamed('metadata'),
  'calling_llm harness_stream artifact': () => streamed('artifact_delta'),
  'calling_llm harness_stream gap': () => streamed('error', { code: 'stream_gap' }),
  'calling_llm harness_stream of another stream': () => streamed('completed', {}, 'turn_old'),
  'calling_llm harness_stream completed, with calls': () =>
    scene(
      play(calling(), (state) => eventsFor(state).call('grep', 'call_1')),
      (state) => eventsFor(state).stream('completed'),
    ),
  'calling_llm harness_stream completed, without': () => streamed('completed'),
  'calling_llm harness_stream error': () => streamed('error', { message: 'broken' }),
  'calling_llm harness_stream error, retries used up': () =>
    scene(play(calling(), fail, retryModel, fail, retryModel), fail),
  'calling_llm harness_stream error, no retry helps': () =>
    streamed('error', { message: 'no key', retryable: false }),
  'calling_llm tool_requested –': () =>
    scene(calling(), (state) => eventsFor(state).call('grep', 'call_1')),
  'calling_llm tool_requested repeated': () => {
    const call = (state: AgentState) => eventsFor(state).call('grep', 'call_1')
    return scene(play(calling(), call), call)
  },
  'calling_llm tool_requested of another stream': () => ({
    state: calling(),
    event: { type: 'tool_requested', streamId: 'turn_old', call: toolCall('grep', 'call_1') },
  }),
  'calling_llm tool_requested too many': () => {
    const pendingToolCalls = Array.from({ length: 128 }, (_, at) => toolCall('grep', `c${at}`))
    const state = { ...calling(), pendingToolCalls }
    return scene(state, (full) => eventsFor(full).call('grep', 'one_more'))
  },
  'executing_tools tool_started –': () =>
    scene(executing(['grep']), (state) => eventsFor(state).started(at(state.batch, 0))),
  'executing_tools tool_started runs already': () =>
    scene(running(['grep']), (state) => eventsFor(state).started(at(state.batch, 0))),
  'executing_tools tool_started unknown run': () =>
    scene(running(['grep']), (state) => eventsFor(state).started('toolrun_none')),
  'executing_tools tool_completed unknown run': () =>
    scene(running(['grep']), (state) => eventsFor(state).ended('toolrun_none')),
  'executing_tools tool_completed others still run': () =>
    scene(running(['grep', 'grep']), endTool('succeeded')),
  'executing_tools tool_completed last, batch only read': () =>
    scene(running(['grep'], [format]), endTool('succeeded')),
  'executing_tools tool_completed last, batch mutating, a hook wants it': () =>
    scene(running(['!edit_file'], [format]), endTool('succeeded')),
  'executing_tools tool_completed last, batch mutating, no hook wants it': () => {
    const other = hookNamed('x', { tool_filter: { type: 'tool_names', names: ['bash'] } })
    return scene(running(['!edit_file'], [other]), endTool('succeeded'))
  },
  'executing_tools tool_completed last, denied': () =>
    scene(executing(['!bash']), (state) => ({
      ...eventsFor(state).ended(at(state.batch, 0)),
      isError: true,
    })),
  'executing_tools tool_completed last, canceled': () =>
    scene(running(['!bash']), (state) => eventsFor(state).ended(at(state.batch, 0), 'canceled')),
  'executing_tools tool_completed failed, others still run': () =>
    scene(running(['grep', 'grep']), endTool('failed')),
  'executing_tools tool_completed last, one failed that reads': () =>
    scene(running(['grep']), endTool('failed')),
  'executing_tools tool_completed last, one failed that reads, retry used up': () =>
    scene(
      play(
        failedReading(),
        (state) => eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
        (state) => eventsFor(state).started(at(state.batch, 0)),
      ),
      endTool('failed'),
    ),
  'executing_tools tool_completed last, one failed that is mutating': () =>
    scene(running(['!edit_file']), endTool('failed')),
  'post_tools_hook hook_started –': () =>
    scene(play(running(['!edit_file'], [format]), endTool('succeeded')), (state) =>
      eventsFor(state).hookStarted(at(state.pipeline, 0)),
    ),
  'post_tools_hook hook_started not its turn': () =>
    scene(hooking([format, test]), (state) => eventsFor(state).hookStarted(at(state.pipeline, 1))),
  'post_tools_hook hook_started unknown run': () =>
    scene(hooking([format]), (state) => eventsFor(state).hookStarted('hookrun_none')),
  'post_tools_hook hook_completed unknown run': () =>
    scene(hooking([format]), (state) => eventsFor(state).hookEnded('hookrun_none')),
  'post_tools_hook hook_completed succeeded, others left': () =>
    scene(hooking([format, test]), endHook('succeeded')),
  'post_tools_hook hook_completed succeeded, the last': () =>
    scene(hooking([format]), endHook('succeeded')),
  'post_tools_hook hook_completed failed, `warn_continue`, others left': () =>
    failedHook(warn('a'), format),
  'post_tools_hook hook_completed failed, `warn_continue`, the last': () => failedHook(warn('a')),
  'post_tools_hook hook_completed failed, `fail_session`': () => failedHook(format, test),
  'post_tools_hook hook_completed failed, `retry` left': () => failedHook(twice),
  'post_tools_hook hook_completed failed, `retry` used up': () =>
    scene(
      play(
        hooking([twice]),
        endHook('failed'),
        (state) => eventsFor(state).retry({ kind: 'hook', runId: at(state.pipeline, 0) }),
        (state) => eventsFor(state).hookStarted(at(state.pipeline, 0)),
      ),
      endHook('failed'),
    ),
  'error retry_timeout of the model': () => scene(play(calling(), fail), retryModel),
  'error retry_timeout of a tool': () =>
    scene(failedReading(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
    ),
  'error retry_timeout of a mutating tool, by a person': () =>
    scene(failedEdit(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }, 'person'),
    ),
  'error retry_timeout of a mutating tool, by itself': () =>
    scene(failedEdit(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
    ),
  'error retry_timeout of a hook': () =>
    scene(play(hooking([twice]), endHook('failed')), (state) =>
      eventsFor(state).retry({ kind: 'hook', runId: at(state.pipeline, 0) }),
    ),
  'error retry_timeout of what did not fail': () => scene(failedReading(), retryModel),
  'error user_input after the model failed': () =>
    scene(play(calling(), fail), (state) => eventsFor(state).input()),
  'error user_input after a tool failed': () =>
    scene(failedEdit(), (state) => eventsFor(state).input()),
  'error user_input after a hook failed, others left': () =>
    scene(play(hooking([format, test]), endHook('failed')), (state) => eventsFor(state).input()),
  ...exits('starting', starting),
  ...exits('ready', ready),
  ...exits('calling_llm', calling),
  'calling_llm harness_exited never started': () => ({
    state: calling(),
    event: { ...exited(null), neverStarted: true },
  }),
  ...exits('executing_tools', () => running(['!bash'])),
  ...exits('post_tools_hook', () => hooking([format])),
}

function exits(kind: AgentStateKind, state: () => AgentState): Record<string, () => Scene> {
  return {
    [`${kind} harness_exited with 0`]: () => ({ state: state(), event: exited(0) }),
    [`${kind} harness_exited otherwise`]: () => ({ state: state(), event: exited(null) }),
  }
}
