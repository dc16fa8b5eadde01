import { describe, expect, test } from 'vitest'
import { citationsOf, coverageFaults } from './citations.ts'
import { readRules } from './spec-rules.ts'
import { parse } from './syntax.ts'
import { isSource, isTest, readTree, shown } from './tree.ts'

const tree = readTree()
const rulebook = readRules(tree.filter((file) => file.path.startsWith('docs/spec/')))
const citations = tree
  .filter((file) => isSource(file.path) && isTest(file.path))
  // The tests of this folder cite made-up rules.
  .filter((file) => !file.path.startsWith('test/tidy/'))
  .map(parse)
  .flatMap(citationsOf)

describe('the tree', () => {
  test('every rule has one place and one status', () => {
    expect(rulebook.rules.size).toBeGreaterThan(100)
    expect(shown(rulebook.complaints)).toEqual([])
  })

  test('every built rule is cited by a test, and every cited rule exists', () => {
    expect(shown(coverageFaults(rulebook, citations))).toEqual([])
  })
})

describe('the rules are read from their files', () => {
  const head = '| built | WF-1…WF-3, WF-5a |\n| planned | WF-5, SE-* |\n'
  const read = (body: string, top = head) => readRules([{ path: 'r.md', text: `${top}${body}` }])

  test('with ranges, letters and single ids', () => {
    const { rules } = read('- **WF-2** x\n- **WF-2a** x\n- **WF-5** x\n- **WF-5a** x\n')
    const statuses = [...rules.values()].map((rule) => `${rule.id} ${rule.status}`)
    expect(statuses).toEqual(['WF-2 built', 'WF-2a built', 'WF-5 planned', 'WF-5a built'])
  })

  test.each([
    [
      'a rule without a status',
      '- **WF-1** x\n- **WF-5a** x\n- **WF-9** x\n',
      'WF-9 has no status',
    ],
    ['a rule told twice', '- **WF-1** x\n- **WF-1** y\n- **WF-5a** x\n', 'WF-1 is defined twice'],
    ['a range without rules', '- **WF-1** x\n', 'no rule lies in WF-5'],
  ])('%s is found', (_, body, message) => {
    expect(shown(read(body).complaints).join('\n')).toContain(message)
  })

  test('a rule with two statuses has none', () => {
    const { complaints } = read('- **WF-1** x\n', '| built | WF-1 |\n| planned | WF-1…WF-2 |\n')
    expect(shown(complaints)).toEqual(['r.md:3 WF-1 has no status'])
  })
})

describe('citations are read from the names of tests', () => {
  const cited = (text: string) =>
    citationsOf(parse({ path: 'a.test.ts', text })).map((one) => one.id)

  test.each([
    ['one id', "test('WF-1: a', () => {})", ['WF-1']],
    ['several ids', "it('WF-1, PO-2a: a', () => {})", ['WF-1', 'PO-2a']],
    ['a group of tests', "describe('SH-4: a', () => {})", ['SH-4']],
    ['an id after the colon', "test('WF-1: unlike WF-2', () => {})", ['WF-1']],
    ['a table', "test.each([['WF-7', 1]])('%s: a', () => {})", ['WF-7']],
    ['a named table', "const t = rows('WF-8  x')\ntest.each(t)('$rule: a', () => {})", ['WF-8']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of the test read.
    ['a loop', "for (const [id] of [['WF-9']]) test(`${id}: a`, () => {})", ['WF-9']],
    ['a table beside a fixed name', "test.each(['WF-7'])('WF-1: %s', () => {})", ['WF-1']],
    ['a skipped test', "test.skip('WF-1: a', () => {})", []],
    ['a test in a skipped group', "describe.skip('a', () => { test('WF-1: a', f) })", []],
    ['a promised test', "test.todo('WF-1: a')", []],
    ['a comment', "// WF-1: a\nexpect('WF-2: a')", []],
  ])('%s', (_, text, ids) => {
    expect(cited(text)).toEqual(ids)
  })

  test('a built rule without a test and an id without a rule are found', () => {
    const text =
      '| built | WF-1…WF-2 |\n| planned | WF-3 |\n- **WF-1** x\n- **WF-2** x\n- **WF-3** x'
    const rules = readRules([{ path: 'r.md', text }])
    const names = parse({ path: 'a.test.ts', text: "test('WF-1, WF-4: a', () => {})" })
    expect(shown(coverageFaults(rules, citationsOf(names)))).toEqual([
      'r.md:4 WF-2 is cited by no test',
      'a.test.ts:1 WF-4 is no rule of docs/spec',
    ])
  })
})
