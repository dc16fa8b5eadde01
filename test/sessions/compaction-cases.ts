import { calling, eventsFor, play, starting } from '../../packages/core/src/agent/agent.test-kit.ts'
import type { AgentEvent } from '../../packages/core/src/agent/events.ts'
import type { AgentState } from '../../packages/core/src/agent/state.ts'
import { type MatrixCase, matrixCase } from './matrix-case.ts'

const say = (words: string) => (state: AgentState) => eventsFor(state).input(words)
const fail = (state: AgentState) => eventsFor(state).stream('error', { code: 'x', message: 'y' })
const retryModel = (state: AgentState) => eventsFor(state).retry({ kind: 'llm' })
const tooLong = (state: AgentState) =>
  eventsFor(state).stream('error', { code: 'context_too_long', message: 'y', retryable: false })
const window = (tokens: number) => (state: AgentState) => eventsFor(state).window(tokens)
const done = (state: AgentState) => eventsFor(state).stream('completed')
const summaryWords = (state: AgentState) =>
  eventsFor(state).stream('text_delta', { text: 'Short.' })
/** A session whose conversation is ours, with a model that takes so many tokens. */
const windowed = (contextTokens = 1000) =>
  play(starting([], { contextTokens }), (state) => eventsFor(state).harnessReady())
const spoken = () => play(windowed(), say('x'.repeat(100)), done)
const full = () => ({
  ...spoken(),
  context: { tokens: 900, shortenable: 0, newest: 0, isFresh: false, floor: 0 },
})
/** Asks for a summary: because the window is full, or because a person wants it. */
const summing = () => play(full(), say('go on'))
const summingByCommand = () => play(spoken(), (state) => eventsFor(state).compact())
const emptyThrice = () => play(summing(), done, retryModel, done, retryModel)

/** How the cases about compaction come about (SE-20). */
export const compactionCases: Readonly<Record<string, () => MatrixCase>> = {
  'ready user_input window nearly full': () => matrixCase(full(), say('go on')),
  'ready user_input window nearly full, of long results': () => {
    const context = { tokens: 900, shortenable: 700, newest: 0, isFresh: false, floor: 0 }
    return matrixCase({ ...spoken(), context }, say('go on'))
  },
  'ready compact_requested something was said': () =>
    matrixCase(spoken(), (state) => eventsFor(state).compact()),
  'ready compact_requested nothing was said': () =>
    matrixCase(windowed(), (state) => eventsFor(state).compact()),
  'ready compact_requested budget used up': () => {
    const state = spoken()
    const settings = state.settings === null ? null : { ...state.settings, maxCostUsd: 1 }
    return matrixCase({ ...state, settings, spentUsd: 1 }, (now) => eventsFor(now).compact())
  },
  'ready compact_requested of an agent that keeps its conversation': () =>
    matrixCase(play(calling(), done), (state) => eventsFor(state).compact()),
  'calling_llm window_known it fits': () => matrixCase(play(windowed(), say('x')), window(5000)),
  'calling_llm window_known nearly full': () => {
    const state = play(windowed(), say('x'))
    return matrixCase({ ...state, context: { ...state.context, tokens: 400 } }, window(450))
  },
  'calling_llm harness_stream too long': () => matrixCase(play(windowed(), say('x')), tooLong),
  'calling_llm harness_stream too long after a compaction': () =>
    matrixCase(play(summing(), summaryWords, done), tooLong),
  'calling_llm harness_stream words of a summary': () => matrixCase(summing(), summaryWords),
  'calling_llm harness_stream summary completed': () =>
    matrixCase(play(summing(), summaryWords), done),
  'calling_llm harness_stream summary completed, by command': () =>
    matrixCase(play(summingByCommand(), summaryWords), done),
  'calling_llm harness_stream summary completed, by command, something is queued': () =>
    matrixCase(play(summingByCommand(), summaryWords, say('later')), done),
  'calling_llm harness_stream summary failed': () => matrixCase(summing(), fail),
  'calling_llm harness_stream summary empty': () => matrixCase(summing(), done),
  'calling_llm harness_stream summary empty, retries used up': () =>
    matrixCase(emptyThrice(), done),
  'calling_llm harness_stream request for a summary too long': () => matrixCase(summing(), tooLong),
  'calling_llm harness_stream request for a summary too long, halved three times': () =>
    matrixCase(play(summing(), tooLong, tooLong, tooLong), tooLong),
  'calling_llm tool_requested in a summary': () =>
    matrixCase(summing(), (state) => eventsFor(state).call('grep', 'call_1')),
  'calling_llm interrupt_requested half a summary was said': () =>
    matrixCase(play(summing(), summaryWords), (): AgentEvent => ({ type: 'interrupt_requested' })),
  'error retry_timeout of a summary': () => matrixCase(play(summing(), fail), retryModel),
  'error user_input after a summary failed': () =>
    matrixCase(play(summingByCommand(), fail), say('never mind')),
}
