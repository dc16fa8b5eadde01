import type { Entry } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { historyLines } from './history-lines.ts'
import { storyLines } from './story-lines.ts'

let at = 0

function called(tool: string, argsHash: string, more: object = {}): Entry[] {
  const call_id = `c${++at}`
  const call = { id: call_id, tool, argsHash, ...more }
  const by = { kind: 'agent', id: 'tok_1' }
  const decided = {
    ...{ type: 'call_decided', call_id, tool, state: 'planning', decision: 'allow' },
    ...{ reasons: [], at: at * 1000, cause: { type: 'tool_requested', call, by } },
  }
  const finished = { type: 'call_finished', call_id, tool, bytes: 5, exit: 'success' }
  // As the server sends them, with what matters here alone.
  return [decided, { ...finished, at: at * 1000 + 400 }] as unknown as Entry[]
}

const linesOf = (entries: readonly Entry[]) =>
  historyLines(entries.map((entry, index) => ({ entry, index })))

describe('the lines of a history', () => {
  test('the same call again and again is one line; other arguments are another', () => {
    const test = () => called('Bash', 'x', { shell: { command: 'npm test' } })
    const entries = [...test(), ...test(), ...test(), ...called('Bash', 'y')]
    const lines = linesOf(entries)
    expect(lines.map(({ times, gist, first, last }) => [times, gist, first, last])).toEqual([
      [3, 'npm test', 0, 5],
      [1, '', 6, 6],
      [1, '', 7, 7],
    ])
    expect(lines.at(-1)?.tookMs).toBe(400)
    const reads = ['a', 'b', 'c'].flatMap((hash) => called('Read', hash))
    expect(linesOf(reads)).toHaveLength(6)
  })

  test('a file stands in the line of an edit, and a long pause before what follows it', () => {
    const edits = [{ path: 'src/a.ts' }, { path: 'src/b.ts' }, { path: 'src/c.ts' }]
    const first = called('Edit', 'z', { edits })
    at += 600
    const lines = linesOf([...first, ...called('Edit', 'z')])
    expect(lines[0]?.gist).toBe('src/a.ts, src/b.ts and 1 more')
    expect(lines.map(({ gapMs }) => gapMs)).toEqual([null, null, 600_600, null])
  })
})

test('a story is told in plain sentences', () => {
  const [denied] = called('Edit', 'q', { edits: [{ path: 'src/a.ts' }] })
  const entries = [
    { type: 'run_started', definition: 'x', state: 'planning', at: 0 },
    ...called('Read', 'a'),
    ...called('Read', 'b'),
    { ...denied, decision: 'deny', reasons: [{ message: 'Not in planning.' }] },
    { type: 'transitioned', from: 'planning', to: 'fixing', event: 'FOUND', at: 9 },
    { type: 'approval_resolved', approval_id: 'a', verdict: 'expired', by: 'system', at: 9 },
    { type: 'run_ended', state: 'done', status: 'completed', at: 10 },
  ] as unknown as Entry[] // As above.
  expect(storyLines(entries).map(({ text }) => text)).toEqual([
    'The run began in planning.',
    'In planning the agent used Read twice.',
    'It was denied once, Edit “src/a.ts”: Not in planning.',
    'FOUND took it from planning to fixing.',
    'Nobody answered in time.',
    'The run ended in done: completed.',
  ])
})
