import { stableText } from '../base/stable-text.ts'
import type { Entry } from '../run/entries.ts'

/** An entry as it is stored: numbered without gaps, and bound to all that came before. */
export interface ChainedEntry {
  readonly seq: number
  readonly hash: string
  readonly entry: Entry
}

/** A hash over text, as lower-case hexadecimal. The caller brings it: platforms do it faster. */
export type HashText = (text: string) => string

/** What the first entry of a run is bound to. */
export function chainStart(runId: string): string {
  return `run:${runId}`
}

/** Chains new entries to the history; changing any byte of it later changes every hash after. */
export function chainEntries(
  previous: { readonly seq: number; readonly hash: string },
  entries: readonly Entry[],
  hashText: HashText,
): ChainedEntry[] {
  let { seq, hash } = previous
  return entries.map((entry) => {
    seq += 1
    hash = hashText(`${hash}\n${seq}\n${stableText(entry)}`)
    return { seq, hash, entry }
  })
}

/** The first place where a chain is broken, or null when it holds; from its start or later on. */
export function brokenLink(
  runId: string,
  entries: readonly ChainedEntry[],
  hashText: HashText,
  behind: { readonly seq: number; readonly hash: string } = { seq: 0, hash: chainStart(runId) },
): { readonly seq: number; readonly problem: string } | null {
  let { seq, hash } = behind
  for (const link of entries) {
    seq += 1
    if (link.seq !== seq) return { seq, problem: `entry ${seq} is missing` }
    hash = hashText(`${hash}\n${seq}\n${stableText(link.entry)}`)
    if (link.hash !== hash) return { seq, problem: `entry ${seq} does not match its hash` }
  }
  return null
}
