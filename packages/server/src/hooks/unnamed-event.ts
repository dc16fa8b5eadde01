import type { ClientAnswer, ClientEvent } from '../clients/client.ts'
import { answerEvent } from './client-event.ts'
import type { HookCall } from './hook-call.ts'

type Requested = Extract<ClientEvent, { type: 'tool_requested' }>
type Finished = Extract<ClientEvent, { type: 'tool_finished' }>

/** Answers a client that gives its calls no id: what it calls one is who asked for what. */
export async function answerUnnamed(hook: HookCall): Promise<ClientAnswer> {
  const { event } = hook.call
  if (event.type === 'tool_requested') return onRequested(hook, event)
  if (event.type === 'tool_finished') return onFinished(hook, event)
  return answerEvent(hook)
}

async function onRequested(hook: HookCall, event: Requested): Promise<ClientAnswer> {
  const { unnamed } = hook.toolUses
  const digest = event.callId
  const callId = unnamed.ask(digest, hook.runtime.clock.now())
  // Whatever goes wrong here is a denial, and then no result will come.
  let answer: ClientAnswer = { kind: 'fault', text: '' }
  try {
    answer = await answerEvent(withEvent(hook, { ...event, callId }))
    return answer
  } finally {
    if (answer.kind === 'rewrite') {
      unnamed.forget(digest, callId)
      unnamed.await(hook.client.callIdWith?.(hook.body, answer.input) ?? digest, callId)
    } else if (answer.kind === 'deny' || answer.kind === 'fault') unnamed.forget(digest, callId)
  }
}

async function onFinished(hook: HookCall, event: Finished): Promise<ClientAnswer> {
  const callId = hook.toolUses.unnamed.finish(event.callId)
  return callId === undefined
    ? answerEvent(hook)
    : answerEvent(withEvent(hook, { ...event, callId }))
}

function withEvent(hook: HookCall, event: ClientEvent): HookCall {
  return { ...hook, call: { ...hook.call, event } }
}
