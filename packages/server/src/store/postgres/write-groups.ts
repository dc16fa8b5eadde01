import type { Committed } from '../store.ts'
import type { BatchWrite } from './write-batch.ts'

interface Waiting {
  readonly write: BatchWrite
  readonly resolve: (committed: Committed) => void
  readonly reject: (fault: unknown) => void
}

/** Each write has its own end: one that fails leaves the others as they are. */
type SendTogether = (
  writes: readonly BatchWrite[],
) => Promise<readonly PromiseSettledResult<Committed>[]>

/** While one group waits for the disk of Postgres, the next are already on their way. */
const groupsAtOnce = 4

/**
 * A statement is prepared for each size, so that there are few of them. Larger ones would keep one
 * core of Postgres busy while the node has nothing to do.
 */
const sizes = [8, 4, 2, 1] as const

/**
 * Writes that wait at the same time go out together: one statement, one transaction, one wait for
 * the disk. A write that finds nobody in its way waits for nobody.
 */
export class WriteGroups {
  readonly #send: SendTogether
  #waiting: Waiting[] = []
  #underWay = 0

  constructor(send: SendTogether) {
    this.#send = send
  }

  submit(write: BatchWrite): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>()
    this.#waiting.push({ write, resolve, reject })
    this.#pump()
    return promise
  }

  #pump(): void {
    while (this.#underWay < groupsAtOnce && this.#waiting.length > 0) {
      const size = sizes.find((one) => one <= this.#waiting.length) ?? 1
      this.#underWay += 1
      void this.#carryOut(this.#waiting.splice(0, size))
    }
  }

  async #carryOut(group: readonly Waiting[]): Promise<void> {
    // Two nodes lock the rows of their runs in the same order, so that neither waits for the other.
    const sorted = group.toSorted((a, b) => (a.write.runId < b.write.runId ? -1 : 1))
    try {
      const ends = await this.#send(sorted.map(({ write }) => write))
      for (const [at, { resolve, reject }] of sorted.entries()) {
        const end = ends[at]
        if (end?.status === 'fulfilled') resolve(end.value)
        else reject(end?.reason ?? new Error('bug: a write of a group has no answer'))
      }
    } catch (fault) {
      for (const { reject } of sorted) reject(fault)
    } finally {
      this.#underWay -= 1
      this.#pump()
    }
  }
}
