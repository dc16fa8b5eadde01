import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentToolCall } from '@statewright/core'
import type { Caller } from '../../runtime/caller.ts'
import { type CheckAnswer, checkCall } from '../../runtime/check-call.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

export interface Judged {
  readonly isAllowed: boolean
  /** What the model is told of a denial. */
  readonly message: string
  readonly code?: string
  /** The run that judged, and the id it knows the call by: its result is told to it. */
  readonly runId: string | null
  readonly callId: string
  readonly notices: readonly string[]
}

export interface JudgeScene {
  readonly runtime: RuntimeParts
  readonly caller: Caller
  readonly sessionId: string
  readonly projectPath: string
  readonly signal: AbortSignal
  /** Resolves when an approval of this run may have been answered. */
  readonly answered: (runId: string, signal: AbortSignal) => Promise<void>
}

const mostAsks = 10

/**
 * Asks the decision function before a tool runs (SE-11). A call that needs a person waits here, as
 * a queued run; whatever fails on the way is a denial.
 */
export async function judgeCall(
  scene: JudgeScene,
  runId: string,
  call: Pick<AgentToolCall, 'name' | 'arguments'>,
): Promise<Judged> {
  for (let ask = 0; ask < mostAsks; ask++) {
    // A repeated id would get the first answer again; after an approval it is a new question.
    const callId = ask === 0 ? runId : `${runId}.${ask}`
    let answer: CheckAnswer
    try {
      answer = await checkCall(scene.runtime, scene.caller, {
        session: scene.sessionId,
        project: scene.projectPath,
        workspace: scene.projectPath,
        tool: call.name,
        input: call.arguments,
        callId,
      })
    } catch {
      return denied(callId, 'internal', 'The call could not be judged, and that means no.')
    }
    if (answer.decision !== 'ask') return judgedBy(answer)
    if (answer.approvalId === undefined || answer.runId === null) return judgedBy(answer)
    await approvalOver(scene, answer.approvalId, answer.runId)
    if (scene.signal.aborted) return denied(callId, 'canceled', 'The call was canceled.')
  }
  return denied(runId, 'approval_required', 'The call was asked about too often.')
}

/** Another node may have taken the answer, so that looking is not left to the signal alone. */
const lookEveryMs = 2000

async function approvalOver(scene: JudgeScene, approvalId: string, runId: string): Promise<void> {
  const { runtime, signal } = scene
  while (!signal.aborted) {
    const leaving = new AbortController()
    const either = AbortSignal.any([signal, leaving.signal])
    const told = scene.answered(runId, either)
    const row = await runtime.store.approvals.get(approvalId).catch(() => undefined)
    if (row !== undefined && row.status !== 'waiting') {
      leaving.abort()
      return
    }
    const later = sleep(lookEveryMs, undefined, { signal: either }).catch(() => {})
    await Promise.race([told, later])
    leaving.abort()
  }
}

function judgedBy(answer: CheckAnswer): Judged {
  const { decision, code, message = '', runId, callId, notices } = answer
  const isAllowed = decision === 'allow'
  return {
    isAllowed,
    message: isAllowed ? '' : denialText(answer, message),
    ...(code === undefined ? {} : { code }),
    runId,
    callId,
    notices,
  }
}

/** The code first, then why, then what is possible now. */
function denialText({ code, allowedTools, events }: CheckAnswer, message: string): string {
  const lines = [`Denied (${code ?? 'denied'}): ${message}`]
  if (allowedTools !== null && allowedTools.length > 0) {
    lines.push(`Allowed now: ${allowedTools.join(', ')}.`)
  }
  const names = [...new Set(events.map(({ event }) => event))]
  if (names.length > 0) lines.push(`Events that lead on: ${names.join(', ')}.`)
  return lines.join('\n')
}

function denied(callId: string, code: string, message: string): Judged {
  const text = `Denied (${code}): ${message}`
  return { isAllowed: false, message: text, code, runId: null, callId, notices: [] }
}
