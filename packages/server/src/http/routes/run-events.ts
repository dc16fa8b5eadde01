import { type Answer, defined } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { inSpan } from '../../observe/traces.ts'
import type { OtherEvent } from '../../runtime/dispatch.ts'
import {
  answerQuestion,
  changeRun,
  type EventFacts,
  effectsOf,
  isEventTaken,
  transition,
} from '../../runtime/runs/change-run.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { problemReply, type Reply } from '../pipeline/reply.ts'
import { type Answering, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { runRef } from './wire.ts'

type Change = typeof endpoints.stopRun

export const runEventRoutes: readonly Route[] = [
  serve(endpoints.sendEvent, async ({ server, caller, params, body }, reply) => {
    const { branch, event } = body
    const done = await inSpan('transition', { 'statewright.event': event }, () =>
      transition(server.runtime, caller, { ...runRef(params.id), ...defined(body) }),
    )
    if (!done.ok) return problemReply(done.error)
    const { live, answer } = done.value
    if (answer.type === 'pending_approval') return reply(202, waits(answer))
    const { state, status, transition_count, fork, brief } = viewRun(live, caller, branch)
    return reply(200, {
      transitioned: isEventTaken(answer),
      ...movement(answer),
      state,
      status,
      transition_count,
      fork: fork ?? undefined,
      brief,
    })
  }),

  serve(endpoints.answerQuestion, async ({ server, caller, params, body }, reply) => {
    const reported = { ...runRef(params.id), ...defined(body) }
    const done = await answerQuestion(server.runtime, caller, reported)
    if (!done.ok) return problemReply(done.error)
    const { live, answer } = done.value
    if (answer.type === 'pending_approval') return reply(202, waits(answer))
    const view = viewRun(live, caller)
    const { state, status, brief, transition_count } = view
    // Where the run is over, the last question waits for nobody.
    const isOver = status === 'completed' || status === 'failed' || status === 'blocked'
    const { question, answers } = isOver ? {} : view
    const warning = answer.type === 'moved' ? answer.warning : undefined
    return reply(200, { state, status, question, answers, warning, transition_count, brief })
  }),

  serve(endpoints.pauseRun, (call, reply) => change(call, reply, { type: 'paused' })),
  serve(endpoints.resumeRun, (call, reply) => change(call, reply, { type: 'resumed' })),
  serve(endpoints.stopRun, (call, reply) => change(call, reply, { type: 'stopped' })),
  serve(endpoints.forceState, (call, reply) =>
    change(call, reply, { type: 'forced', ...defined(call.body) }),
  ),
]

function waits({ approvalId, message }: Answer & { type: 'pending_approval' }) {
  return { status: 'pending_approval', approval_id: approvalId, message } as const
}

/** From where to where, and what came of it besides. */
function movement(answer: Answer) {
  if (answer.type !== 'moved') return {}
  const { from, to, event, warning } = answer
  return { from, to, event, ...effectsOf(answer), warning }
}

type Without<Event> = Event extends unknown ? Omit<Event, keyof EventFacts> : never

async function change(
  { server, caller, params }: Pick<CallOf<Change>, 'server' | 'caller' | 'params'>,
  reply: Answering<Change>,
  event: Without<OtherEvent>,
): Promise<Reply> {
  const done = await changeRun(server.runtime, caller, runRef(params.id), (_live, facts) => ({
    ...facts,
    ...event,
  }))
  return done.ok ? reply(200, viewRun(done.value.live, caller)) : problemReply(done.error)
}
