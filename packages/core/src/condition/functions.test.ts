import { describe, expect, it } from 'vitest'
import { compileCondition, conditionFault, expressionValue, holds } from './condition.ts'
import { mentions } from './mentions.ts'

const value = (text: string, args: Readonly<Record<string, unknown>> = {}) =>
  expressionValue(compileCondition(text, '', 'call'), { args })

describe('FC-12: host', () => {
  it.each([
    ['https://docs.example.com', 'docs.example.com'],
    ['HTTP://Docs.Example.COM:8080/a?b#c', 'docs.example.com'],
    ['https://10.0.0.1/x', '10.0.0.1'],
    ['https://a.com/@evil.org', 'a.com'],
    ['http://localhost', 'localhost'],
  ])('%s', (url, host) => {
    expect(value('host(args.url)', { url })).toBe(host)
  })

  it.each([
    ['https://docs.example.com@evil.org/'],
    ['https://docs.example.com:80@evil.org/'],
    ['https://docs.example.com\\@evil.org/'],
    ['https://evil.org\\.docs.example.com/'],
    ['https://evil.org#@docs.example.com/'],
    ['https://docs.example.com?@evil.org/'],
    ['https://docs.example.com./'],
    ['https://docs..example.com/'],
    ['https://.example.com/'],
    ['https://-example.com/'],
    ['https:/docs.example.com/'],
    ['https:docs.example.com/'],
    ['//docs.example.com/'],
    [' https://docs.example.com/'],
    ['https://docs.example.com\n.evil.org/'],
    ['https://docs\t.example.com/'],
    ['https://docs.example.com\u0000.evil.org'],
    ['https://doсs.example.com/'],
    ['https://docs。example.com/'],
    ['https://127.1/'],
    ['https://2130706433/'],
    ['https://0x7f000001/'],
    ['https://0177.0.0.1/'],
    ['https://127.0.0.1./'],
    ['https://[::1]/'],
    ['ftp://docs.example.com/'],
    ['javascript://docs.example.com/%0aalert(1)'],
    [''],
  ])('has no value for %j, which two programs could read differently', (url) => {
    expect(value('host(args.url)', { url })).toBeUndefined()
  })
})

describe('FC-11: mentions', () => {
  it.each([
    ['Write to bob@example.com.', 'bob@example.com'],
    ['Write to BOB@EXAMPLE.COM, please', 'bob@example.com'],
    ["Read Bob's calendar", 'Bob'],
    ["mail bob@example.com's owner", 'bob@example.com'],
    ['(bob@example.com)', 'bob@example.com'],
    ["'bob@example.com'", 'bob@example.com'],
    ['pay 100, then stop', '100'],
    ['pay 100.', '100'],
    ['GRÜẞE an Jürgen', 'jÜrgen'],
    ['for anna and bob', ' bob '],
  ])('%j has %j', (text, words) => {
    expect(mentions(text, words)).toBe(true)
  })

  it.each([
    ['Write to bob@example.com', 'example.com'],
    ['Write to bob@example.com', 'bob'],
    ['Write to bob@example.com', 'ob@example.com'],
    ['Write to bob@example.com', 'bob@example.co'],
    ['Write to bob@example.com.evil.org', 'bob@example.com'],
    ["Write to o'brien@example.com", 'brien@example.com'],
    ['Write to kate@example.com', '\u212aate@example.com'],
    ['pay 1,100', '100'],
    ['pay 1,100', '1'],
    ["pay 1'100", '100'],
    ['pay 1.100', '100'],
    ['pay 100.50', '100'],
    ['open C:\\dir\\file.txt', 'file.txt'],
    ['open src/a.ts', 'a.ts'],
    ['anything', ''],
    ['anything', '  '],
    ['', 'x'],
  ])('%j does not have %j', (text, words) => {
    expect(mentions(text, words)).toBe(false)
  })
})

describe('FC-12: glob', () => {
  it.each([
    ['src/a.ts', 'src/**', true],
    ['./src/a.ts', 'src/**', true],
    ['src//a.ts', 'src/**', true],
    ['src/./a.ts', 'src/*.ts', true],
    ['lib/a.ts', 'src/**', false],
    ['/etc/passwd', 'src/**', false],
    ['.env', '**/.env*', true],
    ['a/b/.env.local', '**/.env*', true],
  ])('%j against %j', (path, pattern, expected) => {
    expect(value('glob(args.path, args.pattern)', { path, pattern })).toBe(expected)
  })

  it.each(['src/../../etc/passwd', '..', 'src/..', 'a\\..\\b'])(
    'has no value for %j, which climbs',
    (path) => {
      expect(value('glob(args.path, "src/**")', { path })).toBeUndefined()
      expect(value('!glob(args.path, "src/**")', { path })).toBeUndefined()
    },
  )

  it.each(['secrets/', '!secrets/**', '../x', '{a', ''])('%j is no pattern', (pattern) => {
    expect(value('!glob(args.path, args.pattern)', { path: 'secrets/key', pattern })).toBe(
      undefined,
    )
    expect(conditionFault(`!glob(args.path, "${pattern}")`, 'call')?.message).toContain(
      'the pattern cannot be used',
    )
  })
})

describe('FC-12: json, sum and letters', () => {
  it.each([
    ['json(args.text).a == 1', { text: '{"a":1}' }, true],
    ['json(args.text).a == 1', { text: '{"a":1' }, 'unknown'],
    ['json(args.text) == []', { text: `[${'0,'.repeat(1001)}0]` }, 'unknown'],
    ['json(args.text) == []', { text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 'unknown'],
    ['sum(args.list) == 6', { list: [1, 2, 3] }, true],
    ['sum(args.list) == 0', { list: [] }, true],
    ['sum(args.list) == 3', { list: [1, '2'] }, 'unknown'],
    ['args.text.lowerAscii() == "k"', { text: '\u212a' }, false],
    ['args.text.lowerAscii() == "k"', { text: 'K' }, true],
    ['args.text.upperAscii() == "S"', { text: '\u017f' }, false],
  ])('%s', (text, args, expected) => {
    expect(holds(compileCondition(text, '', 'call'), { args })).toBe(expected)
  })
})

describe('FC-12: what an expression costs is bounded', () => {
  const l = Array.from({ length: 1000 }, (_, index) => index)
  const s = 'x'.repeat(8000)
  it.each([
    ['args.l.all(a, args.l.all(b, a in args.l))'],
    ['args.l.map(a, args.l.map(b, args.l + args.l)).size() == 1000'],
    ['args.l.exists(a, args.l.exists(b, args.missing == 1))'],
    ['args.l.all(a, args.l.all(b, args.l == args.l))'],
    ['args.l.all(a, args.l.all(b, !args.s.contains("y")))'],
    ['args.l.all(a, args.l.all(b, !glob(args.s, "**/*y*")))'],
    [`[args.l].map(x, ${Array(90).fill('x').join(' + ')}).size() == 1`],
    [`[args.s].map(x, [${Array(60).fill('x + x').join(', ')}].map(y, y + y + y)).size() == 1`],
  ])('has no value past its bound, or one at once: %s', (text) => {
    expect(holds(compileCondition(text, '', 'call'), { args: { l, s } })).not.toBe(false)
  })

  it('counts anew for each expression', () => {
    const dear = compileCondition('args.l.all(a, args.l.all(b, a in args.l))', '', 'call')
    const cheap = compileCondition('args.l.all(a, a >= 0)', '', 'call')
    expect(holds(dear, { args: { l } })).toBe('unknown')
    expect(holds(cheap, { args: { l } })).toBe(true)
  })
})
