import type { Write, WriteResult } from './writes.ts'

/** What makes writes durable, one at a time or several together. */
export interface Committer {
  submit(write: Write): Promise<WriteResult>
  /** Resolves when other connections see all that was acknowledged. */
  settle(): Promise<void>
  close(): Promise<void>
}
