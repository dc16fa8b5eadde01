import { type JsonObject, type Simulated, simulateMove } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { example } from '../definitions/example.ts'
import { outcomeOf } from './outcome.ts'
import { configuredPrograms, readData, readText, startPlay } from './play.ts'
import { summaryOf } from './run-summary.ts'
import type { TriedCall } from './simulation.ts'

const sendEvent = (play: Simulated, event: string, data: JsonObject, at: number) =>
  simulateMove(play, { kind: 'send', event, data }, at)
const tryCall = (play: Simulated, tried: TriedCall, at: number) =>
  simulateMove(play, { kind: 'call', ...tried }, at)

function begin(text: string): Simulated {
  const { program, findings } = readText(text)
  if (program === null) throw new Error(JSON.stringify(findings))
  return startPlay(program, 1000)
}

const shell = (command: string) => ({ tool: 'Bash', input: { command }, exit: 'success' as const })

describe('the example of the playground', () => {
  test('has no findings and can be walked to its end', () => {
    expect(readText(example).findings).toEqual([])
    let play = sendEvent(begin(example), 'FOUND', { cause: 'line 42' }, 2000)
    play = sendEvent(play, 'FIXED', {}, 3000)
    play = tryCall(play, shell('npm test'), 4000)
    expect(outcomeOf(play)).toMatchObject({ tone: 'good', title: 'allowed' })
    play = sendEvent(play, 'PASSED', {}, 5000)
    expect(summaryOf(play)).toMatchObject({ status: 'completed', states: ['done'] })
  })

  test('WF-5: denies a tool and shows the way to it', () => {
    const edit = { file_path: 'a.ts', old_string: 'a', new_string: 'b' }
    const play = tryCall(begin(example), { tool: 'Edit', input: edit, exit: 'success' }, 2000)
    const { title, lines } = outcomeOf(play)
    expect(title).toBe('denied: tool_not_allowed')
    expect(lines).toContain('Tools here: Read, Grep, Glob')
    expect(lines.at(-1)).toBe('Path to a state that allows it: FOUND -> fixing')
  })

  test('SH-5: knows the programs of the server that it belongs to', () => {
    const { program } = readText(
      'id: a\ninitial: one\nstates:\n  one:\n    allowed_tools: [Bash]\n' +
        '    on: { GO: two }\n  two: { type: final }\n',
    )
    if (program === null) throw new Error('the definition has errors')
    const contained = (settings: Readonly<Record<string, unknown>>) => {
      const play = startPlay(program, 1000, configuredPrograms(settings))
      const { answer } = tryCall(play, shell('fleet list'), 2000).last
      return answer.type === 'decided' && answer.decision.plan.contain
    }
    const fleet = { does: 'pass', subcommands: { list: { does: 'read' } } }
    expect(contained({})).toBe('shell')
    expect(contained({ shell: { programs: { fleet } } })).toBe(undefined)
  })

  test('WF-17: refuses a guarded event and says what the guard saw', () => {
    const play = sendEvent(sendEvent(begin(example), 'FOUND', {}, 2000), 'FIXED', {}, 3000)
    const { tone, title, lines } = outcomeOf(play)
    expect([tone, title]).toEqual(['bad', 'refused: guard_failed'])
    expect(lines.join('\n')).toContain('but it is null')
    expect(summaryOf(play).states).toEqual(['fixing'])
  })

  test('SH-8: judges shell commands by their syntax', () => {
    let play = sendEvent(begin(example), 'FOUND', { cause: 'x' }, 2000)
    play = sendEvent(play, 'FIXED', {}, 3000)
    expect(outcomeOf(tryCall(play, shell('npm test && rm -rf x'), 4000)).tone).toBe('bad')
    expect(outcomeOf(tryCall(play, shell('npm test -- --run a'), 4000)).tone).toBe('good')
  })

  test('WF-28: an edit of a migration detours to its handler, with a notice', () => {
    const fixing = sendEvent(begin(example), 'FOUND', { cause: 'x' }, 2000)
    const input = { file_path: 'db/one/a.sql', old_string: 'a', new_string: 'b' }
    const play = tryCall(fixing, { tool: 'Edit', input, exit: 'success' }, 3000)
    expect(summaryOf(play)).toMatchObject({ states: ['migrating'] })
    expect(outcomeOf(play).lines.join('\n')).toContain('[STATEWRIGHT INTERRUPT]')
    expect(play.entries.map(({ type }) => type)).toContain('interrupted')
  })
})

describe('other definitions', () => {
  test('WF-2: a mistake is shown with its line and column, and no run begins', () => {
    const { findings, program } = readText(example.replace('allowed_tools', 'allowed_tolls'))
    expect(program).toBeNull()
    expect(findings[0]).toMatchObject({ code: 'unknown_field', line: 8, column: 5 })
  })

  test('WF-22: an approval is asked of the person at the page', () => {
    const approved = `
id: release
initial: ready
meta: { approval_mode: ui }
states:
  ready: { on: { SHIP: { target: shipped, requires_approval: true, approval_message: Ship it? } } }
  shipped: { type: final }
`
    const parked = sendEvent(begin(approved), 'SHIP', {}, 2000)
    const [waiting] = summaryOf(parked).waiting
    expect(waiting).toMatchObject({ message: 'Ship it?' })
    const { approvalId = '' } = waiting ?? {}
    const done = simulateMove(parked, { kind: 'verdict', approvalId, verdict: 'approve' }, 3000)
    expect(summaryOf(done)).toMatchObject({ status: 'completed', states: ['shipped'], waiting: [] })
  })

  test('PR-2: a process is stepped by answers', () => {
    const gate = `
name: gate
initial: sure
states:
  sure:
    question: Are you sure?
    answers: { yes: { next: null }, no: { next: null, action: block } }
`
    expect(summaryOf(begin(gate)).moves).toEqual([
      { kind: 'answer', name: 'yes' },
      { kind: 'answer', name: 'no' },
    ])
    const answered = simulateMove(begin(gate), { kind: 'answer', answer: 'no' }, 2000)
    expect(summaryOf(answered).status).toBe('blocked')
  })

  test('WF-24: a fork shows every branch, and the current one can be finished', () => {
    const fork = `
id: ci
initial: building
states:
  building:
    on:
      BUILT:
        fork:
          branches:
            lint: { initial: linting, terminal: linted }
            types: { initial: typing, terminal: typed }
          on_complete: done
  linting: { on: { OK: linted } }
  linted: { type: final }
  typing: { on: { OK: typed } }
  typed: { type: final }
  done: { type: final }
`
    let play = sendEvent(begin(fork), 'BUILT', {}, 2000)
    expect(summaryOf(play).states).toEqual(['linting', 'typing'])
    expect(summaryOf(play).moves.map((move) => move.name)).toContain('BRANCH_DONE:lint')
    play = sendEvent(play, 'BRANCH_DONE:lint', {}, 3000)
    play = sendEvent(play, 'BRANCH_DONE:types', {}, 4000)
    expect(summaryOf(play)).toMatchObject({ status: 'completed', states: ['done'] })
  })

  test.each(['', '{', 'null', '[]', 'a: b: c', '\u0000'])(
    'the text %j is no definition',
    (text) => {
      expect(readText(text).program).toBeNull()
      expect(readText(text).findings.length).toBeGreaterThan(0)
    },
  )
})

describe('data typed by a person', () => {
  test.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', null],
    ['{', null],
  ])('%s', (text, data) => {
    expect(readData(text)).toEqual(data)
  })
})
