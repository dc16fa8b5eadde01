import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { person, play } from '../reduce/play.test-kit.ts'
import { brokenLink, type ChainedEntry, chainEntries, chainStart } from './chain.ts'
import { replay } from './replay.ts'
import { type Stored, verify } from './verify.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const workflow = `
id: w
initial: a
meta: {approval_mode: ui}
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: check}}
states:
  a: {allowed_tools: [Edit, Bash], on: {GO: {target: z, requires_approval: true}, SELF: a}}
  check: {on: {OK: $return}}
  z: {type: final}
`

function history(): Stored {
  const run = play(workflow)
  run.tool('Read')
  run.send('SELF', { list: [1, { b: 'x', a: null }], rationale: 'because' })
  run.edit('a.js')
  run.result(run.call, { bytes: 10, costMicros: 5 })
  run.send('OK')
  run.send('NOPE')
  run.send('GO', { done: true })
  run.resolve('reject', { note: 'not yet' })
  run.bash('ls')
  run.send('GO')
  run.resolve('approve', { by: person })
  const entries = chainEntries({ seq: 0, hash: chainStart('r1') }, run.entries, hash)
  return { runId: 'r1', program: run.program, entries, snapshot: run.run }
}

describe('a stored history', () => {
  test('WF-34: it verifies, also after it went through a store', () => {
    const stored = history()
    expect(verify(stored, hash)).toEqual({ ok: true, entries: stored.entries.length })
    const again = JSON.parse(JSON.stringify({ entries: stored.entries, snapshot: stored.snapshot }))
    expect(verify({ ...stored, ...again }, hash).ok).toBe(true)
  })

  test('WF-34: chaining in parts gives the same hashes as chaining at once', () => {
    const { entries } = history()
    const plain = entries.map((link) => link.entry)
    const first = chainEntries({ seq: 0, hash: chainStart('r1') }, plain.slice(0, 4), hash)
    const last = first.at(-1) ?? { seq: 0, hash: '' }
    expect([...first, ...chainEntries(last, plain.slice(4), hash)]).toEqual(entries)
  })

  test('WF-34: any single value that is changed in any entry is found, at its place', () => {
    const stored = history()
    let changes = 0
    for (const [index, link] of stored.entries.entries()) {
      for (const path of leaves(link)) {
        const entries = stored.entries.with(index, changedAt(link, path))
        const result = verify({ ...stored, entries }, hash)
        expect(result.ok, `${index}.${path.join('.')}`).toBe(false)
        if (!result.ok) expect(result.seq).toBe(index + 1)
        changes += 1
      }
    }
    expect(changes).toBeGreaterThan(150)
  })

  test('WF-34: an entry removed, swapped, doubled or put in is found', () => {
    const stored = history()
    const { entries } = stored
    const spoiled: ChainedEntry[][] = []
    for (let index = 0; index < entries.length; index++) {
      const one = entries[index]
      const next = entries[index + 1]
      if (one === undefined) continue
      spoiled.push(entries.toSpliced(index, 1))
      spoiled.push(entries.toSpliced(index, 0, one))
      if (next !== undefined) spoiled.push(entries.with(index, next).with(index + 1, one))
    }
    for (const one of spoiled) expect(verify({ ...stored, entries: one }, hash).ok).toBe(false)
    expect(verify({ ...stored, entries: [] }, hash).ok).toBe(false)
  })

  test('WF-34: a history cut off at any entry does not give the stored snapshot', () => {
    const stored = history()
    for (let length = 0; length < stored.entries.length; length++) {
      const result = verify({ ...stored, entries: stored.entries.slice(0, length) }, hash)
      expect(result.ok).toBe(false)
    }
  })

  test('WF-34: the chain of one run does not fit another', () => {
    const stored = history()
    expect(verify({ ...stored, runId: 'r2' }, hash)).toEqual({
      ok: false,
      entries: stored.entries.length,
      seq: 1,
      problem: 'entry 1 does not match its hash',
    })
    expect(brokenLink('r1', stored.entries, hash)).toBeNull()
  })

  test('WF-34: a forger who chains anew is found by replay', () => {
    const stored = history()
    const plain = stored.entries.map((link) => link.entry)
    const forged = plain.map((entry) =>
      entry.type === 'approval_resolved' ? { ...entry, verdict: 'approved' as const } : entry,
    )
    const entries = chainEntries({ seq: 0, hash: chainStart('r1') }, forged, hash)
    expect(verify({ ...stored, entries }, hash)).toMatchObject({
      ok: false,
      problem: 'the entry differs from what its event produces',
    })
  })

  test('WF-34: a snapshot that was edited is found', () => {
    const stored = history()
    for (const path of leaves(stored.snapshot)) {
      const snapshot = changedAt(stored.snapshot, path)
      expect(verify({ ...stored, snapshot }, hash).ok, path.join('.')).toBe(false)
    }
  })

  test('WF-4, WF-34: a history does not replay under another definition', () => {
    const { entries } = history()
    const plain = entries.map((link) => link.entry)
    const other = play(workflow.replace('SELF: a', 'SELF: a, MORE: a')).program
    expect(replay(other, plain)).toEqual({
      ok: false,
      index: 0,
      problem: 'the history belongs to another definition',
    })
  })

  test('WF-34: a forged event that nobody can read is found, not thrown', () => {
    const { program, entries } = history()
    const plain = entries.map((link) => link.entry)
    const broken = [{ type: 'unheard_of' }, { type: 'tool_requested' }, { type: 'forced' }]
    for (const cause of broken) {
      // A store gives back whatever somebody wrote into it.
      const forged = plain.with(1, { ...plain[1], cause } as (typeof plain)[number])
      expect(replay(program, forged)).toMatchObject({ ok: false, index: 1 })
    }
  })

  test('WF-34: replaying needs a start, a cause for each step, and entries of its own', () => {
    const { program, entries } = history()
    const plain = entries.map((link) => link.entry)
    expect(replay(program, [])).toMatchObject({ ok: false, index: 0 })
    expect(replay(program, plain.slice(1))).toMatchObject({ ok: false, index: 0 })
    const [first, second] = plain
    if (first === undefined || second === undefined) throw new Error('no history')
    const { cause: _, ...bare } = second
    expect(replay(program, [first, bare])).toEqual({
      ok: false,
      index: 1,
      problem: 'no event caused the entry',
    })
  })
})

/** Paths of everything in a value that can be changed: leaves, and empty lists and objects. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const keys = Object.keys(value)
  if (keys.length === 0) return [path]
  // Any object may be read by its own keys.
  const record = value as Readonly<Record<string, unknown>>
  return keys.flatMap((key) => leaves(record[key], [...path, key]))
}

function changedAt<Value>(value: Value, path: readonly string[]): Value {
  const copy = JSON.parse(JSON.stringify(value))
  let at = copy
  for (const key of path.slice(0, -1)) at = at[key]
  const last = path.at(-1) ?? ''
  const old = at[last]
  if (typeof old === 'string') at[last] = `${old}x`
  else if (typeof old === 'number') at[last] = old + 1
  else if (typeof old === 'boolean') at[last] = !old
  else at[last] = 'changed'
  return copy
}
