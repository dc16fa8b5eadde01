import { BoundedMap, isUnfinishedStatus, unfinishedStatuses } from '@statewright/core/internal'
import { type Caller, peoplesSessionKey, sessionKey } from '../base/caller.ts'
import type { RunRow, Store } from '../store/store.ts'

const clientMark = (key: string) => `client-session.${key}`
const maxKnown = 50_000

/** A run that ended blocked, and since when it is. */
export interface Block extends RunRow {
  readonly since: number
}

/** Which run a client session has now, so that a call need not ask the store each time. */
export class SessionIndex {
  readonly #store: Store
  readonly #known = new BoundedMap<string, string | undefined>(maxKnown)
  readonly #blocks = new BoundedMap<string, Block | undefined>(maxKnown)
  /** Tokens that have one unfinished run and no other, which tells nearly every call its run. */
  readonly #only = new BoundedMap<string, string>(maxKnown)
  /** Who announced a session, by its key: that never changes. */
  readonly #announcers = new BoundedMap<string, string>(maxKnown)
  /** Keys of sessions that client hooks told of. */
  readonly #ofClients = new BoundedMap<string, true>(maxKnown)
  readonly #connections = new BoundedMap<string, string | undefined>(maxKnown)
  readonly #last = new BoundedMap<string, RunRow>(maxKnown)
  /** Counts starts, ends and bonds: what was read before one must not be kept after it. */
  #epoch = 0

  constructor(store: Store) {
    this.#store = store
  }

