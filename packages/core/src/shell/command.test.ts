import { expect, test } from 'vitest'
import { analyzeCommand, judgeCommand } from './command.ts'
import type { ShellPolicy } from './policy.ts'

test('SH-11: reasons and findings are told in words, each with its part', () => {
  const command = 'echo hi > a.txt'
  const { decision, reasons } = judgeCommand(command, { mode: 'read-only' })
  expect([decision, reasons.map(({ code, part }) => [code, part])]).toEqual([
    'deny',
    [['shell_write', '> a.txt']],
  ])
  const { writes } = analyzeCommand(command)
  expect([...reasons, ...writes].map(({ message }) => typeof message)).toEqual(['string', 'string'])
})

test('SH-5: programs that we do not know may be described', () => {
  const known = { programs: { shipit: { does: 'read' } } } as const
  const policy = { mode: 'read-only' } as const
  expect(judgeCommand('shipit', policy).decision).toBe('contain')
  expect(judgeCommand('shipit', policy, known).decision).toBe('allow')
})

test('a policy with a field that nobody knows lets nothing pass', () => {
  const typo = JSON.parse('{ "allowed_command": ["ls"] }') as ShellPolicy // What a typo looks like.
  expect(() => judgeCommand('rm -rf /', typo)).toThrow('The policy cannot be read')
})
