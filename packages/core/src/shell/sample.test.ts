import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { analyzeShell } from './analyze.ts'
import { splitCommandWords } from './command-words.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'
import type { ShellRules } from './rules.ts'

interface Case {
  readonly id: string
  readonly command: string
  readonly policy: {
    readonly mode?: string
    readonly allowed_commands?: readonly string[]
    readonly blocked_env?: readonly string[]
  }
  readonly expect: 'allow' | 'deny'
}

function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
}

function rulesOf(policy: Case['policy']): ShellRules {
  return {
    ...openRules,
    readOnly: policy.mode === 'read-only',
    allowedCommands: policy.allowed_commands?.map(splitCommandWords) ?? null,
    blockedEnv: policy.blocked_env ?? [],
  }
}

const decide = (command: string, rules: ShellRules) =>
  judgeShell(analyzeShell(command), rules).decision

describe('the sample of commands that were checked by running them', () => {
  const cases = fixture('sample.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)
  const judged = cases.map((each) => ({
    ...each,
    answer: decide(each.command, rulesOf(each.policy)),
  }))
  const harmless = judged.filter((each) => each.expect === 'allow')

  test('SH-6, SH-8, SH-9: nothing that must be denied is allowed as it is', () => {
    expect(cases.length).toBe(558)
    const passed = judged.filter((each) => each.expect === 'deny' && each.answer === 'allow')
    expect(passed.map((each) => each.id)).toEqual([])
  })

  test('SH-6, SH-8, SH-9: at most one in a hundred harmless commands is denied', () => {
    const denied = harmless.filter((each) => each.answer === 'deny')
    expect(denied.length / harmless.length).toBeLessThanOrEqual(0.01)
  })

  test('SH-6: nine of ten harmless commands run as they are, not contained', () => {
    const plain = harmless.filter((each) => each.answer === 'allow')
    expect(plain.length / harmless.length).toBeGreaterThanOrEqual(0.9)
  })
})

/** How the tables below name an answer. */
const answers: Readonly<Record<string, string>> = { A: 'allow', C: 'contain', D: 'deny' }

/** One command a line, a pilcrow for a line break, headings behind two hashes. */
function commands(name: string): string[] {
  return fixture(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('## '))
    .map((line) => line.replaceAll('¶', '\n'))
}

describe('commands of our own attack session', () => {
  const readOnly = { ...openRules, readOnly: true }
  const listed = [
    'pytest,npm test,grep,tail,find,xargs,env,timeout,awk,sed,node,git log,sh,tar'.split(','),
  ]
    .flat()
    .map(splitCommandWords)

  test.each([
    ['deny', 'read-only-denied.txt', 'what writes, or cannot be read'],
    ['contain', 'read-only-contained.txt', 'what nobody knows: runners, inline code, options'],
    ['allow', 'read-only-allowed.txt', 'what is proven to read'],
  ])('SH-2, SH-4, SH-6: the answer is %s in a reading state for each of %s: %s', (answer, name) => {
    const others = commands(name).filter((command) => decide(command, readOnly) !== answer)
    expect(others).toEqual([])
  })

  test.each([
    ['SH-9', 'blocked-env.txt', { ...openRules, blockedEnv: ['API_KEY'] }],
    ['SH-8', 'allowed-commands.txt', { ...openRules, allowedCommands: listed }],
  ])('%s: the table in %s holds', (_rule, name, rules) => {
    const unexpected = commands(name).filter((line) => {
      const expected = answers[line.slice(0, 1)]
      return decide(line.slice(2), rules) !== expected
    })
    expect(unexpected).toEqual([])
  })
})
