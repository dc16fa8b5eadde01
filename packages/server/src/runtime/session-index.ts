import type { RunStatus } from '@statewright/core'
import type { Store } from '../store/store.ts'
import { type Caller, peoplesSessionKey, sessionKey } from './caller.ts'

const unfinished: readonly RunStatus[] = ['running', 'waiting', 'paused', 'blocked']

export function isUnfinished(status: RunStatus): boolean {
  return unfinished.includes(status)
}

const mostKnown = 50_000

/** Which run a client session has now, so that a call need not ask the store each time. */
export class SessionIndex {
  readonly #store: Store
  readonly #known = new Map<string, string | undefined>()

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

  /** Whether a session ever had a run: the configuration starts one for it only once. */
  async hadRun(caller: Caller, session: string): Promise<boolean> {
    for (const key of [sessionKey(caller, session), peoplesSessionKey(session)]) {
      if ((await this.#store.runs.newestOfSession(key)) !== undefined) return true
    }
    return false
  }

  forget(key: string | null): void {
    if (key !== null) this.#known.delete(key)
  }

  /** Another node may have started or ended anything. */
  forgetAll(): void {
    this.#known.clear()
  }
}
