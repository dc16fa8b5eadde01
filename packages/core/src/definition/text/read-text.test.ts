import { describe, expect, test } from 'vitest'
import { limits } from '../../base/limits.ts'
import { readPlainValue } from './plain-value.ts'
import { readDefinitionText } from './read-text.ts'

/** The value and the findings as `line:column code`. */
function read(text: string, format?: 'json' | 'yaml') {
  const source = readDefinitionText(text, format === undefined ? {} : { format })
  const findings = source.findings.map((one) => `${one.line}:${one.column} ${one.code}`)
  return { value: source.value, findings }
}

describe('JSON', () => {
  test('WF-1: members keep the order in which they were written', () => {
    const { value, findings } = read('{"b": 1, "a": {"z": [true, null], "y": "x"}}')
    expect(findings).toEqual([])
    expect(JSON.stringify(value)).toBe('{"b":1,"a":{"z":[true,null],"y":"x"}}')
  })

  test.each([
    ['a comment', '{\n  "a": 1 // one\n}', '2:10 syntax'],
    ['a comma left over', '{"a": 1,\n}', '2:1 syntax'],
    ['a comma left over in a list', '["a",]', '1:6 syntax'],
    ['single quotes', "{'a': 1}", '1:2 syntax'],
    ['a missing colon', '{"a" 1}', '1:6 syntax'],
    ['a missing comma', '{"a": 1 "b": 2}', '1:9 syntax'],
    ['an open object', '{"a": 1', '1:8 syntax'],
    ['an open text', '{"a": "1\n}', '1:7 syntax'],
    ['a second value', '{} {}', '1:4 syntax'],
    ['a control character in a text', '{"a": "\u0007"}', '1:7 syntax'],
    ['a wrong escape', '{"a": "\\q"}', '1:7 syntax'],
    ['an unfinished number', '{"a": 1.}', '1:7 syntax'],
    ['a bare word', '{"a": yes}', '1:7 syntax'],
    ['a name twice', '{\n  "a": 1,\n  "a": 2\n}', '3:3 duplicate_key'],
    ['__proto__ as a name', '{"a": {"__proto__": {}}}', '1:8 reserved_name'],
    ['a number without end', '{"a": 1e999}', '1:7 wrong_value'],
    ['half a character', '{"a": "\\ud800"}', '1:7 wrong_value'],
  ])('WF-2: %s is found at its place', (_, text, finding) => {
    expect(read(text, 'json').findings).toEqual([finding])
  })

  test('WF-2: __proto__ never reaches the prototype', () => {
    const { value } = read('{"__proto__": {"polluted": true}, "a": 1}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value).toEqual({ a: 1 })
  })

  test('WF-1: nesting ends at the limit', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(read(nested(limits.definitionDepth)).findings).toEqual([])
    const deeper = `1:${limits.definitionDepth + 1} too_deep`
    expect(read(nested(limits.definitionDepth + 1)).findings).toEqual([deeper])
  })

  test('WF-1: brackets inside texts do not count as nesting', () => {
    expect(read(`{"a": "${'\\"[{'.repeat(100)}"}`).findings).toEqual([])
  })
})