  async activeRun(key: string): Promise<string | undefined> {
    if (this.#known.has(key)) return this.#known.get(key)
    const epoch = this.#epoch
    const page = await this.#store.runs.list({ session: key, status: unfinishedStatuses, limit: 1 })
    const runId = page.runs[0]?.runId
    if (epoch === this.#epoch) this.#known.set(key, runId)
    return runId
  }

  /** The newest run of a session, finished or not. */
  async lastRun(key: string): Promise<RunRow | undefined> {
    return this.#lastOf(key, () => this.#store.runs.newestOfSession(key))
  }

  /** The newest run that a token started or was handed. */
  async lastRunOf(tokenId: string): Promise<RunRow | undefined> {
    const filter = { seenBy: tokenId, limit: 1 }
    return this.#lastOf(`token ${tokenId}`, async () => {
      return (await this.#store.runs.list(filter)).runs[0]
    })
  }

  /** Only what has ended is kept: where a run stands now is asked of the run itself. */
  async #lastOf(key: string, find: () => Promise<RunRow | undefined>): Promise<RunRow | undefined> {
    const known = this.#last.get(key)
    if (known !== undefined) return known
    const epoch = this.#epoch
    const row = await find()
    if (row === undefined || isUnfinishedStatus(row.status) || epoch !== this.#epoch) return row
    this.#last.set(key, row)
    return row
  }

  /** The unfinished run of a token that has exactly one. */
  async onlyRunOf(tokenId: string): Promise<string | undefined> {
    const known = this.#only.get(tokenId)
    if (known !== undefined) return known
    const epoch = this.#epoch
    const filter = { seenBy: tokenId, status: unfinishedStatuses, limit: 2 } as const
    const [only, second] = (await this.#store.runs.list(filter)).runs
    if (only === undefined || second !== undefined) return undefined
    if (epoch === this.#epoch) this.#only.set(tokenId, only.runId)
    return only.runId
  }

  /** A run of the token began or ended. */
  forgetOnly(tokenId: string): void {
    this.#epoch += 1
    this.#only.delete(tokenId)
    this.#last.delete(`token ${tokenId}`)
  }

  /** Whether a session ever had a run: the configuration starts one for it only once. */
  async hadRun(caller: Caller, session: string): Promise<boolean> {
    for (const key of await this.keysOf(caller, session)) {
      if ((await this.#store.runs.newestOfSession(key)) !== undefined) return true
    }
    return false
  }

  /**
   * Keys under which runs of a session are looked for. A person's run for it is for the token that
   * announced the session first: anyone who only knows its id gets nothing by claiming it (PO-8).
   */
  async keysOf(caller: Caller, session: string): Promise<readonly string[]> {
    const own = sessionKey(caller, session)
    const peoples = peoplesSessionKey(session)
    if (own === peoples || caller.session === session) return [...new Set([peoples, own])]
    if (caller.kind === 'hook') await this.#noteClient(own)
    return (await this.claim(session, caller.tokenId)) ? [peoples, own] : [own]
  }

  /** Whether a client's own hooks told of a session: an agent has not made it up. */
  async isOfClient(caller: Caller, session: string): Promise<boolean> {
    if (caller.session === session) return true
    const key = sessionKey(caller, session)
    if (this.#ofClients.has(key)) return true
    return (await this.#store.settings.get(clientMark(key))) !== undefined
  }

  async #noteClient(key: string): Promise<void> {
    if (this.#ofClients.has(key)) return
    await this.#store.settings.swap(clientMark(key), undefined, 'seen')
    this.#ofClients.set(key, true)
  }

  /** Announces a session; true where no other token has done so before. */
  async claim(session: string, tokenId: string): Promise<boolean> {
    const key = peoplesSessionKey(session)
    const known = await this.#announcer(key)
    if (known !== undefined) return known === tokenId
    const mark = `session.${key}`
    await this.#store.settings.swap(mark, undefined, tokenId)
    return (await this.#announcer(key)) === tokenId
  }

  /** Whether a session was announced by this token and no other. */
  async isAnnouncedBy(session: string, { tokenId }: Caller): Promise<boolean> {
    return (await this.#announcer(peoplesSessionKey(session))) === tokenId
  }

  /** Whether the session under a key was announced by this token, or by nobody yet. */
  async isOpenTo(key: string, { tokenId }: Caller): Promise<boolean> {
    const announcer = await this.#announcer(key)
    return announcer === undefined || announcer === tokenId
  }

  async #announcer(key: string): Promise<string | undefined> {
    const known = this.#announcers.get(key)
    if (known !== undefined) return known
    const tokenId = await this.#store.settings.get(`session.${key}`)
    if (tokenId === undefined) return undefined
    this.#announcers.set(key, tokenId)
    return tokenId
  }

  /** The run that a connection loaded last, whatever became of it. */
  async runOfConnection(connection: string): Promise<string | undefined> {
    if (this.#connections.has(connection)) return this.#connections.get(connection)
    const epoch = this.#epoch
    const runId = (await this.#store.runs.list({ connection, limit: 1 })).runs[0]?.runId
    if (epoch === this.#epoch) this.#connections.set(connection, runId)
    return runId
  }

  /** The blocked run that holds a token: one without a session, which no person has followed up. */
  async blockOf(tokenId: string): Promise<Block | undefined> {
    if (this.#blocks.has(tokenId)) return this.#blocks.get(tokenId)
    const epoch = this.#epoch
    const block = await this.#findBlock(tokenId)
    if (epoch === this.#epoch) this.#blocks.set(tokenId, block)
    return block
  }

  async #findBlock(owner: string): Promise<Block | undefined> {
    const { runs } = this.#store
    let cursor: string | null | undefined
    while (cursor !== null) {
      const filter = { owner, status: ['blocked'], limit: 100 } as const
      const page = await runs.list(cursor === undefined ? filter : { ...filter, cursor })
      for (const row of page.runs) {
        if (row.session !== null) continue
        // Not when it was changed last: each call that it denies is added to it.
        const since = (await runs.endedAt(row.runId)) ?? row.updatedAt
        const given = await runs.newestOfPeople(row.workflow)
        if (given === undefined || given.createdAt < since) return { ...row, since }
      }
      cursor = page.next
    }
    return undefined
  }

  /** A run began or ended, so that a block may have come or gone. */
  forgetBlocks(): void {
    this.#epoch += 1
    this.#blocks.clear()
  }

  forgetConnection(connection: string): void {
    this.#epoch += 1
    this.#connections.delete(connection)
  }

  forget(key: string | null): void {
    if (key === null) return
    this.#epoch += 1
    this.#known.delete(key)
    this.#last.delete(key)
  }

  /** Another node may have started or ended anything. */
  forgetAll(): void {
    this.#known.clear()
    this.#blocks.clear()
    this.#epoch += 1
    this.#only.clear()
    this.#connections.clear()
    this.#last.clear()
  }
}
