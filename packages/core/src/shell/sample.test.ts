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
  const wrong = cases.filter((each) => decide(each.command, rulesOf(each.policy)) !== each.expect)

  test('SH-6, SH-8, SH-9: nothing that must be denied is allowed', () => {
    expect(cases.length).toBe(558)
    expect(wrong.filter((each) => each.expect === 'deny').map((each) => each.id)).toEqual([])
  })

  test('SH-6, SH-8, SH-9: at most one in a hundred harmless commands is denied', () => {
    const harmless = cases.filter((each) => each.expect === 'allow').length
    const denied = wrong.filter((each) => each.expect === 'allow')
    expect(denied.length / harmless).toBeLessThanOrEqual(0.01)
  })
})

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

  test('SH-2, SH-4, SH-6: what writes, or cannot be read, is denied in a reading state', () => {
    const passed = commands('read-only-denied.txt').filter(
      (command) => decide(command, readOnly) === 'allow',
    )
    expect(passed).toEqual([])
  })

  test('SH-6: what only reads, and tests that run by name, pass', () => {
    const denied = commands('read-only-allowed.txt').filter(
      (command) => decide(command, readOnly) === 'deny',
    )
    expect(denied).toEqual([])
  })

  test.each([
    ['SH-9', 'blocked-env.txt', { ...openRules, blockedEnv: ['API_KEY'] }],
    ['SH-8', 'allowed-commands.txt', { ...openRules, allowedCommands: listed }],
  ])('%s: the table in %s holds', (_rule, name, rules) => {
    const unexpected = commands(name).filter((line) => {
      const expected = line.startsWith('D ') ? 'deny' : 'allow'
      return decide(line.slice(2), rules) !== expected
    })
    expect(unexpected).toEqual([])
  })
})