describe('YAML', () => {
  test('WF-1a: on, yes, no and off are text, as in YAML 1.2', () => {
    const { value, findings } = read('on:\n  yes: no\n  off: "1"\n  n: [true, ~, 3, 0x1F]\n')
    expect(findings).toEqual([])
    expect(value).toEqual({ on: { yes: 'no', off: '1', n: [true, null, 3, 31] } })
  })

  test('WF-1: an alias stands for the value of its anchor', () => {
    const { value, findings } = read('a: &tools [Read, Grep]\nb: *tools\n')
    expect(findings).toEqual([])
    expect(value).toEqual({ a: ['Read', 'Grep'], b: ['Read', 'Grep'] })
  })

  test.each([
    ['a name twice', 'a: 1\nb: 2\na: 3\n', '3:1 duplicate_key'],
    ['__proto__ as a name', 'a:\n  __proto__: 1\n', '2:3 reserved_name'],
    ['a number as a name', 'a: 1\n1: 2\n', '2:1 unsupported_yaml'],
    ['a list as a name', '? [a, b]\n: 1\n', '1:3 unsupported_yaml'],
    ['a merge key', 'a: &a {b: 1}\nc:\n  <<: *a\n', '3:3 unsupported_yaml'],
    ['a tag', 'a: !!str 1\n', '1:10 unsupported_yaml'],
    ['a tag of its own', 'a: !secret x\n', '1:12 unsupported_yaml'],
    ['a second document', 'a: 1\n---\nb: 2\n', '2:1 unsupported_yaml'],
    ['another version of YAML', '%YAML 1.1\n---\non: yes\n', '1:1 unsupported_yaml'],
    ['a number without end', 'a: .inf\n', '1:4 wrong_value'],
    ['an unknown alias', 'a: *b\n', '1:4 syntax'],
    ['an alias inside its anchor', 'a: &a\n  b: *a\n', '2:6 alias_cycle'],
    ['a list that contains itself', 'a: &a [*a]\n', '1:8 alias_cycle'],
    ['bad indentation', 'a:\n  b: 1\n c: 2\n', '3:1 syntax'],
    ['a tab as indentation', 'a:\n\tb: 1\n', '2:1 syntax'],
    ['an open bracket', 'a: [1\n', '2:1 syntax'],
  ])('WF-2: %s is found at its place', (_, text, finding) => {
    expect(read(text, 'yaml').findings).toEqual([finding])
  })

  test('WF-1: aliases are followed up to the limit', () => {
    const followed = (count: number) => `a: &a 1\nb: [${'*a, '.repeat(count)}]\n`
    expect(read(followed(limits.yamlAliases)).findings).toEqual([])
    const codes = read(followed(limits.yamlAliases + 1)).findings.map((one) => one.split(' ')[1])
    expect(codes).toEqual(['too_many_aliases'])
  })

  test('WF-1: aliases of aliases cannot unfold into a large value', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level++) {
      lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`)
    }
    const text = lines.join('\n')
    // Unfolded it has more than three hundred million entries, which no test would live to see.
    expect(read(text).findings.map((one) => one.split(' ')[1])).toEqual(['too_many_aliases'])
  })

  test('WF-1: a few aliases of a large value cannot unfold into a huge one', () => {
    const large = `a: &a [${'1, '.repeat(20_000)}]\nb: [${'*a, '.repeat(100)}]\n`
    expect(read(large).findings.map((one) => one.split(' ')[1])).toEqual(['too_large'])
  })

  test('WF-1: a flow and a block of the same depth are both bounded', () => {
    const flow = (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`
    expect(read(flow(limits.definitionDepth - 1)).findings).toEqual([])
    expect(read(flow(limits.definitionDepth + 1)).findings.map((one) => one.slice(-8))).toEqual([
      'too_deep',
    ])
    const block = `${'- '.repeat(limits.definitionDepth + 1)}a\n`
    expect(read(block).findings.map((one) => one.slice(-8))).toEqual(['too_deep'])
  })
})

describe('any text', () => {
  test.each([
    ['{', 'json'],
    ['  [', 'json'],
    ['\n"', 'json'],
    ['a: {', 'yaml'],
    ['# {', 'yaml'],
  ])('WF-1: %j is read as %s', (text, format) => {
    const { findings } = readDefinitionText(text)
    const named = readDefinitionText(text, { format: format === 'json' ? 'json' : 'yaml' })
    expect(findings).toEqual(named.findings)
  })

  test('WF-1: a byte order mark is passed over', () => {
    expect(read('\uFEFF{"a": 1}')).toEqual({ value: { a: 1 }, findings: [] })
  })

  test.each([
    ['nothing', '', 'syntax'],
    ['blanks', ' \n\t\n', 'syntax'],
    ['a binary', 'PK\u0003\u0004\0\0', 'not_text'],
    ['one byte too many', ' '.repeat(limits.definitionBytes + 1), 'too_large'],
    ['fifty megabytes', 'x'.repeat(50_000_000), 'too_large'],
    ['a megabyte of brackets', '['.repeat(1_000_000), 'too_deep'],
    ['a megabyte of braces', '}'.repeat(1_000_000), 'syntax'],
    ['a megabyte of dashes', '- '.repeat(500_000), 'too_deep'],
    ['a megabyte of question marks', '? '.repeat(500_000), 'too_deep'],
    ['a megabyte of lines', 'a\n'.repeat(10) + '\n'.repeat(1_000_000), 'too_large'],
    ['a megabyte of members', 'a:\n'.repeat(300_000), 'too_large'],
  ])('WF-1: %s gives one clear finding', (_, text, code) => {
    expect(readDefinitionText(text).findings.map((one) => one.code)).toEqual([code])
  })
})

