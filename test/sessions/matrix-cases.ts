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
import { freshIds } from '../../packages/core/src/agent/ids.ts'
import type { AgentStateKind } from '../../packages/core/src/agent/kinds.ts'
import { type AgentState, initialAgentState } from '../../packages/core/src/agent/state.ts'
import { compactionCases } from './compaction-cases.ts'
import { agentCases } from './matrix-agent-cases.ts'
import { type MatrixCase, matrixCase } from './matrix-case.ts'

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
    harness_ready: make.harnessReady(),
    user_input: make.input(),
    input_withdrawn: { type: 'input_withdrawn', messageId: 'msg_none' },
    interrupt_requested: { type: 'interrupt_requested' },
    compact_requested: make.compact(),
    model_chosen: { type: 'model_chosen', model: 'other' },
    window_known: make.window(1000),
    resume_requested: {
      type: 'resume_requested',
      settings: { harness: 'scripted', projectPath: '/p', hooks: [], llmTimeoutMs: 1 },
    },
    harness_stream: make.stream('text_delta', { text: 'x' }, 'turn_old'),
    tool_requested: { type: 'tool_requested', streamId: 'turn_old', call: toolCall('grep', 'c') },
    agent_tool: make.agentTool('Edit', 'running', 'turn_old'),
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

const streamed = (...part: Parameters<ReturnType<typeof eventsFor>['stream']>) =>
  matrixCase(calling(), (state) => eventsFor(state).stream(...part))
const failedHook = (...hooks: Parameters<typeof hooking>[0]) =>
  matrixCase(hooking(hooks), endHook('failed'))
const failedReading = () => play(running(['grep']), endTool('failed'))
const denyFirst = (state: AgentState): AgentEvent => ({
  ...deniedTool,
  runId: at(state.batch, 0),
  ids: freshIds(state, () => 'denied'),
})
const deniedTool = {
  type: 'tool_completed',
  status: 'succeeded',
  output: 'no',
  isError: true,
  changedNothing: true,
} as const
/** A batch that has edited something, and a search in it that is in its last attempt. */
const failsAgain = () =>
  play(
    running(['grep', '!edit_file'], [format]),
    (state) => eventsFor(state).ended(at(state.batch, 1)),
    endTool('failed'),
    (state) => eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
    (state) => eventsFor(state).started(at(state.batch, 0)),
  )
const failedEdit = () => play(running(['!edit_file']), endTool('failed'))

const say = (words: string, when?: 'queue' | 'interrupt') => (state: AgentState) =>
  eventsFor(state).input(words, when)
const busy = {
  calling_llm: () => calling(),
  executing_tools: () => running(['!bash']),
  post_tools_hook: () => hooking([format]),
} as const
const interrupt = (): AgentEvent => ({ type: 'interrupt_requested' })
const withdraw = (): AgentEvent => ({ type: 'input_withdrawn', messageId: 'msg_later' })
const halfAnswered = () =>
  play(calling(), (state) => eventsFor(state).stream('text_delta', { text: 'Half' }))
/** In `error` by a change that failed, beside another that did not. */
const failedBesideEdit = () =>
  play(
    running(['!bash', '!edit_file'], [format]),
    (state) => eventsFor(state).ended(at(state.batch, 1)),
    endTool('failed'),
  )
const gaveUp = () => play(calling(), fail, retryModel, fail, retryModel, fail)
const atLimit = (state: AgentState) => ({ ...state, turn: { ...state.turn, requests: 200 } })

const inputCases: Readonly<Record<string, () => MatrixCase>> = {
  'starting user_input queued': () => matrixCase(starting(), say('later')),
  'starting user_input interrupting': () => matrixCase(starting(), say('now', 'interrupt')),
  'starting harness_ready something is queued': () =>
    matrixCase(play(starting(), say('later')), (state) => eventsFor(state).harnessReady()),
  'ready user_input turns used up': () => matrixCase({ ...ready(), turns: 1000 }, say('more')),
  ...Object.fromEntries(
    Object.entries(busy).flatMap(([kind, state]) => [
      [`${kind} user_input queued`, () => matrixCase(state(), say('later'))],
      [`${kind} user_input interrupting`, () => matrixCase(state(), say('now', 'interrupt'))],
      [`${kind} user_input queue is full`, () => matrixCase(fullQueue(state()), say('more'))],
      [`${kind} input_withdrawn queued`, () => matrixCase(play(state(), say('later')), withdraw)],
    ]),
  ),
  'calling_llm user_input interrupting, half an answer was said': () =>
    matrixCase(halfAnswered(), say('now', 'interrupt')),
  'calling_llm interrupt_requested half an answer was said': () =>
    matrixCase(halfAnswered(), interrupt),
  'executing_tools interrupt_requested –': () => matrixCase(busy.executing_tools(), interrupt),
  'post_tools_hook interrupt_requested –': () => matrixCase(busy.post_tools_hook(), interrupt),
  'error interrupt_requested after a tool failed': () => matrixCase(failedEdit(), interrupt),
  'calling_llm harness_stream completed, something is queued': () =>
    matrixCase(play(calling(), say('later')), (state) => eventsFor(state).stream('completed')),
  'error user_input after a tool failed, another has changed something': () =>
    matrixCase(failedBesideEdit(), say('go on')),
  'post_tools_hook hook_completed the last, before what a person said': () =>
    matrixCase(
      play(failedBesideEdit(), say('go on'), (state) =>
        eventsFor(state).hookStarted(at(state.pipeline, 0)),
      ),
      endHook('succeeded'),
    ),
  'executing_tools tool_completed last, requests of the turn used up': () =>
    matrixCase(atLimit(running(['grep'])), endTool('succeeded')),
  'executing_tools tool_completed last, nothing has worked for long': () =>
    matrixCase({ ...executing(['bash']), fruitless: 24 }, denyFirst),
  'ready user_input budget used up': () => {
    const state = play(starting([], { maxCostUsd: 1 }), (now) => eventsFor(now).harnessReady())
    return matrixCase({ ...state, spentUsd: 1 }, say('more'))
  },
}

