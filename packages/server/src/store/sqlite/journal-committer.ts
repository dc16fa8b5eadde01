import { type LostWrites, StoreFault } from '../store.ts'
import type { Committer } from './committer.ts'
import type { Database } from './database.ts'
import type { BatchWrite, Journal, JournaledWrite } from './journal.ts'
import { type CounterRules, isStored, perform, type Write, type WriteResult } from './writes.ts'

/** How long an acknowledged write may stand in the journal alone, and how many may. */
const groupMs = 20
const maxGroupBytes = 1024 * 1024
/** How long after a commit that failed, such as on a full disk, the next one is tried by itself. */
const retryMs = 1000

/**
 * Commits on the thread that asks (`durability: crash`). A batch of entries is written to the
 * database at once, in a transaction that stays open, and to the journal, which makes it durable:
 * one short write to a file in place of the many of a commit. The transaction is committed soon
 * after, for all of its batches. Readers use the same connection, so that they see them meanwhile.
 */
export function journalCommitter(
  db: Database,
  journal: Journal,
  rules: CounterRules,
): Committer & { readonly lost: LostWrites | undefined } {
  const committer = new JournalCommitter(db, journal, rules)
  committer.recover()
  return committer
}

class JournalCommitter implements Committer {
  readonly #db: Database
  readonly #journal: Journal
  readonly #rules: CounterRules
  #timer: NodeJS.Timeout | undefined
  /** The last commit failed: until one succeeds, nothing more is acknowledged ahead of it. */
  #isBehind = false
  #isClosed = false
  #lost: LostWrites | undefined

  constructor(db: Database, journal: Journal, rules: CounterRules) {
    this.#db = db
    this.#journal = journal
    this.#rules = rules
  }

  get lost(): LostWrites | undefined {
    return this.#lost
  }

  /** Brings into the database what a killed server had acknowledged. */
  recover(): void {
    try {
      const writes = this.#journal.writesOfEarlierBoot()
      if (writes !== undefined) this.#salvage(writes)
      else if (!this.#journal.isEmpty) this.#replay()
      this.#commit()
    } finally {
      this.#stopTimer()
    }
  }

  async submit(write: Write): Promise<WriteResult> {
    if (this.#isBehind) this.#commit()
    if (write.type === 'create' || write.type === 'append') return this.#acknowledge(write)
    // It may depend on what stands before it, and is seldom: so it waits for its own commit.
    this.#commit()
    return this.#db.transact(() => perform(this.#db, write, this.#rules), isStored)
  }

  async settle(): Promise<void> {
    this.#commit()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      this.#commit()
    } finally {
      this.#stopTimer()
      this.#journal.close()
      this.#db.close()
    }
  }

  #acknowledge(write: BatchWrite): WriteResult {
    this.#begin()
    let written: WriteResult
    try {
      written = perform(this.#db, write, this.#rules)
      const feedAt = positionOf(written)
      if (feedAt !== undefined) this.#journal.add({ ...write, feedAt })
    } catch (error) {
      this.#startOver()
      throw error
    }
    // It stands in the journal, so that it is acknowledged even if this fails.
    if (this.#journal.bytes >= maxGroupBytes) this.#commitLater()
    return written
  }

  #begin(): void {
    if (this.#db.isTransaction) return
    // SQLite rolls back by itself what was open while a page could not be read.
    if (this.#journal.isEmpty) this.#db.begin()
    else this.#replay()
    this.#commitAfter(groupMs)
  }

  #commitAfter(ms: number): void {
    this.#stopTimer()
    this.#timer = setTimeout(() => this.#commitLater(), ms)
    this.#timer.unref()
  }

  /** Whoever asks next is told where this fails: what it holds was acknowledged and is safe. */
  #commitLater(): void {
    try {
      this.#commit()
    } catch {
      // `#isBehind` makes the next write try again, and fail for the same reason.
      this.#commitAfter(retryMs)
    }
  }

  #commit(): void {
    this.#stopTimer()
    if (!this.#db.isTransaction) {
      if (this.#journal.isEmpty) return
      this.#replay()
    }
    try {
      this.#isBehind = true
      this.#db.commit()
    } catch (error) {
      this.#startOver()
      throw error
    }
    this.#journal.clear()
    this.#isBehind = false
  }

  /** A write or a commit failed: leaves the transaction as the journal says that it has to be. */
  #startOver(): void {
    this.#stopTimer()
    this.#isBehind = true
    try {
      this.#db.rollBack()
      if (this.#journal.isEmpty) this.#isBehind = false
      else this.#replay()
    } catch {
      // The next write tries again: `#commit` replays first.
    }
    if (this.#isBehind) this.#commitAfter(retryMs)
  }

  #replay(): void {
    const writes = this.#journal.writes()
    this.#db.begin()
    try {
      for (const write of writes) if (!this.#redo(write)) throw this.#journal.mismatch
    } catch (error) {
      this.#db.rollBack()
      throw error
    }
  }

  /**
   * The machine lost power, against which `crash` does not protect: the disk may hold lines whose
   * forerunners it does not have. What fits is carried out, and a copy is kept of what does not.
   */
  #salvage(writes: readonly (JournaledWrite | undefined)[]): void {
    this.#db.begin()
    try {
      const count = writes.filter((write) => !this.#redoWhole(write)).length
      if (count > 0) this.#lost = { count, copy: this.#journal.copyAside() }
    } catch (error) {
      this.#db.rollBack()
      throw error
    }
  }

  /** All of a write, or nothing of it. */
  #redoWhole(write: JournaledWrite | undefined): boolean {
    if (write === undefined) return false
    this.#db.run('SAVEPOINT line')
    let isThere = false
    try {
      isThere = this.#redo(write)
    } catch (error) {
      // The disk, and not what the line says.
      if (error instanceof StoreFault) throw error
    }
    if (!isThere) this.#db.run('ROLLBACK TO line')
    this.#db.run('RELEASE line')
    return isThere
  }

  /** One that the database holds already is in conflict with it, and changes nothing. */
  #redo(write: JournaledWrite): boolean {
    const at = positionOf(perform(this.#db, write, this.#rules))
    return at === undefined ? isStoredAlready(this.#db, write) : at === write.feedAt
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** Where a batch stands that was written; undefined when it was in conflict. */
function positionOf(written: WriteResult): string | undefined {
  if (written.type !== 'batch' || written.committed.kind !== 'committed') return undefined
  return written.committed.feedAt
}

function isStoredAlready(db: Database, write: JournaledWrite): boolean {
  const runId = write.type === 'create' ? write.run.runId : write.runId
  const { batch } = write
  const sql = 'SELECT hash FROM entries WHERE run_id = ? AND seq = ?'
  const hash = batch.entries.at(-1)?.hash
  return hash !== undefined && db.get<{ hash: string }>(sql, runId, batch.lastSeq)?.hash === hash
}
