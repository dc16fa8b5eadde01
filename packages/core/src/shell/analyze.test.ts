import { describe, expect, test } from 'vitest'
import { growsLinearly } from '../base/growth.test-kit.ts'
import { analyzeArgv, analyzeShell } from './analyze.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'
import { compilePrograms } from './programs/table.ts'
import { isOnlyReading, isWholeSimpleCommand, visibleWrites } from './questions.ts'

const readOnly = { ...openRules, readOnly: true }

function part(command: string, at: { start: number; end: number }): string {
  return command.slice(at.start, at.end)
}

describe('findings', () => {
  test('SH-11: offsets name the part, also inside a nested shell', () => {
    const command = `ls && bash -c 'cat a; rm b'`
    const findings = analyzeShell(command)
    expect(findings.writes.map((each) => part(command, each))).toEqual(['b'])
    expect(findings.commands.map((each) => part(command, each))).toEqual([
      'ls',
      "bash -c 'cat a; rm b'",
      'cat a',
      'rm b',
    ])
  })

  test('SH-2: findings are plain data', () => {
    const findings = analyzeShell(`for f in *; do sed -n "$x" <(ls) > $f; done & env`)
    expect(JSON.parse(JSON.stringify(findings))).toEqual(findings)
  })

  test('SH-3: words are resolved, and computed ones are null', () => {
    const words = (command: string) => analyzeShell(command).commands.at(-1)?.words
    expect(words(`c=ls; $c 'a b' "$HOME" x{1,2}`)).toEqual(['ls', 'a b', null, 'x1', 'x2'])
    expect(words(String.raw`l\s $'a\tb' ""`)).toEqual(['ls', 'a\tb', ''])
  })

  test('SH-2: an argument list is judged like the command it is', () => {
    const findings = analyzeArgv(['bash', '-lc', 'echo x > f'])
    expect(judgeShell(findings, readOnly).decision).toBe('deny')
    expect(visibleWrites(findings)).toEqual(['f'])
    expect(judgeShell(analyzeArgv(['ls', '-l', '> f']), readOnly).decision).toBe('allow')
    expect(judgeShell(analyzeArgv([]), readOnly).decision).toBe('deny')
  })

  test('SH-5: an entry of the configuration comes first', () => {
    const programs = compilePrograms([
      { names: 'deploy', does: 'change', why: 'deploys', sub: { status: { does: 'read' } } },
    ])
    const decide = (command: string) =>
      judgeShell(analyzeShell(command, { programs }), readOnly).decision
    expect([decide('deploy now'), decide('deploy status')]).toEqual(['deny', 'allow'])
    expect(judgeShell(analyzeShell('deploy status'), readOnly).decision).toBe('contain')
  })
})

describe('questions', () => {
  test.each([
    ['npm test', true],
    ['"npm" test', true],
    ['npm test 2>&1', true],
    ['npm test || true', false],
    ['npm test | cat', false],
    ['npm test &', false],
    ['! npm test', false],
    ['CI=1 npm test', false],
    ['env npm test', false],
    ['npm test; true', false],
    ['(npm test)', false],
    ['npm test -- --version', false],
    ['npm() { true; }; npm test', false],
    ['npm test $(false)', false],
  ])('WF-31: %s proves npm test: %s', (command, proves) => {
    expect(isWholeSimpleCommand(analyzeShell(command), ['npm', 'test'])).toBe(proves)
  })

  test.each([
    ['cat f', true],
    ['sed -n 1,5p f | head', true],
    ['rg foo src', true],
    ['find . -name x', true],
    ['cd src && ls', true],
    ['./cat f', false],
    ['npm test', false],
    ['find . -delete', false],
    ['cat f > g', false],
    ['ls & ls', false],
    ['unknown f', false],
    ['PATH=x:$PATH cat f', false],
    ['', false],
  ])('SH-10: %s is only reading: %s', (command, expected) => {
    expect(isOnlyReading(analyzeShell(command))).toBe(expected)
  })

  test('SH-7: files that are visibly written are told once each', () => {
    const findings = analyzeShell('echo a > x; tee x y < z; sed -i s/a/b/ w; ls > /dev/null')
    expect(visibleWrites(findings)).toEqual(['x', 'y', 'w'])
  })
})

describe('bounds', () => {
  const denied = (command: string) =>
    judgeShell(analyzeShell(command), readOnly).decision === 'deny'

  test('SH-13: 64 kB is read and more is not', () => {
    const longest = 64 * 1024
    expect(denied(`echo ${'a'.repeat(longest - 5)}`)).toBe(false)
    expect(denied(`echo ${'a'.repeat(longest - 4)}`)).toBe(true)
  })

  test('SH-13: deep nesting and NUL bytes are denied', () => {
    expect(denied(`${'( '.repeat(50)}ls${' )'.repeat(50)}`)).toBe(false)
    expect(denied(`${'( '.repeat(120)}ls${' )'.repeat(120)}`)).toBe(true)
    expect(denied(`echo ${'$(echo '.repeat(120)}${')'.repeat(120)}`)).toBe(true)
    expect(denied(`echo $((${'('.repeat(120)}1${')'.repeat(120)}))`)).toBe(true)
    expect(denied('ls \0')).toBe(true)
  })

  test.each<[number, (times: number) => string]>([
    [30, (times) => `echo ${'{a,b}'.repeat(times)}`],
    [99_999_999, (times) => `echo {1..${times}}`],
    [12_000, (times) => 'x=a;'.repeat(times)],
    [80, (times) => `echo ${'"$('.repeat(times)}`],
    [60_000, (times) => '['.repeat(times)],
    [60_000, (times) => `echo ${'\\'.repeat(times)}`],
    [9000, (times) => `sed '${'s/a/b/;'.repeat(times)}' f`],
    [6000, (times) => `awk '${'{print $1}'.repeat(times)}' f`],
    [20_000, (times) => `node -e '${'a['.repeat(times)}'`],
    [7000, (times) => `python3 -c '${'import a;'.repeat(times)}'`],
    [20_000, (times) => `perl -e '${'$a='.repeat(times)}'`],
    [30_000, (times) => `ls ${'a '.repeat(times)}`],
  ])('SH-13: %i times what unfolds or repeats costs so many times as much', (times, write) => {
    expect(growsLinearly(process, times, (size) => analyzeShell(write(size)))).toBe(true)
  })

  test('SH-1: random text never throws', () => {
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff
      return seed % below
    }
    const pieces = [
      '$(',
      '`',
      '"',
      "'",
      '{',
      '}',
      '((',
      '))',
      ';',
      '|',
      '&',
      '<<E\n',
      '>',
      'rm x',
      ' ',
      '\\',
      '$',
      '[[',
      ']]',
      '\n',
      'a',
      '#',
      '=',
      '${',
      '/',
      '@',
    ]
    for (let round = 0; round < 10_000; round++) {
      let text = ''
      for (let length = next(24); length > 0; length--) {
        text += next(3) === 0 ? String.fromCharCode(next(256)) : (pieces[next(pieces.length)] ?? '')
      }
      analyzeShell(text)
    }
    expect(seed).not.toBe(7)
  })
})
