import {
  chainEntries,
  chainStart,
  hashText,
  parseDefinition,
  replay,
  shownEntry,
  simulateMove,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { example } from '../definitions/example.ts'
import { anywhere, pairKey, runGraph } from '../diagram/run-graph.ts'
import { runMarks } from '../diagram/run-marks.ts'
import { readText, startPlay } from '../simulator/play.ts'
import { entryKinds, entryWords } from '../words/entry-words.ts'
import { emptyFold, extendFold, snapshotAt } from './fold.ts'
import { readProgram } from './program-text.ts'
import { openExport } from './recorded-run.ts'

const { program } = readText(example)
if (program === null) throw new Error('the example has findings')
const parsed = parseDefinition(example)
if (parsed.kind !== 'workflow' || parsed.definition === undefined) throw new Error('no workflow')
const definition = { kind: 'workflow', definition: parsed.definition } as const

/** Denied, moved, and interrupted by a file. */
function played() {
  if (program === null) throw new Error('the example has findings')
  let play = startPlay(program, 1)
  const edit = { kind: 'call', tool: 'Edit', exit: 'success' } as const
  play = simulateMove(play, { ...edit, input: { file_path: 'a' } }, 2)
  play = simulateMove(play, { kind: 'send', event: 'FOUND', data: { cause: 'x' } }, 3)
  const input = { file_path: 'db/a.sql', old_string: 'a', new_string: 'b' }
  play = simulateMove(play, { ...edit, input }, 4)
  return play
}

describe('a history that is played again', () => {
  test('gives the snapshot of each moment, and the newest is that of the run', () => {
    const { entries, run } = played()
    const fold = extendFold(emptyFold(program), entries)
    expect(fold.brokenAt).toBe(null)
    expect(fold.snapshots).toHaveLength(entries.length)
    expect(fold.snapshots.at(-1)).toEqual(run)
    for (const [index, snapshot] of fold.snapshots.entries()) {
      let end = index + 1
      while (end < entries.length && entries[end]?.cause === undefined) end++
      expect(replay(program, entries.slice(0, end))).toEqual({
        ok: true,
        run: snapshot,
        older: null,
      })
    }
  })

  test('WF-33b: a call that an interrupt follows was still in the state before it', () => {
    const { entries } = played()
    const fold = extendFold(emptyFold(program), entries)
    const at = entries.findIndex(({ type }) => type === 'interrupted')
    const stood = (index: number) => snapshotAt(fold, index)?.main.frames.at(-1)?.state
    expect(entries[at]?.cause).toBe(undefined)
    expect([stood(at - 1), stood(at)]).toEqual(['fixing', 'migrating'])
    expect(snapshotAt(fold, 0)).toBe(fold.snapshots[0])
  })

  test('grows by what is new, and keeps what was played', () => {
    const { entries } = played()
    const part = extendFold(emptyFold(program), entries.slice(0, 2))
    const whole = extendFold(part, entries)
    expect(whole.snapshots[1]).toBe(part.snapshots[1])
    expect(extendFold(whole, entries)).toBe(whole)
  })

  test('says where it breaks', () => {
    const [, ...headless] = played().entries
    expect(extendFold(emptyFold(program), headless)).toMatchObject({ brokenAt: 0, snapshots: [] })
  })

  test('every entry has its words and its kind', () => {
    const words = played().entries.map((entry) => entryWords(shownEntry(entry)))
    expect(words.map(({ title }) => title)).toContain('Edit denied: tool_not_allowed')
    expect(words.every(({ kind }) => entryKinds.includes(kind))).toBe(true)
  })
})

describe('the picture of a run', () => {
  test('interrupts come from anywhere and go back there', () => {
    const { nodes, edges } = runGraph(definition)
    expect(nodes.map(({ id }) => id)).toEqual([...program.root.states.keys(), anywhere])
    const detours = edges.filter(({ from, to }) => from === anywhere || to === anywhere)
    expect(detours.map(({ from, to, kind }) => [from, to, kind])).toEqual([
      ['migrating', anywhere, 'event'],
      [anywhere, 'migrating', 'interrupt'],
    ])
  })

  test('marks where it stands, the way it came and the detour', () => {
    const { entries, run } = played()
    const marks = runMarks('bugfix', run, entries, runGraph(definition))
    expect([...marks.current]).toEqual([['migrating', ['']]])
    expect(marks.detour).toEqual({ from: 'fixing', to: 'migrating' })
    expect(marks.walked.has(pairKey('planning', 'fixing'))).toBe(true)
    expect(marks.walked.has(pairKey('fixing', 'testing'))).toBe(false)
    expect(marks.visits.get('migrating')).toBe(1)
    expect(runMarks('another machine', run, [], null).current.size).toBe(0)
  })
})

describe('an exported run', () => {
  const { entries } = played()
  const links = chainEntries({ seq: 0, hash: chainStart('run_1') }, entries, hashText)
  const file = (change: object = {}) =>
    JSON.stringify({
      format: 'statewright-run/1',
      run: { run_id: 'run_1' },
      program: { root: definition, others: [] },
      entries: links,
      ...change,
    })

  test('opens when its chain holds and its history plays', () => {
    const opened = openExport(file())
    expect(opened.ok && opened.run.entries.map(({ seq }) => seq)).toEqual(
      links.map(({ seq }) => seq),
    )
  })

  test.each([
    ['is no JSON', 'x'],
    ['is something else', '{}'],
    ['has no definitions', file({ program: null })],
    ['has entries of no shape', file({ entries: [{ seq: 1 }] })],
    ['was changed', file().replace('"tool_not_allowed"', '"shell_write"')],
    ['lost its end and its hash', file({ entries: links.slice(1) })],
    ['belongs to another run', file({ run: { run_id: 'run_2' } })],
  ])('is refused when it %s', (_, text) => {
    expect(openExport(text).ok).toBe(false)
  })

  test('a program that is none is not read', () => {
    for (const value of [null, undefined, 1, {}, { root: {}, others: [] }, { root: null }]) {
      expect(readProgram(value)).toBe(null)
    }
  })
})
