import {
  at,
  calling,
  eventsFor,
  hookNamed,
  play,
} from '../../packages/core/src/agent/agent.test-kit.ts'
import type { AgentEvent } from '../../packages/core/src/agent/events.ts'
import type { AgentState } from '../../packages/core/src/agent/state.ts'
import type { MatrixCase } from './matrix-case.ts'

type Move = (state: AgentState) => AgentEvent

const format = hookNamed('format')
const useTool =
  (name: string, status?: 'queued' | 'running'): Move =>
  (state) =>
    eventsFor(state).agentTool(name, status)
const answer: Move = (state) => eventsFor(state).stream('completed')
const fail: Move = (state) => eventsFor(state).stream('error', { code: 'x', message: 'y' })
const say: Move = (state) => eventsFor(state).input('later')
const endHook =
  (status: 'succeeded' | 'failed'): Move =>
  (state) =>
    eventsFor(state).hookEnded(at(state.pipeline, 0), status)
const withHook = (...moves: readonly Move[]) =>
  play(
    calling([format]),
    useTool('Edit'),
    answer,
    (state) => eventsFor(state).hookStarted(at(state.pipeline, 0)),
    ...moves,
  )

const agentCase = (state: AgentState, event: Move) => () => ({ state, event: event(state) })

/** What an agent with tools of its own does (SE-6a). */
export const agentCases: Readonly<Record<string, () => MatrixCase>> = {
  'calling_llm agent_tool begins': agentCase(calling(), useTool('Edit', 'running')),
  'calling_llm agent_tool ends': agentCase(
    play(calling(), useTool('Edit', 'running')),
    useTool('Edit'),
  ),
  'calling_llm harness_stream completed, an agent has changed something': agentCase(
    play(calling([format]), useTool('Edit')),
    answer,
  ),
  'calling_llm harness_stream error, a tool of an agent runs': agentCase(
    play(calling([format]), useTool('Edit', 'running')),
    fail,
  ),
  'post_tools_hook hook_completed the last, after an agent': agentCase(
    withHook(),
    endHook('succeeded'),
  ),
  'post_tools_hook hook_completed the last, after an agent, something is queued': agentCase(
    withHook(say),
    endHook('succeeded'),
  ),
  'error user_input after a hook of an agent failed': agentCase(withHook(endHook('failed')), say),
}
