import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Node, parseExpression } from '../../packages/core/src/condition/cel.ts'
import {
  compileCondition,
  conditionFault,
  holds,
  triggerScope,
} from '../../packages/core/src/condition/condition.ts'
import { metered } from '../../packages/core/src/condition/metered.ts'
import { openedByMissing } from '../../packages/core/src/condition/opens.ts'
import { seenBy } from '../../packages/core/src/condition/saw.ts'
import { below, boundBy } from '../../packages/core/src/condition/walk.ts'
import { hostileExpressions } from './hostile.ts'

/** By the variable the test knows that it has time; else a sample is played. */
const isLong = process.env.STATEWRIGHT_TEST_LONG !== undefined

const names = [
  'args',
  'facts',
  'marks',
  'result',
  'item',
  'task',
  'files',
  'shell',
  'x',
  'y',
  'zzz',
]
const scopes = ['call', 'attached', 'guard', 'result'] as const

const leaf = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom('args.a', 'args.list', 'facts.map[args.a]', 'result.rows', 'args["k"].b'),
  fc.integer({ min: -3, max: 2000 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 9 }).map((one) => one.toFixed(2)),
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'false', 'null', '[]', '{}', '[1, 2]', '{"a": 1}', '1u', 'b"a"'),
)

/** Expressions that mostly parse, and that mostly fit the profile. */
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    leaf,
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('&&', '||', '==', '!=', '<', '<=', '>', '+', '-', '*', '/', '%', 'in'),
        tie('any'),
      )
      .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    tie('any').map((one) => `!(${one})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('all', 'exists', 'exists_one', 'filter', 'map'),
        fc.constantFrom('x', 'y'),
        tie('any'),
      )
      .map(([on, macro, name, body]) => `(${on}).${macro}(${name}, ${body})`),
    fc
      .tuple(
        fc.constantFrom('size', 'has', 'string', 'int', 'double', 'json', 'host', 'sum', 'type'),
        tie('any'),
      )
      .map(([name, given]) => `${name}(${given})`),
    fc
      .tuple(fc.constantFrom('glob', 'mentions'), tie('any'), tie('any'))
      .map(([name, one, other]) => `${name}(${one}, ${other})`),
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('contains', 'startsWith', 'endsWith', 'matches'),
        tie('any'),
      )
      .map(([on, name, given]) => `(${on}).${name}(${given})`),
    fc
      .tuple(tie('any'), fc.constantFrom('lowerAscii', 'trim', 'size'))
      .map(([on, name]) => `(${on}).${name}()`),
    fc.tuple(tie('any'), tie('any')).map(([on, index]) => `(${on})[${index}]`),
    fc.array(tie('any'), { maxLength: 3 }).map((list) => `[${list.join(', ')}]`),
  ),
})).any

const list = Array.from({ length: 40 }, (_, index) => index % 7)
const values = {
  args: { a: 'k', list, k: { b: 1 } },
  facts: { map: { k: 5 } },
  marks: { m: true },
  result: { rows: list.map((id) => ({ id })), text: '{"a":1}' },
  item: { id: 1 },
  task: 'write to bob@example.com',
  files: [{ path: 'a', added: 1 }],
  shell: {},
}

/** Everything that may be asked of an expression; none of it throws. */
function ask(text: string): readonly unknown[] {
  return scopes.map((scope) => {
    const condition = compileCondition(text, 'x', scope)
    const known = holds(condition, values)
    const ways = (['by_true', 'by_false'] as const).map((opens) =>
      openedByMissing(condition.expression.ast, opens),
    )
    return [conditionFault(text, scope), triggerScope(text), known, seenBy(condition, values), ways]
  })
}

describe('FC-6, FC-12: expressions of any kind', () => {
  it('FC-12: thousands that were made at random neither throw nor take long', () => {
    fc.assert(
      fc.property(expression, (text) => {
        expect(ask(text)).toHaveLength(scopes.length)
      }),
      { numRuns: isLong ? 10_000 : 2000, seed: 18 },
    )
  }, 90_000)

  it('FC-12: what counts the costs leaves an expression as it is', () => {
    let compared = 0
    fc.assert(
      fc.property(expression, (text) => {
        const parsed = parseExpression(text)
        if (!parsed.ok) return
        const counted = parseExpression(metered(text, parsed.value.ast))
        if (!counted.ok || counted.value.ast.input === text) return
        compared += 1
        expect(shapeOf(counted.value.ast)).toEqual(shapeOf(parsed.value.ast))
      }),
      { numRuns: 2000, seed: 44 },
    )
    expect(compared).toBeGreaterThan(50)
  }, 90_000)

  it('FC-12: a thousand hostile ones neither throw nor take long', () => {
    const hostile = hostileExpressions(1000)
    expect(hostile).toHaveLength(1000)
    for (const text of hostile) expect(ask(text)).toHaveLength(scopes.length)
  }, 90_000)
})

const wrappers: ReadonlySet<string> = new Set(['weigh_', 'known_', 'key_', 'order_'])

/** The tree without places, and without what counts its costs. */
function shapeOf(node: Node): unknown {
  const isOurs = node.op === 'call' && wrappers.has(node.args[0])
  if (isOurs) return below(node).map(shapeOf)[0]
  if (node.op === 'call' && node.args[0] === 'in_')
    return ['in', '', '', ...below(node).map(shapeOf)]
  if (node.op === '?:') {
    const [test, yes] = node.args
    if (test.op === 'call' && test.args[0] === 'step_') return shapeOf(yes)
  }
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0].replace(/_$/, '') : ''
  const own = node.op === 'value' || node.op === 'id' ? String(node.args) : name
  const field = node.op === '.' ? node.args[1] : (boundBy(node) ?? '')
  return [node.op, own, field, ...below(node).map(shapeOf)]
}
