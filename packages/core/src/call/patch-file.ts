import type { Phrase } from '../base/text/phrase.ts'

/** What a patch does to one file, whatever format it is written in. */
export type PatchFile =
  | { readonly op: 'create'; readonly path: string; readonly text: string }
  | { readonly op: 'delete'; readonly path: string }
  | {
      readonly op: 'edit'
      readonly path: string
      /** Where the file goes when it is moved as well. */
      readonly to?: string
      readonly added: number
      readonly removed: number
      /** The lines of its hunks with their heads and marks, for anyone who applies them. */
      readonly body: readonly string[]
    }

/** Why a patch could not be read. Such a patch is denied, never guessed at. */
export interface UnreadablePatch {
  readonly unreadable: Phrase
}

export type ParsedPatch = readonly PatchFile[] | UnreadablePatch

export function isUnreadable(patch: ParsedPatch): patch is UnreadablePatch {
  return 'unreadable' in patch
}

/** Lines as tools that apply patches see them: only a newline ends one. */
export function patchLines(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}
