import type { Answer } from '@statewright/core'
import { z } from 'zod'
import type { Caller } from '../../runtime/caller.ts'
import {
  answerQuestion,
  type Changed,
  changeRun,
  type EventFacts,
  effectsOf,
  isEventTaken,
  transition,
} from '../../runtime/change-run.ts'
import type { OtherEvent } from '../../runtime/dispatch.ts'
import { viewRun } from '../../runtime/runtime.ts'
import { json, problemReply, type Reply } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { inSpan } from '../observe/traces.ts'
import { Data, Id, Note, RunShape } from './shapes.ts'
import { runRef } from './wire.ts'

const Transition = z.object({ event: Id, data: Data.optional(), branch: Id.optional() })
type Transition = z.infer<typeof Transition>

const Answered = z.object({ answer: Id, rationale: Note.optional() })
type Answered = z.infer<typeof Answered>

const Force = z.object({ state: Id, context: Data.optional() })
type Force = z.infer<typeof Force>

const Pending = z.object({
  status: z.literal('pending_approval'),
  approval_id: z.string(),
  message: z.string(),
})

export const runEventRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/runs/:id/transition',
    who: 'agent',
    summary: 'Send an event to a run.',
    body: Transition,
    answers: {
      200: z.looseObject({
        transitioned: z.boolean().describe('False where a detour took the place of the event.'),
        from: z.string().optional(),
        to: z.string().optional(),
        transition_count: z.number(),
        brief: z.string(),
      }),
      202: Pending,
    },
    handle: sendEvent,
  }),
  route({
    method: 'POST',
    path: '/api/runs/:id/answer',
    who: 'agent',
    summary: 'Answer the question at which a process stands.',
    body: Answered,
    answers: { 200: z.looseObject({ state: z.string(), status: z.string() }), 202: Pending },
    handle: giveAnswer,
  }),
  lifecycle('pause', 'Pause a run.', 'paused'),
  lifecycle('resume', 'Take up a paused run.', 'resumed'),
  lifecycle('stop', 'End a run.', 'stopped'),
  route({
    method: 'POST',
    path: '/api/runs/:id/force',
    who: 'person',
    summary: 'Put a run of a workflow with meta.debug into a state.',
    proof: 'release',
    body: Force,
    answers: { 200: RunShape },
    handle: force,
  }),
]

async function sendEvent(call: Call<Transition, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  const { event, data, branch } = body
  const done = await inSpan('transition', { 'statewright.event': event }, () =>
    transition(parts.runtime, caller, {
      ...runRef(call.params.id ?? ''),
      event,
      ...(data === undefined ? {} : { data }),
      ...(branch === undefined ? {} : { branch }),
    }),
  )
  if (!done.ok) return problemReply(done.error)
  const { live, answer } = done.value
  if (answer.type === 'pending_approval') return pending(answer)
  const view = viewRun(live, caller, branch)
  return json(200, {
    transitioned: isEventTaken(answer),
    ...movement(answer),
    state: view.state,
    status: view.status,
    transition_count: view.transition_count,
    ...(view.fork === null ? {} : { fork: view.fork }),
    brief: view.brief,
  })
}

function pending({ approvalId, message }: Answer & { type: 'pending_approval' }): Reply {
  return json(202, { status: 'pending_approval', approval_id: approvalId, message })
}

/** From where to where, and what came of it besides. */
function movement(answer: Answer) {
  if (answer.type !== 'moved') return {}
  const { from, to, event, warning } = answer
  return { from, to, event, ...effectsOf(answer), warning }
}

async function giveAnswer(call: Call<Answered, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  const { answer: given, rationale } = body
  const done = await answerQuestion(parts.runtime, caller, {
    ...runRef(call.params.id ?? ''),
    answer: given,
    ...(rationale === undefined ? {} : { rationale }),
  })
  if (!done.ok) return problemReply(done.error)
  const { live, answer } = done.value
  if (answer.type === 'pending_approval') return pending(answer)
  const view = viewRun(live, caller)
  const { state, status, brief, transition_count } = view
  // Where the run is over, the last question waits for nobody.
  const isOver = status === 'completed' || status === 'failed' || status === 'blocked'
  const { question, answers } = isOver ? {} : view
  const warning = answer.type === 'moved' ? answer.warning : undefined
  return json(200, { state, status, question, answers, warning, transition_count, brief })
}

function lifecycle(
  verb: 'pause' | 'resume' | 'stop',
  summary: string,
  type: 'paused' | 'resumed' | 'stopped',
): Route {
  return route({
    method: 'POST',
    path: `/api/runs/:id/${verb}`,
    who: 'agent',
    summary,
    // Holding a run is for whoever watches; letting go of one is not.
    ...(verb === 'pause' ? {} : { proof: 'release' as const }),
    body: z.object({}),
    answers: { 200: RunShape },
    handle: (call) => change(call, (facts) => ({ ...facts, type })),
  })
}

async function force(call: Call<Force, undefined>): Promise<Reply> {
  const { state, context } = call.body
  return change(call, (facts) => ({
    ...facts,
    type: 'forced',
    state,
    ...(context === undefined ? {} : { context }),
  }))
}

async function change(
  { parts, caller, params }: Pick<Call<unknown, unknown>, 'parts' | 'caller' | 'params'>,
  makeEvent: (facts: EventFacts) => OtherEvent,
): Promise<Reply> {
  const ref = runRef(params.id ?? '')
  const done = await changeRun(parts.runtime, caller, ref, (_live, facts) => makeEvent(facts))
  return done.ok ? shown(done.value, caller) : problemReply(done.error)
}

function shown({ live }: Changed, caller: Caller): Reply {
  return json(200, viewRun(live, caller))
}
