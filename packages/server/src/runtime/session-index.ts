import type { RunStatus } from '@statewright/core'
import type { RunRow, Store } from '../store/store.ts'
import { type Caller, peoplesSessionKey, sessionKey } from './caller.ts'

export const unfinished: readonly RunStatus[] = ['running', 'waiting', 'paused', 'blocked']

export function isUnfinished(status: RunStatus): boolean {
  return unfinished.includes(status)
}

const mostKnown = 50_000

/** Which run a client session has now, so that a call need not ask the store each time. */
export class SessionIndex {
  readonly #store: Store
  readonly #known = new Map<string, string | undefined>()
  readonly #blocks = new Map<string, RunRow | undefined>()
  /** Tokens that have one unfinished run and no other, which tells nearly every call its run. */
  readonly #only = new Map<string, string>()
  /** Counts starts and ends: what was read before one must not be kept after it. */
  #epoch = 0

  constructor(store: Store) {
    this.#store = store
  }

  async activeRun(key: string): Promise<string | undefined> {
    if (this.#known.has(key)) return this.#known.get(key)
    const page = await this.#store.runs.list({ session: key, status: unfinished, limit: 1 })
    const runId = page.runs[0]?.runId
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(key, runId)
    return runId
  }

  /** The unfinished run of a token that has exactly one. */
  async onlyRunOf(tokenId: string): Promise<string | undefined> {
    const known = this.#only.get(tokenId)
    if (known !== undefined) return known
    const epoch = this.#epoch
    const filter = { owner: tokenId, status: unfinished, limit: 2 } as const
    const [only, second] = (await this.#store.runs.list(filter)).runs
    if (only === undefined || second !== undefined) return undefined
    if (this.#only.size >= mostKnown) this.#only.clear()
    if (epoch === this.#epoch) this.#only.set(tokenId, only.runId)
    return only.runId
  }

  /** A run of the token began or ended. */
  forgetOnly(tokenId: string): void {
    this.#epoch += 1
    this.#only.delete(tokenId)
  }

  /** Whether a session ever had a run: the configuration starts one for it only once. */
  async hadRun(caller: Caller, session: string): Promise<boolean> {
    for (const key of [sessionKey(caller, session), peoplesSessionKey(session)]) {
      if ((await this.#store.runs.newestOfSession(key)) !== undefined) return true
    }
    return false
  }

  /** The blocked run that holds a token: one without a session, which no person has followed up. */
  async blockOf(tokenId: string): Promise<RunRow | undefined> {
    if (this.#blocks.has(tokenId)) return this.#blocks.get(tokenId)
    const block = await this.#findBlock(tokenId)
    if (this.#blocks.size >= mostKnown) this.#blocks.clear()
    this.#blocks.set(tokenId, block)
    return block
  }

  async #findBlock(owner: string): Promise<RunRow | undefined> {
    const { runs } = this.#store
    let cursor: string | null | undefined
    while (cursor !== null) {
      const filter = { owner, status: ['blocked'], limit: 100 } as const
      const page = await runs.list(cursor === undefined ? filter : { ...filter, cursor })
      for (const row of page.runs) {
        if (row.session === null && !(await this.#isFollowedUp(row))) return row
      }
      cursor = page.next
    }
    return undefined
  }

  /** Whether a person has started the same definition again since it was blocked. */
  async #isFollowedUp({ workflow, updatedAt }: RunRow): Promise<boolean> {
    const page = await this.#store.runs.list({ workflow, limit: 100 })
    return page.runs.some((row) => row.owner.startsWith('person') && row.createdAt >= updatedAt)
  }

  /** A run began or ended, so that a block may have come or gone. */
  forgetBlocks(): void {
    this.#blocks.clear()
  }

  forget(key: string | null): void {
    if (key !== null) this.#known.delete(key)
  }

  /** Another node may have started or ended anything. */
  forgetAll(): void {
    this.#known.clear()
    this.#blocks.clear()
    this.#epoch += 1
    this.#only.clear()
  }
}
