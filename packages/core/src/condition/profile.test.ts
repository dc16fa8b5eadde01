import { describe, expect, it } from 'vitest'
import { compileCondition, conditionFault } from './condition.ts'
import { type Opens, openedByMissing } from './opens.ts'
import { seenBy } from './saw.ts'
import type { Scope } from './variables.ts'
import { pathsIn } from './walk.ts'

const opened = (text: string, opens: Opens) => {
  const { ast } = compileCondition(text, '', 'call').expression
  const node = openedByMissing(ast, opens)
  return node === undefined ? undefined : text.slice(node.start, node.end)
}

describe('FC-6: conditions that a missing fact would open', () => {
  it.each([
    ['args.a in facts.x', 'by_true', undefined],
    ['args.a in facts.x', 'by_false', 'args.a in facts.x'],
    ['!(args.a in facts.x)', 'by_true', 'args.a in facts.x'],
    ['!(args.a in facts.x)', 'by_false', undefined],
    ['!!(args.a in facts.x)', 'by_true', undefined],
    ['has(facts.x)', 'by_true', undefined],
    ['!has(facts.x)', 'by_true', 'has(facts.x)'],
    ['has(facts.x)', 'by_false', 'has(facts.x)'],
    ['facts.x.all(k, k != args.a)', 'by_true', 'facts.x.all(k, k != args.a)'],
    ['facts.x.exists(k, k == args.a)', 'by_true', undefined],
    ['!facts.x.exists(k, k == args.a)', 'by_true', 'facts.x.exists(k, k == args.a)'],
    ['size(facts.x) < 3', 'by_true', 'size(facts.x)'],
    ['args.a == 1 || !(args.a in facts.x)', 'by_true', 'args.a in facts.x'],
    ['args.a == 1 && args.a in facts.x', 'by_true', undefined],
    ['args.b ? args.a in facts.x : false', 'by_true', undefined],
    ['args.list.all(a, a in facts.x)', 'by_true', undefined],
    ['args.list.all(a, !(a in facts.x))', 'by_true', 'a in facts.x'],
    ['args.list.exists(a, a in facts.x)', 'by_false', 'a in facts.x'],
    ['args.amount <= facts.x[args.a]', 'by_true', undefined],
    ['facts.x == args.a', 'by_true', undefined],
    ['!marks.seen', 'by_true', undefined],
  ] as const)('%s opens %s: %s', (text, opens, part) => {
    expect(opened(text, opens)).toBe(part)
  })
})

describe('FC-6, FC-8, FC-12: what may stand where', () => {
  it.each([
    ['args.a == 1', 'guard', 'args cannot be read in a guard, where no call is made'],
    ['result.a == 1', 'call', 'result cannot be read before the call has run'],
    [
      'facts.a == 1',
      'attached',
      'facts cannot be read by a policy of a project or role, which sees the call alone',
    ],
    [
      'args.a.matches("x")',
      'call',
      'there is no function matches; use glob, startsWith, endsWith or contains',
    ],
    ['sixe(args.a) == 1', 'call', 'there is no function sixe; did you mean size?'],
    ['arg.a == 1', 'call', 'there is no arg; did you mean args?'],
    ['1u == args.a', 'call', 'bytes and numbers such as 1u are not supported here'],
    ['now.getHours("Europe/Berlin") > 8', 'call', 'time zones are not supported here'],
    ['args.a.all(x, x.all(y, y.all(z, z)))', 'call', 'more than 2 macros nested inside each other'],
    ['1 == "a"', 'call', 'no such overload: int == string'],
    ['args.a ==', 'call', 'unexpected token: EOF'],
  ] as const)('%s in a %s: %s', (text, scope: Scope, message) => {
    expect(conditionFault(text, scope)?.message).toBe(message)
  })

  it('FC-13: a text of 4000 characters is read, one more is not', () => {
    const longest = `true${' '.repeat(3996)}`
    expect(conditionFault(longest, 'call')).toBeUndefined()
    expect(conditionFault(`${longest} `, 'call')?.message).toBe('it is longer than 4000 characters')
  })
})

describe('FC-13: names that an expression reads', () => {
  it.each([
    ['args.a + args["b"].c', ['args.a', 'args.b.c']],
    ['args[args.k]', ['args', 'args.k']],
    ['has(args.x.y)', ['args.x.y']],
    ['args.l.all(a, a.b == args.c)', ['args.l', 'args.c']],
    ['args.l.all(args, args.b)', ['args.l']],
  ])('%s', (text, expected) => {
    const { ast } = compileCondition(text, '', 'call').expression
    const found = pathsIn(ast).map(({ path: { root, names } }) => [root, ...names].join('.'))
    expect(found).toEqual(expected)
  })
})

describe('FC-15: what a condition saw', () => {
  const values = { args: { a: 5, long: 'x'.repeat(500), o: { b: [1] } }, state: 'working' }
  const seen = (text: string) => seenBy(compileCondition(text, '', 'call'), values)
  it.each([
    ['args.a == 5', [{ what: 'args.a', value: '5' }]],
    ['args.missing == 5', [{ what: 'args.missing', value: null }]],
    ['args.o.b == [1] && args.o.b != []', [{ what: 'args.o.b', value: '[1]' }]],
    ['state == "x"', [{ what: 'state', value: '"working"' }]],
    ['args == {}', []],
  ])('%s', (text, expected) => {
    expect(seen(text)).toEqual(expected)
  })

  it('is bounded in length and number', () => {
    expect(seen('args.long == ""')[0]?.value?.length).toBeLessThanOrEqual(121)
    const many = Array.from({ length: 9 }, (_, index) => `args.a${index} == 1`).join(' && ')
    expect(seen(many)).toHaveLength(6)
  })
})
