import { describe, expect, test } from 'vitest'
import { analyzeShell } from './analyze.ts'
import { programTable, ShellConfig } from './configured.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'

describe('programs of the configuration', () => {
  const config = ShellConfig.parse({
    programs: {
      'team-status': { does: 'read', flags: '-v --json --env:', writes: '--save:' },
      fleet: { does: 'pass', subcommands: { list: { does: 'read', reach: 'network' } } },
    },
  })
  const programs = programTable(config)
  const rules = { ...openRules, readOnly: true }

  test.each([
    ['team-status -v --env prod', 'allow'],
    // A value must not hide an option: which of the two it is, only the program knows.
    ['team-status --env --save', 'deny'],
    ['team-status --unheard-of', 'contain'],
    ['team-status --save out.txt', 'deny'],
    ['fleet list', 'allow'],
    ['fleet launch', 'contain'],
  ])('SH-5: %s is answered %s', (command, expected) => {
    expect(judgeShell(analyzeShell(command, { programs }), rules).decision).toBe(expected)
    expect(judgeShell(analyzeShell(command), rules).decision).not.toBe('allow')
  })

  test('SH-5: where a state has no shell, what reaches beyond files is denied', () => {
    const without = { ...rules, readOnly: false, onlyReading: true }
    expect(judgeShell(analyzeShell('fleet list', { programs }), without).decision).toBe('deny')
  })
})
