import { createHash } from 'node:crypto'
import {
  brokenLink,
  type ChainedEntry,
  chainEntries,
  chainStart,
  type Entry,
  verify,
} from '@statewright/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestMs } from '../../packages/server/testing/length.ts'
import { revived } from './history-claims.ts'
import { choice, pick } from './pick.ts'
import { always } from './settings.ts'
import { scenario, storyOf } from './story.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

function chained(entries: readonly Entry[]): ChainedEntry[] {
  return chainEntries({ seq: 0, hash: chainStart('r1') }, entries, hash)
}

const tampering = fc.record({ chosen: scenario, where: choice, how: choice })

describe('the history of every run', { timeout: longestMs }, () => {
  test('WF-34: it verifies as a whole, and for no other run', () => {
    always(25, scenario, (chosen) => {
      const { world, entries, last } = storyOf(chosen)
      const stored = { runId: 'r1', program: world.program, entries: chained(entries) }
      const whole = verify({ ...stored, snapshot: last }, hash)
      expect(whole).toEqual({ ok: true, entries: entries.length })
      expect(brokenLink('r2', stored.entries, hash)).toMatchObject({ seq: 1 })
    })
  })

  test('WF-34: changing, dropping, doubling or swapping an entry is found at its place', () => {
    always(60, tampering, ({ chosen, where, how }) => {
      const entries = revived(chained(storyOf(chosen).entries))
      const at = where % entries.length
      const tampered = pick(tamperings, how)(entries, at)
      if (tampered === null) return
      expect(brokenLink('r1', tampered.entries, hash)?.seq).toBe(tampered.brokenAt)
    })
  })

  test('WF-34: losing its end is found by the snapshot', () => {
    always(25, scenario, (chosen) => {
      const { world, taken, entries, last } = storyOf(chosen)
      const changed = taken.findLast(({ before, step }) => step.run !== before)
      if (changed === undefined || taken.at(-1) !== changed) return
      const kept = chained(entries).slice(0, -changed.step.entries.length)
      const stored = { runId: 'r1', program: world.program, entries: kept, snapshot: last }
      if (JSON.stringify(changed.before) === JSON.stringify(last)) return
      expect(verify(stored, hash)).toMatchObject({ ok: false })
    })
  })

  test('WF-34: an entry that was changed and chained anew does not fit its cause', () => {
    always(40, tampering, ({ chosen, where }) => {
      const { world, entries, last } = storyOf(chosen)
      const at = where % entries.length
      const forged = revived(entries).map((entry, index) =>
        index === at ? { ...entry, at: entry.at + 1 } : entry,
      )
      const stored = { runId: 'r1', program: world.program, entries: chained(forged) }
      expect(verify({ ...stored, snapshot: last }, hash)).toMatchObject({ ok: false, seq: at + 1 })
    })
  })
})

interface Tampered {
  readonly entries: readonly ChainedEntry[]
  /** Number of the first entry that no longer fits. */
  readonly brokenAt: number
}
type Tampering = (entries: readonly ChainedEntry[], at: number) => Tampered | null

/** Ways to touch a stored history; null where there is nothing to touch in that way. */
const tamperings: readonly Tampering[] = [
  (entries, at) => changed(entries, at, ({ entry }) => ({ entry: { ...entry, at: -1 } })),
  (entries, at) => changed(entries, at, () => ({ entry: { type: 'notice', text: '', at: 0 } })),
  (entries, at) => changed(entries, at, (link) => ({ hash: link.hash.replace(/./, 'g') })),
  (entries, at) => changed(entries, at, (link) => ({ seq: link.seq + 1 })),
  (entries, at) =>
    at === entries.length - 1 ? null : { entries: entries.toSpliced(at, 1), brokenAt: at + 1 },
  (entries, at) => ({
    entries: entries.toSpliced(at, 0, ...entries.slice(at, at + 1)),
    brokenAt: at + 2,
  }),
  (entries, at) => {
    const [one, next] = entries.slice(at, at + 2)
    if (one === undefined || next === undefined) return null
    return { entries: entries.toSpliced(at, 2, next, one), brokenAt: at + 1 }
  },
]

function changed(
  entries: readonly ChainedEntry[],
  at: number,
  change: (link: ChainedEntry) => Partial<ChainedEntry>,
): Tampered | null {
  const link = entries[at]
  if (link === undefined) return null
  return { entries: entries.with(at, { ...link, ...change(link) }), brokenAt: at + 1 }
}
