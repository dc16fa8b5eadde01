import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { type DifferenceKind, differenceOf, type ReplayedCall } from './replayed-call.ts'
import { openReport, outcomeOfReport } from './report.ts'

const plain: ReplayedCall = {
  ...{ run: 'r1', index: 0, at: 0, tool: 'Bash', program: 'npm', shown: 'npm test' },
  ...{ before: null, after: 'allow' },
}
const denied = (program: string, path = 'states.a.commands'): ReplayedCall => ({
  ...plain,
  ...{ program, path, shown: program, after: 'deny', code: 'command_not_allowed' },
})

function reported(calls: readonly ReplayedCall[]) {
  const report = openReport()
  for (const call of calls) report.add(call)
  return report.finish()
}

describe('a call is the same, different or undecided', () => {
  const kinds = ['allow', 'ask', 'deny'] as const
  const table: Record<string, readonly (DifferenceKind | null)[]> = {
    null: [null, 'newly_asked', 'newly_denied'],
    allow: [null, 'newly_asked', 'newly_denied'],
    ask: ['no_longer_asked', null, 'newly_denied'],
    deny: ['newly_allowed', 'newly_asked', null],
  }
  const rows = ([null, ...kinds] as const).flatMap((before) =>
    kinds.map((after, index) => [before, after, table[String(before)]?.[index] ?? null] as const),
  )
  test.each(rows)('RP-20: %s before and %s after is %s', (before, after, kind) => {
    const call: ReplayedCall = { ...plain, before, after }
    expect(differenceOf(call)).toBe(kind)
    expect(differenceOf({ ...call, after: 'undecided' })).toBeNull()
  })

  const anyCall: fc.Arbitrary<ReplayedCall> = fc.record({
    run: fc.constantFrom('r1', 'r2'),
    index: fc.nat(),
    at: fc.nat(),
    tool: fc.constantFrom('Bash', 'Edit'),
    program: fc.constantFrom('git', 'npm', 'Edit', '__proto__', 'constructor'),
    shown: fc.string(),
    before: fc.constantFrom(null, ...kinds),
    after: fc.constantFrom<'undecided' | (typeof kinds)[number]>('undecided', ...kinds),
    path: fc.constantFrom('', 'states.a', '__proto__'),
    missing: fc.uniqueArray(fc.constantFrom('exit of npm test', 'cost'), { maxLength: 2 }),
  })

  test('RP-20: the counts of any calls add up, and each telling call was counted', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 200 }), (calls) => {
        const report = reported(calls)
        const differing = calls.filter((call) => differenceOf(call) !== null)
        const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
        const total = sum(Object.values(report.differences))
        expect(total).toBe(differing.length)
        expect(report.decisions).toBe(calls.length)
        expect(report.same + total + report.undecided).toBe(calls.length)
        for (const groups of [report.rules, report.programs])
          expect(sum(groups.map(({ count }) => count))).toBe(total)
        expect(report.telling).toHaveLength(Math.min(total, limits.tellingCalls))
        expect(report.telling.every((call) => differing.includes(call))).toBe(true)
        for (const kind of ['newly_denied', 'newly_asked'] as const) {
          const rows = report.programs.filter((group) => group.kind === kind)
          expect(sum(rows.map(({ count }) => count))).toBe(report.differences[kind])
        }
      }),
    )
  })

  test('RP-20: an undecided call counts for each missing thing, and for no difference', () => {
    const missing = ['exit of npm test', 'old text of a.ts']
    const report = reported([{ ...plain, after: 'undecided', missing }, plain])
    expect(report.undecided).toBe(1)
    expect(report.missing.map(({ name, count }) => [name, count])).toEqual([
      ['exit of npm test', 1],
      ['old text of a.ts', 1],
    ])
    expect(report.rules).toEqual([])
    expect(report.telling).toEqual([])
  })
})

describe('what a replay exits with', () => {
  const divergence = { run: 'r', index: 3, at: 0, expected: 'a', instead: 'b', notCompared: 7 }
  const outcome = (calls: readonly ReplayedCall[], moves: readonly (typeof divergence)[] = []) => {
    const report = openReport()
    for (const call of calls) report.add(call)
    for (const move of moves) report.diverge(move)
    return outcomeOfReport(report.finish())
  }
  const undecided: ReplayedCall = { ...plain, after: 'undecided', missing: ['cost'] }
  test.each([
    ['nothing at all', outcome([]), 'same'],
    ['the same calls', outcome([plain]), 'same'],
    ['a difference', outcome([plain, denied('git')]), 'different'],
    ['a difference and something undecided', outcome([undecided, denied('git')]), 'different'],
    ['only undecided', outcome([plain, undecided]), 'undecided'],
    ['a move that goes otherwise', outcome([plain], [divergence]), 'different'],
    [
      'a move of which nobody can say how it goes',
      outcome([plain], [{ ...divergence, ...{ undecided: ['cost'] } }]),
      'undecided',
    ],
  ])('RP-21: %s', (_, made, expected) => {
    expect(made).toBe(expected)
  })
})

describe('what is kept is bounded', () => {
  test('RP-22: groups beyond the limit are one, and no count is lost', () => {
    const calls = Array.from({ length: limits.replayGroups + 40 }, (_, n) => denied(`p${n}`))
    const { programs, differences } = reported([...calls, ...calls])
    expect(programs).toHaveLength(limits.replayGroups + 1)
    expect(programs.at(-1)).toMatchObject({ name: null, count: 80 })
    expect(programs.at(-1)?.samples).toHaveLength(limits.replaySamples)
    expect(differences.newly_denied).toBe(calls.length * 2)
  })

  test('RP-22: notes, divergences and samples stop at their limits', () => {
    const report = openReport()
    const move = { run: 'r', index: 0, at: 0, expected: 'a', instead: 'b', notCompared: 2 }
    for (let n = 0; n < 300; n++) {
      report.note(`note ${n}`)
      report.note('note 1', 2)
      report.diverge({ ...move, index: n })
      report.add(denied('git'))
    }
    const { notes, divergences, programs } = report.finish()
    expect(notes).toHaveLength(limits.replayNotes)
    expect(notes[1]).toEqual({ text: 'note 1', count: 601 })
    expect(divergences).toMatchObject({ total: 300, notCompared: 600 })
    expect(divergences.first).toHaveLength(limits.replayDivergences)
    expect(programs[0]?.samples).toHaveLength(limits.replaySamples)
  })
})

describe('telling calls', () => {
  test('RP-22: one of each group comes before a second of any, grave and rare ones first', () => {
    const asked: ReplayedCall = { ...plain, after: 'ask', program: 'git', path: 'policy.ask[0]' }
    const calls = [
      ...Array.from({ length: 50 }, () => denied('ls')),
      ...Array.from({ length: 5 }, () => denied('cat')),
      ...Array.from({ length: 9 }, () => denied('git')),
      ...Array.from({ length: 2 }, () => denied('curl')),
      asked,
    ]
    const { telling } = reported(calls)
    const programs = telling.map(({ program, after }) => `${after} ${program}`)
    expect(programs.slice(0, 5)).toEqual([
      'deny curl',
      'deny git',
      'deny cat',
      'deny ls',
      'ask git',
    ])
    expect(programs).toHaveLength(limits.tellingCalls)
    expect(programs[5]).toBe('deny curl')
  })
})
