import { defined } from '@statewright/core/internal'
import { type AnswerOf, endpoints } from '@statewright/core/wire'
import { denialText } from '../guard/denial.ts'
import type { Remote } from './remote-ask.ts'
import { waitOnFeed } from './remote-wait.ts'
import { type GuardedRun, knownCode, type MoveResult } from './statewright.ts'

/** A run on a server. */
export function remoteRun(server: Remote, run: string): GuardedRun {
  const { ask } = server
  const params = { id: run }
  return {
    id: run,
    async check({ tool, input, callId, server, branch }) {
      const body = { run, tool, input, call_id: callId, server, branch }
      const reported = await ask(endpoints.checkCall, { body })
      const { decision, call_id, code, message, approval_id: approvalId } = reported
      const { allowed_tools: allowedTools, events } = reported
      const way = reported.way?.map((step) => defined(step))
      return {
        decision,
        callId: call_id,
        ...defined({ code: code === undefined ? undefined : knownCode(code), message, approvalId }),
        text:
          decision === 'allow'
            ? ''
            : denialText({ code, message, approvalId, allowedTools, events, way }),
      }
    },
    async finish({ callId, costUsd, ...result }) {
      const body = { run, call_id: callId, cost_usd: costUsd, ...result }
      const { notices } = await ask(endpoints.reportCall, { body })
      return { notices }
    },
    transition: async (event, data, branch) =>
      moved(await ask(endpoints.sendEvent, { params, body: { event, data, branch } })),
    answer: async (answer, rationale) =>
      moved(await ask(endpoints.answerQuestion, { params, body: { answer, rationale } })),
    async state(branch) {
      const reported = await ask(endpoints.getRun, { params, query: { branch } })
      const { status, state, brief, allowed_tools: allowedTools, context } = reported
      return { status, state, brief, allowedTools, context }
    },
    async approval(approvalId) {
      return (await ask(endpoints.getApproval, { params: { id: approvalId } })).status
    },
    waitForApproval: (approvalId, options = {}) => waitOnFeed(server, approvalId, options),
  }
}

function moved(
  step: AnswerOf<typeof endpoints.sendEvent> | AnswerOf<typeof endpoints.answerQuestion>,
): MoveResult {
  if (step.status !== 'pending_approval') {
    const { status, state, brief } = step
    return { status, state, brief }
  }
  return { status: step.status, approvalId: step.approval_id, message: step.message }
}
