import { describe, expect, test } from 'vitest'
import { passesFilters, readFilters, writeFilters } from './run-filters.ts'
import { type ListedRun, patchPages } from './run-pages.ts'
import { SeenEntries } from './seen-entries.ts'

const row = (run_id: string, created_at: number, more: Partial<ListedRun> = {}): ListedRun => ({
  run_id,
  created_at,
  seq: 1,
  status: 'running',
  workflow: 'bugfix',
  project: null,
  ...more,
})
const all = readFilters({})

describe('filters in an address', () => {
  test('what a person typed wrongly is left out, and the rest comes back as it was', () => {
    const read = readFilters({ status: 'running,nonsense,failed', workflow: 'a', project: 7 })
    expect(read).toEqual({
      ...{ status: ['running', 'failed'], workflow: 'a', project: '' },
      ...{ search: '', span: '' },
    })
    expect(writeFilters(read)).toEqual({ status: 'running,failed', workflow: 'a' })
    expect(writeFilters(all)).toEqual({})
    const words = { search: 'npm test', span: '1d' }
    expect(writeFilters(readFilters(words))).toEqual(words)
    expect(readFilters({ span: '3d' }).span).toBe('')
  })

  test('a run passes when every filter holds', () => {
    const run = row('a', 1, { project: '/p' })
    expect(passesFilters(run, all)).toBe(true)
    expect(passesFilters(run, readFilters({ status: 'failed' }))).toBe(false)
    expect(passesFilters(run, readFilters({ workflow: 'other' }))).toBe(false)
    expect(passesFilters(run, readFilters({ project: '/p', workflow: 'bugfix' }))).toBe(true)
  })
})

describe('pages of runs that are patched', () => {
  const pages = [
    { runs: [row('d', 40), row('c', 30)], next: '2' },
    { runs: [row('b', 20)], next: '3' },
  ]
  const ids = (patched: ReturnType<typeof patchPages>) =>
    patched.map((page) => page.runs.map(({ run_id }) => run_id))

  test('a known row changes in its place, unless the answer is older than what is shown', () => {
    const newer = patchPages(pages, [row('c', 30, { seq: 5, status: 'failed' })], all)
    expect(newer[0]?.runs[1]).toMatchObject({ seq: 5, status: 'failed' })
    expect(patchPages(newer, [row('c', 30, { seq: 4 })], all)).toEqual(newer)
  })

  test('a new one comes by its age, and one older than all that was read waits', () => {
    expect(ids(patchPages(pages, [row('e', 50)], all))).toEqual([['e', 'd', 'c'], ['b']])
    expect(ids(patchPages(pages, [row('x', 25)], all))).toEqual([
      ['d', 'c'],
      ['x', 'b'],
    ])
    expect(ids(patchPages(pages, [row('a', 1)], all))).toEqual([['d', 'c'], ['b']])
  })

  test('one that no longer passes goes away', () => {
    const running = readFilters({ status: 'running' })
    const over = row('d', 40, { seq: 2, status: 'completed' })
    expect(ids(patchPages(pages, [over], running))).toEqual([['c'], ['b']])
  })
})

test('an entry that comes twice counts once, in each run by itself', () => {
  const seen = new SeenEntries()
  const taken = [
    { run_id: 'a', seq: 1 },
    { run_id: 'a', seq: 2 },
    { run_id: 'b', seq: 1 },
    { run_id: 'a', seq: 2 },
    { run_id: 'a', seq: 1 },
    { run_id: 'a', seq: 3 },
  ].map((entry) => seen.take(entry))
  expect(taken).toEqual([true, true, true, false, false, true])
})
