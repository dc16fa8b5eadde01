import type { Phrase } from '@statewright/core/internal'

/**
 * Words that have been made already: by the server, or by `shownEntry` for what is played here.
 * Making them takes all texts of ours, which the first page must not wait for.
 */
export function madeWords(words: string | Phrase): string {
  return typeof words === 'string' ? words : words.phrase
}
