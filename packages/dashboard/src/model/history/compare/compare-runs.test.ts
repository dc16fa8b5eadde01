import { type SimulatedMove, simulateMove } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { example } from '../../definitions/example.ts'
import { readText, startPlay } from '../../simulator/play.ts'
import { emptyFold, extendFold, type Fold } from '../fold.ts'
import { align } from './align.ts'
import { type Comparison, compareRuns } from './compare-runs.ts'

const forked = `id: forked
initial: reading
states:
  reading:
    on:
      SPLIT:
        fork:
          branches:
            one: { initial: style, terminal: style_end }
            two: { initial: tests, terminal: tests_end }
          join: all
          on_complete: done
          on_fail: done
  style: { on: { CHECKED: style_end } }
  style_end: { type: final }
  tests: { on: { TRIED: tests_end } }
  tests_end: { type: final }
  done: { type: final }
`

type Move = SimulatedMove

function played(text: string, moves: readonly Move[]): Fold {
  const { program, findings } = readText(text)
  if (program === null) throw new Error(JSON.stringify(findings))
  let play = startPlay(program, 1)
  for (const [at, move] of moves.entries()) play = simulateMove(play, move, at + 2)
  return extendFold(emptyFold(program), play.entries)
}

function call(tool: string, input: object): Move {
  return { kind: 'call', tool, input: { ...input }, exit: 'success' }
}

function send(event: string, data: object = {}, branch?: string): Move {
  return { kind: 'send', event, data: { ...data }, ...(branch === undefined ? {} : { branch }) }
}

const read = call('Read', { file_path: 'src/cart.ts' })
const edit = call('Edit', { file_path: 'src/cart.ts', old_string: 'a', new_string: 'b' })

/** Each row as its state, with its signs. */
function rowsOf({ rows }: Comparison): readonly string[] {
  return rows.map(({ state, branch, left, right, steps, context, isSameExit }) => {
    const side = left === undefined ? '> ' : right === undefined ? '< ' : ''
    const lane = branch === '' ? '' : `${branch}/`
    const signs = [...steps.map(({ difference }) => difference), ...context.map(({ name }) => name)]
    return `${side}${lane}${state}${isSameExit ? '' : ' !'} ${signs.join(' ')}`.trim()
  })
}

describe('two lists side by side', () => {
  test.each([
    ['abc', 'abc', 'aa bb cc'],
    ['abcd', 'axcd', 'aa b- -x cc dd'],
    ['abab', 'ab', 'aa bb a- b-'],
    ['', 'ab', '-a -b'],
    ['ab', 'ba', 'a- bb -a'],
  ])('WF-33b: %s beside %s is %s', (left, right, expected) => {
    const pairs = align([...left], [...right])
    const at = (text: string, index: number | undefined) =>
      index === undefined ? '-' : text[index]
    expect(pairs.map((one) => `${at(left, one.left)}${at(right, one.right)}`).join(' ')).toBe(
      expected,
    )
  })

  test('WF-33b: what is too long to be compared in the middle stands one after the other', () => {
    const many = (word: string) => Array.from({ length: 1200 }, (_, at) => `${word}${at}`)
    const pairs = align(['same', ...many('a'), 'end'], ['same', ...many('b'), 'end'])
    expect(pairs).toHaveLength(2402)
    expect(pairs.at(-1)).toEqual({ left: 1201, right: 1201 })
  })
})

describe('two runs side by side', () => {
  test('WF-33b: the same story has no difference', () => {
    const moves = [read, send('FOUND', { cause: 'x' }), edit]
    const compared = compareRuns(played(example, moves), played(example, moves))
    expect(rowsOf(compared)).toEqual(['planning none', 'fixing none'])
    expect(compared.end).toEqual({ kind: 'same' })
    expect(compared.firstDifference).toBe(undefined)
  })

  test('WF-33b: the first state that they leave by other ways is where they part', () => {
    const left = played(example, [read, send('FOUND', { cause: 'x' }), edit, send('FIXED')])
    const right = played(example, [read, edit, send('GIVE_UP')])
    const compared = compareRuns(left, right)
    expect(rowsOf(compared)).toEqual([
      'planning ! none only_right cause',
      '< fixing ! only_left',
      '< testing !',
      '> failed !',
    ])
    expect(compared.end).toEqual({ kind: 'parted', row: 0 })
    expect(compared.firstDifference).toBe(0)
    expect(compared.rows[0]?.left?.exit).toEqual({ event: 'FOUND', to: 'fixing' })
    expect(compared.rows[0]?.right?.exit).toEqual({ event: 'GIVE_UP', to: 'failed' })
    expect(compared.rows[0]?.steps[1]?.right?.decision).toBe('deny: tool_not_allowed')
  })

  test('WF-33b: the same call that was decided otherwise, and data that differs, once', () => {
    const long = { file_path: 'src/cart.ts', old_string: 'a', new_string: 'b\n'.repeat(40) }
    const left = played(example, [send('FOUND', { cause: 'x' }), call('Edit', long), read])
    const other = { file_path: 'src/cart.ts', old_string: 'a', new_string: 'c' }
    const right = played(example, [send('FOUND', { cause: 'y' }), call('Edit', other), read])
    const compared = compareRuns(left, right)
    expect(rowsOf(compared)).toEqual(['planning cause', 'fixing decision none'])
    const again = compareRuns(right, played(example, [send('FOUND', { cause: 'y' }), edit, read]))
    expect(rowsOf(again)).toEqual(['planning', 'fixing arguments none'])
    expect(again.end).toEqual({ kind: 'same' })
    expect(again.firstDifference).toBe(1)
  })

  test('WF-33b: one that stands while the other went on has not parted from it', () => {
    const left = played(example, [read])
    const right = played(example, [read, send('FOUND', { cause: 'x' })])
    expect(compareRuns(left, right).end).toEqual({ kind: 'further', row: 0, side: 'right' })
    expect(compareRuns(right, left).end).toEqual({ kind: 'further', row: 0, side: 'left' })
  })

  test('WF-33b: branches stand beside each other, whichever moved first', () => {
    const one = send('CHECKED', {}, 'one')
    const two = send('TRIED', {}, 'two')
    const left = played(forked, [send('SPLIT'), one, two])
    const right = played(forked, [send('SPLIT'), two, one])
    const compared = compareRuns(left, right)
    expect(rowsOf(compared)).toEqual([
      'reading',
      'one/style',
      'one/style_end',
      'two/tests',
      'two/tests_end',
      'done',
    ])
    expect(compared.end).toEqual({ kind: 'same' })
  })
})
