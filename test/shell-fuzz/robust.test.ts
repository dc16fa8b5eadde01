import { analyzeArgv, analyzeShell, judgeShell } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { newRandom, type Random } from '../../packages/server/testing/random.ts'
import { generateLine } from './generate.ts'
import { mutateLine } from './mutate.ts'
import { openRules } from './rules.ts'

const boundMs = 50
const count = lengthOf({ sample: 2000, long: 200_000 })
const seed = seedOf(7)
/** The first reading of a form compiles what reads it, so a slow one is measured again. */
const tries = 5

const restricting = [
  { ...openRules, readOnly: true },
  { ...openRules, allowedCommands: [['ls']] },
  { ...openRules, onlyReading: true },
  { ...openRules, blockedEnv: ['SECRET'] },
]

/** Analyses and judges a text, and answers how long that took at its quickest. */
function timed(text: string): { ms: number; decisions: string[] } {
  let ms = Number.POSITIVE_INFINITY
  let decisions: string[] = []
  for (let attempt = 0; attempt < tries && ms > boundMs / 2; attempt++) {
    const start = processorMs()
    const findings = analyzeShell(text)
    decisions = restricting.map((rules) => judgeShell(findings, rules).decision)
    ms = Math.min(ms, processorMs() - start)
  }
  return { ms, decisions }
}

/** Time of this thread alone: a busy machine may stop us at any moment. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function randomBytes(random: Random): string {
  const bytes = new Uint8Array(random.below(random.chance(0.1) ? 2000 : 120))
  for (let index = 0; index < bytes.length; index++) bytes[index] = random.below(256)
  return Buffer.from(bytes).toString(random.chance(0.5) ? 'latin1' : 'utf8')
}

const syntax = '\'"`$(){}[]<>|&;\n\\#! \t=*~?:@%+-,ab1'

function randomSyntax(random: Random): string {
  let text = ''
  for (let left = random.below(200); left > 0; left--) text += syntax[random.below(syntax.length)]
  return text
}

describe('hostile text', () => {
  test.each([
    ['bytes', randomBytes],
    ['signs of the shell', randomSyntax],
    ['mutated lines', (random: Random) => mutateLine(generateLine(random), '$((`{', random)],
  ])(
    'SH-13: strings of random %s are answered in time, without an exception',
    (_, make) => {
      const random = newRandom(seed)
      const times: number[] = []
      for (let made = 0; made < count; made++) {
        const text = make(random)
        const { ms } = timed(text)
        times.push(ms)
        if (ms > boundMs) throw new Error(`${ms} ms for ${JSON.stringify(text)} of seed ${seed}`)
      }
      times.sort((one, two) => one - two)
      expect(times[count / 2]).toBeLessThan(boundMs / 10)
    },
    longestMs,
  )

  const openers = [
    '(',
    ')',
    '{ ',
    '{',
    '}',
    '[',
    ']',
    '[[ ',
    '((',
    '$(',
    '$((',
    '${',
    '${x:-',
    '`',
    '"',
    "'",
    '"$(',
    '<(',
    'if ',
    'while ',
    'case x in x) ',
    'f() { ',
    '! ',
    '$[',
    'a[',
    '${a[',
    '{a,',
    '<<E\n',
    'eval ',
    'env ',
    "$'",
    '@(',
    '\\',
    'a=(',
    '[[ ( ',
    '((a?',
    'time ',
    '$((a[',
    'coproc ',
    'for x in a; do ',
    'function f ',
    '&& ',
    '| ',
    '; ',
    '< ',
    '<<< ',
    '#',
    '$',
    '"${x:-',
    'x=$',
    '-',
    '=',
    '{a..b}',
    '*',
    '\n',
    '\u0000',
    '\ud800',
    'a|',
    'a&',
    'bash -c ',
    'xargs ',
    'echo $',
    '(a|',
    '$(<',
    '>&',
  ]
  const depths = [101, 1000, 10_000]
  test.each(openers)(
    'SH-13: %j nested and repeated is answered in time',
    (opener) => {
      for (const depth of depths) {
        const closer = [...opener].map(closing).reverse().join('')
        for (const text of [opener.repeat(depth), opener.repeat(depth) + closer.repeat(depth)]) {
          for (const line of [text, `echo ${text}`, `echo "${text}"`, `x=${text}`]) {
            const { ms } = timed(line)
            if (ms > boundMs) throw new Error(`${ms} ms for ${depth} of ${JSON.stringify(opener)}`)
          }
        }
      }
    },
    60_000,
  )

  test.each(['$(', '(', '{ ', '`', '"$(', '${x:-', 'if ', '<(', '(('])(
    'SH-13: %j nested over 100 deep is denied by every rule',
    (opener) => {
      const closer = [...opener].map(closing).reverse().join('')
      const text = `${opener.repeat(200)}ls${closer.repeat(200)}`
      expect(timed(text).decisions).toEqual(restricting.map(() => 'deny'))
    },
  )

  test('SH-13: 64 kB is looked at, more is denied', () => {
    const limit = 64 * 1024
    const atLimit = `ls ${'a'.repeat(limit - 3)}`
    expect(timed(atLimit).decisions[0]).toBe('allow')
    for (const text of [`${atLimit}a`, 'ls '.repeat(100_000), `ls;${'\n'.repeat(1_000_000)}`]) {
      const { ms, decisions } = timed(text)
      expect(decisions).toEqual(restricting.map(() => 'deny'))
      expect(ms).toBeLessThan(boundMs)
    }
  })

  test('SH-13: 64 kB counts bytes, not characters', () => {
    const text = `ls ${'é'.repeat(40 * 1024)}`
    expect(timed(text).decisions).toEqual(restricting.map(() => 'deny'))
  })

  test.each(['ls\0', '\0', 'ls "\0"', "ls '$(\0rm f)'", 'cat <<E\n\0\nE\n'])(
    'SH-1: %j with its NUL byte is denied by every rule',
    (text) => {
      expect(timed(text).decisions).toEqual(restricting.map(() => 'deny'))
    },
  )

  test.each(['ls \ud800', '\udc00', 'ls "\ud83d', "ls $'\\ud800'", 'ls \ud800$(rm f)'])(
    'SH-1: lone surrogates in %j are no exception',
    (text) => {
      const findings = analyzeShell(text)
      expect(findings.command).toBe(text)
      expect(findings.commands.length + findings.unknowns.length).toBeGreaterThan(0)
    },
  )

  test('SH-13: a list of words is bounded like a line', () => {
    for (const argv of [[], ['ls', 'a'.repeat(70_000)], Array(20_000).fill('ls'), ['l\0s']]) {
      const findings = analyzeArgv(argv)
      const decisions = restricting.map((rules) => judgeShell(findings, rules).decision)
      expect(decisions).toEqual(restricting.map(() => 'deny'))
    }
  })
})

function closing(char: string): string {
  const at = '([{<'.indexOf(char)
  if (at !== -1) return ')]}>'.charAt(at)
  return '"\'`'.includes(char) ? char : ''
}
