import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import { cancelWork, nothingOpen } from './cancel.ts'
import type { AgentEvent } from './events.ts'
import { startPipeline } from './on-hooks.ts'
import { batchRuns } from './on-tools.ts'
import type { QueuedInput } from './records.ts'
import { answerBatch, appendMessages, startQueued } from './request.ts'
import { sessionLimits } from './retry.ts'
import type { AgentState } from './state.ts'
import { type AgentStep, beginStep, type Draft, emit, endStep, moveTo, refuse } from './step.ts'

type Input = Extract<AgentEvent, { type: 'user_input' }>

/** What a person says: at rest it begins a turn, at work it waits for the end of one or ends it. */
export function onUserInput(state: AgentState, event: Input, now: number): AgentStep {
  const { text, messageId, ids } = event
  const input = { text, messageId }
  const isAtRest = state.kind === 'ready' || state.kind === 'error'
  const refusal = refusalOf(state, event, isAtRest)
  if (refusal !== undefined) return refuse(state, refusal, now)
  const draft = beginStep(state, now)
  if (!isAtRest && event.when !== 'interrupt') {
    draft.state = { ...state, queue: [...state.queue, input] }
    tellQueued(draft, input)
    return endStep(draft)
  }
  if (state.kind === 'ready') {
    // What waits since a turn that ended badly was said first.
    draft.state = { ...state, queue: [...state.queue, input] }
  } else if (state.kind === 'error') {
    draft.state = { ...state, queue: [...state.queue, input] }
    // A tool failed beside one that has changed something: its hooks come before anything else.
    const isHooked = state.pipeline.length > 0
    if (!isHooked && startPipeline(draft, batchRuns(state), ids)) return endStep(draft)
    endTurn(draft)
  } else {
    interrupt(draft)
    draft.state = { ...draft.state, queue: [input, ...draft.state.queue] }
  }
  startQueued(draft, ids)
  return endStep(draft)
}

function refusalOf(state: AgentState, event: Input, isAtRest: boolean): string | undefined {
  const { maxTurns = sessionLimits.maxTurns } = state.settings ?? {}
  if (state.turns + state.queue.length >= maxTurns) {
    return `This session has used all of its ${maxTurns} turns. Start a new session.`
  }
  if (state.kind === 'starting' && event.when === 'interrupt') {
    return 'The session is still starting: there is no turn to interrupt.'
  }
  if (!isAtRest && event.when !== 'interrupt' && state.queue.length >= limits.queuedInputs) {
    return (
      `${limits.queuedInputs} inputs are already waiting. ` +
      'Interrupt the turn, or wait until it ends.'
    )
  }
  return undefined
}

export function onWithdrawn(
  state: AgentState,
  { messageId }: Extract<AgentEvent, { type: 'input_withdrawn' }>,
  now: number,
): AgentStep {
  const input = state.queue.find((one) => one.messageId === messageId)
  if (input === undefined) {
    return refuse(
      state,
      `No input ${cut(messageId, 80)} is waiting: it was already started, or never sent.`,
      now,
    )
  }
  const draft = beginStep(state, now)
  draft.state = { ...state, queue: state.queue.filter((one) => one !== input) }
  tellQueued(draft, input, true)
  return endStep(draft)
}

export function onInterrupt(state: AgentState, now: number): AgentStep {
  const draft = beginStep(state, now)
  interrupt(draft)
  return endStep(draft)
}

export function onModelChosen(
  state: AgentState,
  { model, contextTokens }: Extract<AgentEvent, { type: 'model_chosen' }>,
  now: number,
): AgentStep {
  const draft = beginStep(state, now)
  const { settings } = state
  const hasWindow = settings !== null && contextTokens !== undefined
  draft.state = {
    ...state,
    chosenModel: model,
    settings: hasWindow ? { ...settings, contextTokens } : settings,
  }
  return endStep(draft)
}

/** Ends the turn and keeps the session. What is queued waits: a person wanted it to be quiet. */
function interrupt(draft: Draft): void {
  const { buffer, activeStreamId, kind, compaction } = draft.state
  endTurn(draft)
  // What it had said stays said: the person read it, and may mean it with the next words. Half a
  // summary is no answer, and nobody read it.
  const isAnswer = kind === 'calling_llm' && compaction === null
  if (isAnswer && buffer !== '' && activeStreamId !== null) {
    const streamId = activeStreamId
    appendMessages(draft, [{ role: 'assistant', streamId, content: buffer, toolCalls: [] }])
  }
  moveTo(draft, 'ready', 'interrupted', { ...nothingOpen, retries: 0 })
}

/** Whatever is open is canceled, and every call is answered as it stands. */
function endTurn(draft: Draft): void {
  cancelWork(draft)
  answerBatch(draft)
}

function tellQueued(draft: Draft, { messageId, text }: QueuedInput, isWithdrawn = false): void {
  emit(draft, {
    type: 'input_queued',
    sessionId: draft.state.sessionId,
    timestampMs: draft.now,
    messageId,
    text: cut(text, limits.textLength),
    ...(isWithdrawn ? { isWithdrawn } : {}),
  })
}
