import { setTimeout as sleep } from 'node:timers/promises'
import { type Approval, endpoints } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import { say, tryCall } from '../command.ts'
import { approvalLines, whatWaits } from '../output/approval-lines.ts'
import { reportProblem } from '../output/report.ts'

const pauseMs = 1000

/** What waits for a person in the run of a session: shown as it comes, and answered by a line. */
export class WaitingApprovals {
  readonly #client: Client
  readonly #runId: string
  readonly #seen = new Set<string>()
  readonly #endLine: () => void
  #open: readonly Approval[] = []

  constructor(client: Client, runId: string, endLine: () => void) {
    this.#client = client
    this.#runId = runId
    this.#endLine = endLine
  }

  /** Shows each when it comes, until it is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look()
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  /** Does what a line says, where it is an answer of these; a line for the agent is none. */
  async answer(line: string): Promise<boolean> {
    const [, word, rest = ''] = /^\/(approve|reject)(?:\s+(.*))?$/.exec(line.trim()) ?? []
    if (word === undefined) return false
    const [first] = this.#open
    if (first === undefined) {
      say('Nothing is waiting for you here.')
      return true
    }
    const words = rest.trim()
    if (word === 'reject' && words === '') {
      say('A rejection needs a reason, which the agent reads: /reject the tests are red')
      return true
    }
    const params = { id: first.approval_id }
    const note = words === '' ? {} : { note: words }
    const done =
      word === 'approve'
        ? await tryCall(this.#client, endpoints.approve, { params, body: note })
        : await tryCall(this.#client, endpoints.reject, { params, body: { reason: words } })
    if (done.ok) say(`${done.value.status}: ${whatWaits(done.value)}`)
    else reportProblem(done.error)
    void this.#look()
    return true
  }

  async #look(): Promise<void> {
    const query = { status: 'waiting', run: this.#runId, limit: 50 } as const
    const found = await this.#client.call(endpoints.listApprovals, { query })
    // The connection comes back by itself; the view of the session says so.
    if (!found.ok) return
    this.#open = found.value.approvals
    for (const approval of this.#open) {
      if (this.#seen.has(approval.approval_id)) continue
      this.#seen.add(approval.approval_id)
      this.#endLine()
      showWaiting(approval)
    }
  }
}

function showWaiting(approval: Approval): void {
  const id = approval.approval_id
  const how = hasTerminal()
    ? 'answer with "/approve", "/approve with a note" or "/reject and why".'
    : `answer with "statewright approval approve ${id}" or "statewright approval reject ${id}".`
  for (const line of ['Waiting for you:', ...approvalLines(approval), `  next: ${how}`]) say(line)
}
