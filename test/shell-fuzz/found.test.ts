import { analyzeShell, judgeShell } from '@statewright/core'
import { describe, expect, test } from 'vitest'
import { openRules } from './rules.ts'

/** Lines that the fuzzer found, cut down: bash runs these programs, so each is told or denied. */
const found: readonly (readonly [rule: string, line: string, ...programs: string[]])[] = [
  ['SH-4', 'env - q1', 'q1'],
  ['SH-4', "sh -c 'time -o out ls'", 'time'],
  ['SH-1', "$'q\\\n1'", 'q\\\n1'],
  ['SH-1', 'q$\\\n1', 'q'],
]

describe('lines that once hid a program', () => {
  test.each(found)('%s: %j', (_rule, line, ...programs) => {
    const findings = analyzeShell(line)
    const told = findings.commands.map(({ words: [name] }) => name ?? '')
    const listed = { ...openRules, allowedCommands: told.map((name) => [name]) }
    const readOnly = { ...openRules, readOnly: true }
    const decisions = [listed, readOnly].map((rules) => judgeShell(findings, rules).decision)
    const isTold = programs.every((program) => told.includes(program))
    expect(isTold || decisions.every((decision) => decision === 'deny')).toBe(true)
  })
})
