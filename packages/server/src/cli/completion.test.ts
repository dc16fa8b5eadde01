import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { completionScript, levels } from './completion.ts'

const program = new Command('statewright')
const run = program.command('run')
run.command('start').option('--json', 'x')
run.command('show')
program.command('runner')
program.command('doctor').argument('[client]')
const known = levels(program)

/** What bash itself offers after these words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash', known)}
COMP_WORDS=(statewright ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_statewright
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  return stdout.trim().split('\n')
}

describe('completion in bash', () => {
  test.each([
    [[''], ['run', 'runner', 'doctor', '--help']],
    [['ru'], ['run', 'runner']],
    [
      ['run', ''],
      ['start', 'show', '--help'],
    ],
    [['run', 'st'], ['start']],
    [
      ['doctor', 'cl'],
      ['claude-code', 'claude-plugin'],
    ],
    [
      ['run', 'start', '--'],
      ['--json', '--help'],
    ],
    [['run', '--x', 'start', '--j'], ['--json']],
  ])('after %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

test('fish and zsh know the same words', () => {
  expect(completionScript('fish', known)).toContain(
    "run; and __fish_seen_subcommand_from start' -a '--json --help'",
  )
  expect(completionScript('zsh', known)).toMatch(/^autoload -U \+X bashcompinit/)
})
