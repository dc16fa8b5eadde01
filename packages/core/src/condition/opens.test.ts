import { expect, test } from 'vitest'
import { parseExpression } from './cel.ts'
import { openedByMissing } from './opens.ts'

/** The part of a `require` that opens while a fact is missing; null where none does. */
function opened(text: string): string | null {
  const parsed = parseExpression(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  const node = openedByMissing(parsed.value.ast, 'by_true')
  return node === undefined ? null : text.slice(node.start, node.end)
}

const table: readonly (readonly [text: string, part: string | null])[] = [
  ['args.id in facts.orders', null],
  ['!(args.id in facts.orders)', 'args.id in facts.orders'],
  ['facts.orders.all(id, facts.orders[id].open)', 'facts.orders.all(id, facts.orders[id].open)'],
  ['size(facts.orders) < 3', 'size(facts.orders)'],
  ['!has(facts.orders.a)', 'has(facts.orders.a)'],
  // What was kept for one key is there as a whole, or the condition has no value and closes.
  ['facts.orders[args.id].items.all(i, i in args.items)', null],
  ['!(args.card in facts.orders[args.id].cards)', null],
  ['size(facts.orders[args.id].items) < 3', null],
  ['facts.orders[args.id].items == []', null],
  // A comparison with nothing asks whether a fact is missing, if it is one that is compared.
  ['facts.orders == {}', 'facts.orders == {}'],
  ['[] != facts.orders.filter(id, id != "a")', '[] != facts.orders.filter(id, id != "a")'],
  [
    'args.ids.filter(id, id in facts.orders) == []',
    'args.ids.filter(id, id in facts.orders) == []',
  ],
  ['shell.hosts == []', null],
  ['args.labels != {} && args.id in facts.orders', null],
  ['shell.hosts == [] || size(facts.orders) == 0', 'size(facts.orders)'],
]

test.each(table)('FC-6: what a missing fact would open in %s is %s', (text, part) => {
  expect(opened(text)).toBe(part)
})
