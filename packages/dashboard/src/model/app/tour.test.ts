import { describe, expect, test } from 'vitest'
import type { PlacedEntry } from '../history/recorded-run.ts'
import { chapterCount, decisionChapter, tourChapters, tourVerdict } from './tour.ts'

// Only what is looked at: the rest of an entry is not read here.
const entry = (seq: number, more: object) => ({ seq, at: seq, ...more }) as unknown as PlacedEntry
const demo = [
  entry(1, { type: 'run_started', state: 'planning' }),
  entry(2, { type: 'call_decided', decision: 'deny', tool: 'Edit' }),
  entry(3, { type: 'transitioned' }),
  entry(4, { type: 'interrupted', file: 'migrations/007.sql' }),
  entry(5, { type: 'forked', branches: ['lint', 'test'] }),
  entry(6, { type: 'refused', code: 'evidence_missing' }),
  entry(7, { type: 'approval_opened' }),
]

describe('the tour through the demo', () => {
  test('stops at each thing that the demo shows, once it has happened', () => {
    const at = (entries: readonly PlacedEntry[]) => tourChapters(entries).map((one) => one.at)
    expect(at(demo)).toEqual([1, 2, 4, 5, 6, 7])
    expect(at(demo.slice(0, 3))).toEqual([1, 2, ...Array(4).fill(undefined)])
    expect(at([])).toEqual(Array(6).fill(undefined))
    expect(tourChapters(demo)).toHaveLength(chapterCount)
    expect(tourChapters(demo)[decisionChapter]?.target).toBe('question')
    const texts = tourChapters(demo).map(({ text }) => text)
    expect(texts[1]).toContain('wanted to use Edit')
    expect(texts[2]).toContain('It changed migrations/007.sql.')
    expect(texts[3]).toContain('lint and test run')
  })

  test('a call that only observing let pass is a denial to be shown', () => {
    const passed = entry(9, {
      type: 'call_decided',
      decision: 'allow',
      would: 'deny',
      tool: 'Edit',
    })
    expect(tourChapters([passed])[1]?.at).toBe(9)
  })

  test('knows what the person decided', () => {
    expect(tourVerdict(demo)).toBe(undefined)
    const resolved = { type: 'approval_resolved', verdict: 'approved' }
    expect(tourVerdict([...demo, entry(8, resolved)])).toBe('approved')
  })
})
