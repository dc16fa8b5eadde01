import { BoundedMap } from '@statewright/core/internal'
import type { Runtime } from '../runtime/runtime.ts'
import type { ApprovalRow } from '../store/store.ts'

const maxRemembered = 10_000
/** After a restart nobody knows what was told; what is older than this was, or is of no use. */
const freshMs = 3_600_000

/**
 * What people wrote with their verdicts, for agents that did not wait for them: it is told with the
 * next call of the run, at least once (WF-22).
 */
export class PersonsWords {
  readonly #delivered = new BoundedMap<string, true>(maxRemembered)

  /** Somebody heard it already. */
  tell(approvalId: string): void {
    this.#delivered.set(approvalId, true)
  }

  /** Of the verdicts that a run has got, those whose words nobody has heard yet. */
  async news(
    { store, clock }: Pick<Runtime, 'store' | 'clock'>,
    resolved: readonly string[],
  ): Promise<readonly string[]> {
    const words: string[] = []
    for (const approvalId of resolved) {
      if (this.#delivered.has(approvalId)) continue
      const row = await store.approvals.get(approvalId)
      this.tell(approvalId)
      if (row !== undefined && (row.resolvedAt ?? 0) > clock.now() - freshMs) {
        words.push(...wordsOf(row))
      }
    }
    return words
  }
}

function wordsOf({ status, note, kind, details }: ApprovalRow): string[] {
  if (note === null || note === '' || (status !== 'approved' && status !== 'rejected')) return []
  const what = kind === 'ask' ? `the call of ${details.tool}` : `${details.event}`
  return [`A person ${status} ${what} and wrote: ${note}`]
}
