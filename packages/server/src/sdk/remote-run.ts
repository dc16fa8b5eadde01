import type { JsonObject } from '@statewright/core'
import { z } from 'zod'
import { denialText } from '../guard/denial.ts'
import type { Ask } from './remote-ask.ts'
import type { GuardedRun, Moved } from './statewright.ts'

const Way = z.array(z.looseObject({ event: z.string(), target: z.string() }))

const Decision = z.looseObject({
  decision: z.enum(['allow', 'ask', 'deny']),
  call_id: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  approval_id: z.string().optional(),
  allowed_tools: z.array(z.string()).nullable(),
  events: Way,
  way: Way.optional(),
})
const Finished = z.looseObject({ notices: z.array(z.string()) })
const Step = z.looseObject({
  status: z.string().optional(),
  approval_id: z.string().optional(),
  state: z.string().optional(),
  brief: z.string().optional(),
})
const Standing = z.looseObject({
  status: z.string(),
  state: z.string(),
  brief: z.string(),
  allowed_tools: z.array(z.string()).nullable(),
  context: z.record(z.string(), z.json()),
})
const Approvals = z.looseObject({
  approvals: z.array(z.looseObject({ approval_id: z.string(), status: z.string() })),
})

/** A run on a server. */
export function remoteRun(ask: Ask, run: string): GuardedRun {
  const path = `/api/runs/${encodeURIComponent(run)}`
  const step = async (verb: string, body: JsonObject): Promise<Moved> => {
    const {
      status,
      approval_id,
      state = '',
      brief = '',
    } = await ask('POST', `${path}/${verb}`, Step, body)
    return status === 'pending_approval' && approval_id !== undefined
      ? { status: 'waits', approvalId: approval_id }
      : { status: 'moved', state, brief }
  }
  return {
    id: run,
    async check({ tool, input, callId, server, branch }) {
      const body = { run, tool, input, call_id: callId, server, branch }
      const told = await ask('POST', '/api/check', Decision, body)
      const { decision, call_id, code, message, approval_id, allowed_tools, events, way } = told
      return {
        decision,
        callId: call_id,
        ...(code === undefined ? {} : { code }),
        ...(message === undefined ? {} : { message }),
        ...(approval_id === undefined ? {} : { approvalId: approval_id }),
        text:
          decision === 'allow'
            ? ''
            : denialText({
                code,
                message,
                approvalId: approval_id,
                allowedTools: allowed_tools,
                events,
                way,
              }),
      }
    },
    async finish({ callId, exit, bytes, costUsd, branch, output }) {
      const body = { run, call_id: callId, exit, bytes, cost_usd: costUsd, branch, output }
      const { notices } = await ask('POST', '/api/result', Finished, body)
      return { notices }
    },
    transition: (event, data, branch) =>
      step('transition', {
        event,
        ...(data === undefined ? {} : { data }),
        ...(branch === undefined ? {} : { branch }),
      }),
    answer: (answer, rationale) =>
      step('answer', { answer, ...(rationale === undefined ? {} : { rationale }) }),
    async state(branch) {
      const query = branch === undefined ? '' : `?branch=${encodeURIComponent(branch)}`
      const standing = await ask('GET', `${path}${query}`, Standing)
      const { status, state, brief, allowed_tools, context } = standing
      return { status, state, brief, allowedTools: allowed_tools, context }
    },
    async approval(approvalId) {
      const list = `/api/approvals?limit=500&run=${encodeURIComponent(run)}`
      const { approvals } = await ask('GET', list, Approvals)
      const status = approvals.find((one) => one.approval_id === approvalId)?.status
      if (status === 'waiting' || status === 'approved' || status === 'rejected') return status
      return 'ended'
    },
  }
}