describe('a value from a program', () => {
  const codesOf = (value: unknown) => readPlainValue(value).findings.map((one) => one.code)

  test('WF-2: is copied, without its undefined members', () => {
    const given = { a: [1, { b: undefined, c: 'x' }] }
    const { value, findings } = readPlainValue(given)
    expect(findings).toEqual([])
    expect(value).toEqual({ a: [1, { c: 'x' }] })
    given.a.push(2)
    expect(value).toEqual({ a: [1, { c: 'x' }] })
  })

  test('WF-2: a getter is read once', () => {
    let reads = 0
    const given = {
      get a() {
        return ++reads
      },
    }
    expect(readPlainValue(given).value).toEqual({ a: 1 })
    expect(reads).toBe(1)
  })

  test('WF-2: what JSON cannot hold is refused', () => {
    expect(codesOf({ a: new Date(0) })).toEqual(['wrong_type'])
    expect(codesOf({ a: new Map() })).toEqual(['wrong_type'])
    expect(codesOf({ a: () => 1 })).toEqual(['wrong_type'])
    expect(codesOf({ a: 1n })).toEqual(['wrong_type'])
    expect(codesOf({ a: new Array(1) })).toEqual(['wrong_type'])
    expect(codesOf({ a: Number.NaN })).toEqual(['wrong_value'])
    expect(codesOf(JSON.parse('{"a": {"__proto__": 1}}'))).toEqual(['reserved_name'])
  })

  test('WF-1: a value that contains itself, or the same part very often, is refused', () => {
    const self: Record<string, unknown> = {}
    self.self = self
    expect(codesOf(self)).toEqual(['too_deep'])
    let shared: unknown = 'x'
    for (let level = 0; level < 40; level++) shared = [shared, shared]
    expect(codesOf(shared)).toEqual(['too_large'])
    expect(codesOf({ a: 'x'.repeat(limits.definitionBytes) })).toEqual(['too_large'])
  })
})

describe('places', () => {
  const json = '{\n  "a": {\n    "b": [1, {"c": 2}],\n    "d": "e"\n  }\n}\n'
  const yaml = 'a:\n  b: [1, {c: 2}]\n  d: e\n'
  test.each([
    ['json', json, ['a', 'd'], 'value', 4, 10],
    ['json', json, ['a', 'd'], 'key', 4, 5],
    ['json', json, ['a'], 'value', 2, 3],
    ['json', json, ['a', 'b', 1], 'value', 3, 14],
    ['json', json, ['a', 'b', 1, 'c'], 'value', 3, 20],
    ['json', json, ['a', 'gone'], 'value', 2, 3],
    ['json', json, ['gone'], 'value', 1, 1],
    ['yaml', yaml, ['a', 'd'], 'value', 3, 6],
    ['yaml', yaml, ['a', 'd'], 'key', 3, 3],
    ['yaml', yaml, ['a'], 'value', 1, 1],
    ['yaml', yaml, ['a', 'b', 1], 'value', 2, 10],
    ['yaml', yaml, ['a', 'b', 1, 'c'], 'value', 2, 14],
    ['yaml', yaml, ['a', 'gone'], 'value', 1, 1],
  ] as const)('WF-3: %s %j %j %s stands at %i:%i', (_, text, path, part, line, column) => {
    expect(readDefinitionText(text).locate(path, part)).toEqual({ line, column })
  })

  test('WF-3: a place behind an alias is where the anchor was written', () => {
    const source = readDefinitionText('a: &a\n  b: 1\nc: *a\n')
    expect(source.locate(['c', 'b'], 'value')).toEqual({ line: 2, column: 6 })
  })
})