const retryCases: Readonly<Record<string, () => MatrixCase>> = {
  'ready retry_timeout of the model, which gave up': () =>
    matrixCase(gaveUp(), (state) => eventsFor(state).retry({ kind: 'llm' }, 'person')),
  'ready retry_timeout of what did not fail': () =>
    matrixCase(ready(), (state) => eventsFor(state).retry({ kind: 'llm' }, 'person')),
  'error retry_timeout of the harness': () =>
    matrixCase(
      play(starting(), () => exited(1)),
      (state) => eventsFor(state).retry({ kind: 'harness' }, 'person'),
    ),
}

function fullQueue(state: AgentState): AgentState {
  const queue = Array.from({ length: 20 }, (_, index) => ({ messageId: `m${index}`, text: 'x' }))
  return { ...state, queue }
}

/** How each case of the table comes about, where it is more than its state and its event. */
export const cases: Readonly<Record<string, () => MatrixCase>> = {
  ...compactionCases,
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
    matrixCase(
      play(calling(), (state) => eventsFor(state).call('grep', 'call_1')),
      (state) => eventsFor(state).stream('completed'),
    ),
  'calling_llm harness_stream completed, without': () => streamed('completed'),
  'calling_llm harness_stream error': () => streamed('error', { message: 'broken' }),
  'calling_llm harness_stream error, retries used up': () =>
    matrixCase(play(calling(), fail, retryModel, fail, retryModel), fail),
  'calling_llm harness_stream error, no retry helps': () =>
    streamed('error', { message: 'no key', retryable: false }),
  'calling_llm harness_stream error, the rules did not let it be sent': () =>
    streamed('error', { code: 'model_denied', message: 'used up', retryable: false }),
  'calling_llm tool_requested –': () =>
    matrixCase(calling(), (state) => eventsFor(state).call('grep', 'call_1')),
  'calling_llm tool_requested repeated': () => {
    const call = (state: AgentState) => eventsFor(state).call('grep', 'call_1')
    return matrixCase(play(calling(), call), call)
  },
  'calling_llm tool_requested of another stream': () => ({
    state: calling(),
    event: { type: 'tool_requested', streamId: 'turn_old', call: toolCall('grep', 'call_1') },
  }),
  'calling_llm tool_requested too many': () => {
    const pendingToolCalls = Array.from({ length: 128 }, (_, at) => toolCall('grep', `c${at}`))
    const state = { ...calling(), pendingToolCalls }
    return matrixCase(state, (full) => eventsFor(full).call('grep', 'one_more'))
  },
  'executing_tools tool_started –': () =>
    matrixCase(executing(['grep']), (state) => eventsFor(state).started(at(state.batch, 0))),
  'executing_tools tool_started runs already': () =>
    matrixCase(running(['grep']), (state) => eventsFor(state).started(at(state.batch, 0))),
  'executing_tools tool_started unknown run': () =>
    matrixCase(running(['grep']), (state) => eventsFor(state).started('toolrun_none')),
  'executing_tools tool_completed unknown run': () =>
    matrixCase(running(['grep']), (state) => eventsFor(state).ended('toolrun_none')),
  'executing_tools tool_completed others still run': () =>
    matrixCase(running(['grep', 'grep']), endTool('succeeded')),
  'executing_tools tool_completed last, batch only read': () =>
    matrixCase(running(['grep'], [format]), endTool('succeeded')),
  'executing_tools tool_completed last, batch mutating, a hook wants it': () =>
    matrixCase(running(['!edit_file'], [format]), endTool('succeeded')),
  'executing_tools tool_completed last, batch mutating, no hook wants it': () => {
    const other = hookNamed('x', { tool_filter: { type: 'tool_names', names: ['bash'] } })
    return matrixCase(running(['!edit_file'], [other]), endTool('succeeded'))
  },
  'executing_tools tool_completed last, denied, though a hook wants such calls': () =>
    matrixCase(executing(['!bash'], [format]), denyFirst),
  'executing_tools tool_completed last, denied, another has changed something': () =>
    matrixCase(
      play(executing(['!bash', '!edit_file'], [format]), (state) =>
        eventsFor(state).ended(at(state.batch, 1)),
      ),
      denyFirst,
    ),
  'executing_tools tool_completed last, canceled': () =>
    matrixCase(running(['!bash']), (state) =>
      eventsFor(state).ended(at(state.batch, 0), 'canceled'),
    ),
  'executing_tools tool_completed failed, others still run': () =>
    matrixCase(running(['grep', 'grep']), endTool('failed')),
  'executing_tools tool_completed last, one failed that reads': () =>
    matrixCase(running(['grep']), endTool('failed')),
  'executing_tools tool_completed last, one failed that reads, retry used up': () =>
    matrixCase(
      play(
        failedReading(),
        (state) => eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
        (state) => eventsFor(state).started(at(state.batch, 0)),
      ),
      endTool('failed'),
    ),
  'executing_tools tool_completed last, one gave up, another has changed something': () =>
    matrixCase(failsAgain(), endTool('failed')),
  'executing_tools tool_completed last, one failed that is mutating': () =>
    matrixCase(running(['!edit_file']), endTool('failed')),
  'post_tools_hook hook_started –': () =>
    matrixCase(play(running(['!edit_file'], [format]), endTool('succeeded')), (state) =>
      eventsFor(state).hookStarted(at(state.pipeline, 0)),
    ),
  'post_tools_hook hook_started not its turn': () =>
    matrixCase(hooking([format, test]), (state) =>
      eventsFor(state).hookStarted(at(state.pipeline, 1)),
    ),
  'post_tools_hook hook_started unknown run': () =>
    matrixCase(hooking([format]), (state) => eventsFor(state).hookStarted('hookrun_none')),
  'post_tools_hook hook_completed unknown run': () =>
    matrixCase(hooking([format]), (state) => eventsFor(state).hookEnded('hookrun_none')),
  'post_tools_hook hook_completed succeeded, others left': () =>
    matrixCase(hooking([format, test]), endHook('succeeded')),
  'post_tools_hook hook_completed succeeded, the last': () =>
    matrixCase(hooking([format]), endHook('succeeded')),
  'post_tools_hook hook_completed succeeded, the last, after a tool that gave up': () =>
    matrixCase(
      play(failsAgain(), endTool('failed'), (state) =>
        eventsFor(state).hookStarted(at(state.pipeline, 0)),
      ),
      endHook('succeeded'),
    ),
  'post_tools_hook hook_completed failed, `warn_continue`, others left': () =>
    failedHook(warn('a'), format),
  'post_tools_hook hook_completed failed, `warn_continue`, the last': () => failedHook(warn('a')),
  'post_tools_hook hook_completed failed, `fail_session`': () => failedHook(format, test),
  'post_tools_hook hook_completed failed, `retry` left': () => failedHook(twice),
  'post_tools_hook hook_completed failed, `retry` used up': () =>
    matrixCase(
      play(
        hooking([twice]),
        endHook('failed'),
        (state) => eventsFor(state).retry({ kind: 'hook', runId: at(state.pipeline, 0) }),
        (state) => eventsFor(state).hookStarted(at(state.pipeline, 0)),
      ),
      endHook('failed'),
    ),
  'error retry_timeout of the model': () => matrixCase(play(calling(), fail), retryModel),
  'error retry_timeout of a tool': () =>
    matrixCase(failedReading(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
    ),
  'error retry_timeout of a mutating tool, by a person': () =>
    matrixCase(failedEdit(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }, 'person'),
    ),
  'error retry_timeout of a mutating tool, by itself': () =>
    matrixCase(failedEdit(), (state) =>
      eventsFor(state).retry({ kind: 'tool', runId: at(state.batch, 0) }),
    ),
  'error retry_timeout of a hook': () =>
    matrixCase(play(hooking([twice]), endHook('failed')), (state) =>
      eventsFor(state).retry({ kind: 'hook', runId: at(state.pipeline, 0) }),
    ),
  'error retry_timeout of what did not fail': () => matrixCase(failedReading(), retryModel),
  'error user_input after the model failed': () =>
    matrixCase(play(calling(), fail), (state) => eventsFor(state).input()),
  'error user_input after a tool failed': () =>
    matrixCase(failedEdit(), (state) => eventsFor(state).input()),
  'error user_input after a hook failed, others left': () =>
    matrixCase(play(hooking([format, test]), endHook('failed')), (state) =>
      eventsFor(state).input(),
    ),
  ...inputCases,
  ...agentCases,
  ...retryCases,
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

function exits(kind: AgentStateKind, state: () => AgentState): Record<string, () => MatrixCase> {
  return {
    [`${kind} harness_exited with 0`]: () => ({ state: state(), event: exited(0) }),
    [`${kind} harness_exited otherwise`]: () => ({ state: state(), event: exited(null) }),
  }
}
