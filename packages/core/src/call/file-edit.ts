import type { Phrase } from '../base/text/phrase.ts'

/** What one call would change in one file. */
export interface FileEdit {
  readonly path: string
  readonly op: 'edit' | 'write' | 'create' | 'delete' | 'move'
  /** The larger of lines added and removed by one operation (WF-9), or `unknownLines`. */
  readonly lines: number
}

export interface EditFacts {
  readonly edits: readonly FileEdit[]
  /** The input could not be understood, so the call has to be denied where edits are limited. */
  readonly unreadable?: Phrase
}

/** The text of a file before the call, by the path as the call spells it. */
export type OldText = (path: string) => string | undefined

/** More lines than any limit allows: the count depends on a file that could not be read. */
export const unknownLines: number = Number.MAX_SAFE_INTEGER

export function unreadableEdits(why: Phrase): EditFacts {
  return { edits: [], unreadable: why }
}
