import { expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

const final = { type: 'final' }
const found = (interrupts: object, more: object = {}) =>
  checkDefinition({
    id: 'w',
    initial: 'a',
    interrupts,
    states: {
      a: { on: { GO: 'done', LOOK: 'lost' } },
      check: { on: { MORE: 'deeper' } },
      deeper: { on: { OK: '$return' } },
      lost: { on: { GO: 'done' } },
      done: final,
      ...more,
    },
  }).findings.map(({ code, path }) => `${code} ${path.join('.')}`)
const on = (file_pattern: string, target: string, shell?: boolean) => ({
  trigger: { file_pattern, ...(shell === undefined ? {} : { shell }) },
  target,
})

test('WF-3, WF-28: an interrupt that returns, also by another state, is fine', () => {
  expect(found({ one: on('a/**', 'check') })).toEqual([])
})

test('WF-3, WF-28: an interrupt that ends the run or never comes back is told', () => {
  expect(found({ one: on('a/**', 'done'), two: on('b/**', 'lost'), ok: on('c', 'check') })).toEqual(
    ['interrupt_ends_run interrupts.one.target', 'interrupt_without_return interrupts.two.target'],
  )
})

test('WF-3, WF-28: of two interrupts with one pattern the second never fires', () => {
  const never = ['interrupt_never_fires interrupts.two']
  expect(found({ one: on('a', 'check'), two: on('a', 'check') })).toEqual(never)
  expect(found({ one: on('a', 'check', true), two: on('a', 'check') })).toEqual(never)
  expect(found({ one: on('a', 'check'), two: on('a', 'check', true) })).toEqual([])
})

test('WF-3, FC-6: an interrupt is known by its tools and condition as well', () => {
  const never = ['interrupt_never_fires interrupts.two']
  const by = (tool: string | string[], when?: string) => ({
    trigger: { tool, ...(when === undefined ? {} : { when }) },
    target: 'check',
  })
  expect(found({ one: by('Edit'), two: by('Write') })).toEqual([])
  expect(found({ one: by('Edit', 'args.a == 1'), two: by('Edit', 'args.a == 2') })).toEqual([])
  expect(found({ one: by('Edit', 'args.a == 1'), two: by('Edit') })).toEqual([])
  expect(found({ one: by(['Edit', 'Write']), two: by(['Write', 'Edit']) })).toEqual(never)
  expect(found({ one: by('Edit'), two: by('Edit', 'args.a == 1') })).toEqual(never)
})

test('WF-3, SH-8: commands of a state without a shell are told', () => {
  const state = (allowed_tools: readonly string[] | undefined) => ({
    a: {
      ...(allowed_tools === undefined ? {} : { allowed_tools }),
      allowed_commands: ['npm test'],
      on: { GO: 'done' },
    },
  })
  const reported = (tools?: readonly string[]) =>
    checkDefinition({ id: 'w', initial: 'a', states: { ...state(tools), done: final } }).findings
  expect(reported(['Read']).map(({ code }) => code)).toEqual(['commands_without_shell'])
  expect(
    [reported(), reported(['Bash']), reported(['Bash(git log *)']), reported(['*'])].flat(),
  ).toEqual([])
})

test('WF-3: a wrong initial state is told beside errors of the shape', () => {
  const states = { work: { max_iterations: 0, on: { GO: 'done' } }, done: final }
  const { findings } = checkDefinition({ id: 'w', initial: 'wrk', states })
  expect(findings.map(({ code }) => code).toSorted()).toEqual(['unknown_initial', 'wrong_value'])
})

test('WF-2: a number where text belongs is told to be quoted', () => {
  const work = { env_overrides: { PORT: 3000 }, on: { GO: 'done' } }
  const { findings } = checkDefinition({ id: 'w', initial: 'work', states: { work, done: final } })
  expect(findings.map(({ message }) => message)).toEqual([
    '"PORT" must be text, not a number. Write it in quotes: "3000".',
  ])
})
