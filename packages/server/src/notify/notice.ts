import type { ApprovalRow, RunRow } from '../store/store.ts'

/** What a person is told of an approval that waits, without the arguments: those may be secret. */
export interface Notice {
  readonly type: 'approval_waiting'
  readonly approval_id: string
  readonly run_id: string
  readonly workflow: string | null
  readonly project: string | null
  readonly kind: ApprovalRow['kind']
  readonly message: string
  readonly tool?: string
  readonly event?: string
  /** Which agent asks, by the name and the role of its token. */
  readonly agent?: string
  readonly role?: string
  /** Why the agent gave its answer, in its own words. */
  readonly rationale?: string
  readonly opened_at: number
  readonly expires_at: number | null
  /** Where it is answered. */
  readonly url: string
  /** The same in one sentence, for a screen or a chat. */
  readonly text: string
}

const maxText = 500

export function noticeOf(row: ApprovalRow, run: RunRow | undefined, serverUrl: string): Notice {
  const { tool, event, agent, role, rationale } = row.details
  return {
    type: 'approval_waiting',
    approval_id: row.approvalId,
    run_id: row.runId,
    workflow: run?.workflow ?? null,
    project: run?.project ?? null,
    kind: row.kind,
    message: row.message,
    ...(typeof tool === 'string' ? { tool } : {}),
    ...(typeof event === 'string' ? { event } : {}),
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(typeof role === 'string' ? { role } : {}),
    ...(typeof rationale === 'string' ? { rationale } : {}),
    opened_at: row.openedAt,
    expires_at: row.expiresAt,
    url: `${serverUrl}/runs/${encodeURIComponent(row.runId)}`,
    text: sentence(row, run?.workflow),
  }
}

/**
 * It begins with our own words and holds no control characters: an agent has a say in the message,
 * and must be able neither to make it an option of a command nor to write over a terminal.
 */
function sentence({ message, details }: ApprovalRow, workflow: string | undefined): string {
  const where = workflow === undefined ? '' : ` in ${workflow}`
  const who = typeof details.agent === 'string' ? `, asked by ${details.agent}` : ''
  const what = typeof details.tool === 'string' ? `${details.tool}. ` : ''
  const words = `Waiting for you${where}${who}: ${what}${message}`.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]+/gu,
    ' ',
  )
  return words.length > maxText ? `${words.slice(0, maxText)}…` : words
}
