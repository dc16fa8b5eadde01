import type { Database } from './database.ts'
import { type CounterRules, isStored, perform, type Write, type WriteResult } from './writes.ts'

/** What makes writes durable, one at a time or several together. */
export interface Committer {
  submit(write: Write): Promise<WriteResult>
  close(): Promise<void>
}

/** Commits each write at once, on the thread that asks: that is short without the disk. */
export function committerInThread(db: Database, rules: CounterRules): Committer {
  return {
    async submit(write) {
      return db.transact(() => perform(db, write, rules), isStored)
    },
    async close() {
      db.close()
    },
  }
}
