import { describe, expect, test } from 'vitest'
import { growsLinearly } from '../base/growth.test-kit.ts'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import type { KnownDefinitions } from './check-context.ts'
import { checkWorkflow } from './check-workflow.ts'

/** Findings of a definition that parses, as `severity code path`. */
function check(definition: object, known?: KnownDefinitions): string[] {
  const parsed = parseWorkflow(definition)
  expect(parsed.findings).toEqual([])
  if (parsed.definition === undefined) return []
  return checkWorkflow(parsed.definition, known === undefined ? {} : { known }).map(
    ({ severity, code, path }) => `${severity} ${code} ${path.join('.')}`,
  )
}

const end = { type: 'final' }
const flow = (states: object, rest: object = {}) => ({ id: 'x', initial: 'a', states, ...rest })
const branch = (initial: string, terminal: string) => ({ initial, terminal })
const fork = (branches: object, rest: object = {}) => ({
  fork: { branches, on_complete: 'z', ...rest },
})

describe('invoked definitions', () => {
  const invoking = flow(
    {
      a: { on: { GO: { invoke: 'child', on_complete: 'b' } } },
      b: { on: { OK: { target: 'z', guard: 'g' } } },
      z: end,
    },
    { guards: { g: { field: 'verdict', op: 'exists' } } },
  )
  const id = (field: string) => ({ ...invoking, guards: { g: { field, op: 'exists' } } })

  test('WF-3: an unknown one is a warning, and nothing is said of fields it may bring', () => {
    expect(check(invoking, () => undefined)).toEqual([
      'warning unknown_workflow states.a.on.GO.invoke',
    ])
    expect(check(invoking)).toEqual([])
  })

  test('WF-3, WF-23: a known one brings its id and its output', () => {
    const known = (output?: string[]) => (name: string) =>
      name === 'child' ? { output } : undefined
    expect(check(invoking, known(['verdict']))).toEqual([])
    expect(check(invoking, known())).toEqual(['warning guard_field_unset guards.g.field'])
    expect(check(id('child.result'), known())).toEqual([])
  })

  test('WF-3: a workflow knows itself', () => {
    const recursive = flow({ a: { on: { GO: { invoke: 'x', on_complete: 'z' } } }, z: end })
    expect(check(recursive, () => undefined)).toEqual([])
  })
})

describe('sentences', () => {
  const messages = (definition: object) => {
    const parsed = parseWorkflow(definition).definition
    return parsed === undefined ? [] : checkWorkflow(parsed).map(({ message }) => message)
  }

  test('WF-3: a name that leads nowhere is told with the nearest one', () => {
    const states = { a: { on: { GO: 'implementng' } }, implementing: { on: { OK: 'z' } }, z: end }
    expect(messages(flow(states))[0]).toBe(
      'There is no state "implementng". Did you mean "implementing"?',
    )
  })
})

describe('size', () => {
  const many = (size: number, state: (index: number) => object) => {
    const states: Record<string, object> = { z: end }
    for (let index = 0; index < size; index++) states[`s${index}`] = state(index)
    return { id: 'x', initial: 's0', states }
  }
  const next = (size: number, index: number) => (index === size - 1 ? 'z' : `s${index + 1}`)
  const chain = (size: number) => (index: number) => ({ on: { NEXT: next(size, index) } })
  const fan = (size: number) =>
    Object.fromEntries(Array.from({ length: size * 5 }, (_, at) => [`E${at}`, 's1']))
  const twoLanes = (size: number) =>
    fork({ l: branch(`s${size >> 1}`, 'z'), m: branch(`s${(size * 5) >> 3}`, 'z') })

  test.each<[string, (size: number) => object, number | undefined]>([
    ['a chain', (size) => many(size, chain(size)), 0],
    [
      'a chain of wrong names',
      (size) => many(size, (index) => ({ on: { NEXT: `t${index}`, OK: 'z' } })),
      9998 + 9997,
    ],
    [
      'one of them with most of the edges',
      (size) => many(size, (index) => (index === 0 ? { on: fan(size) } : chain(size)(index))),
      undefined,
    ],
    [
      'forks over one long chain',
      (size) =>
        many(size, (index) =>
          index < size * 0.4
            ? { on: { GO: twoLanes(size), N: next(size, index) } }
            : chain(size)(index),
        ),
      undefined,
    ],
  ])('WF-3: ten thousand states, %s: the work grows with their number', (_, write, count) => {
    const parsed = new Map<number, Parameters<typeof checkWorkflow>[0]>()
    const check = (size: number) => {
      const known = parsed.get(size) ?? parseWorkflow(write(size)).definition
      if (known === undefined) throw new Error('the definition is wrong')
      parsed.set(size, known)
      return checkWorkflow(known).length
    }
    const found = check(9998)
    if (count !== undefined) expect(found).toBe(count)
    expect(growsLinearly(process, 9998, check)).toBe(true)
  })
})
