import { spawnSync } from 'node:child_process'
import { Command, Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { completionScript, levels } from './completion.ts'

const program = new Command('statewright')
const run = program.command('run')
run.command('start').option('--json', 'x')
run.command('show').argument('<run>')
program.command('runner')
program.command('doctor').argument('[client]')
const modes = new Option('--mode <mode>').choices(['strict', 'observe'])
program
  .command('init')
  .addOption(modes)
  .option('--template <name>')
  .option('--client <name>')
  .option('--test <command>')
program.command('up').command('new').argument('[template]')
const known = levels(program)

/** Stands in for the command itself, which would look for a server. */
const runningServer = `statewright() {
  if [ "$*" = "run list --ids" ]; then printf '%s\\n' run_b1 run_a1; fi
}`

/** What bash itself offers after these words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash', known)}
COMP_WORDS=(statewright ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
${runningServer}
_statewright
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  return stdout.trim().split('\n')
}

describe('completion in bash', () => {
  test.each([
    [[''], ['run', 'runner', 'doctor', 'init', 'up', '--help']],
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
    [
      ['run', 'show', ''],
      ['--help', 'run_b1', 'run_a1'],
    ],
    [['run', 'show', 'run_a'], ['run_a1']],
    [['run', 'show', '--'], ['--help']],
    // After an option comes its value, and never another option.
    [
      ['init', '--mode', ''],
      ['strict', 'observe'],
    ],
    [['init', '--mode', 'o'], ['observe']],
    [
      ['init', '--template', 'ref'],
      ['refactor-safely', 'refunds'],
    ],
    [['init', '--client', 'cod'], ['codex']],
    [['init', '--test', ''], ['']],
    [
      ['init', '--mode', 'strict', '--te'],
      ['--template', '--test'],
    ],
    [['up', 'new', 'tdd'], ['tdd-feature']],
  ])('after %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

/** What zsh offers: it calls the functions of bash as its own bashcompinit does. */
function offeredInZsh(...words: string[]): string[] {
  const script = `${completionScript('zsh', known)}
ask() {
  emulate -L sh
  setopt kshglob noshglob braceexpand nosh_word_split
  local -a COMP_WORDS
  COMP_WORDS=(statewright ${words.map((word) => `'${word}'`).join(' ')})
  local COMP_CWORD=${words.length}
  _statewright
  printf '%s\\n' "\${COMPREPLY[@]}"
}
${runningServer}
ask`
  const { stdout } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })
  return stdout.trim().split('\n')
}

const hasZsh = spawnSync('zsh', ['--version']).status === 0

test.skipIf(!hasZsh)('zsh offers what bash offers, and its PATH stays as it is', () => {
  expect(offeredInZsh('run', '')).toEqual(['start', 'show', '--help'])
  expect(offeredInZsh('run', 'start', '--')).toEqual(['--json', '--help'])
  expect(offeredInZsh('run', 'show', '')).toEqual(['--help', 'run_b1', 'run_a1'])
})

test.skipIf(!hasZsh)('zsh offers the values of an option too', () => {
  expect(offeredInZsh('init', '--mode', '')).toEqual(['strict', 'observe'])
})

test('without a server no run is offered, and nothing is said about it', () => {
  const script = `${completionScript('bash', known)}
PATH=
COMP_WORDS=(statewright run show '')
COMP_CWORD=3
_statewright
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', script], { encoding: 'utf8' })
  expect([stdout, stderr]).toEqual(['--help\n', ''])
})

test('fish and zsh know the same words', () => {
  expect(completionScript('fish', known)).toContain(
    "show' -a '--help (statewright run list --ids 2> /dev/null)'",
  )
  expect(completionScript('fish', known)).toContain(
    "run; and __fish_seen_subcommand_from start' -a '--json --help'",
  )
  expect(completionScript('fish', known)).toContain(
    "-n '__fish_seen_subcommand_from init' -l mode -x -a 'strict observe'",
  )
  expect(completionScript('zsh', known)).toMatch(/^autoload -U \+X bashcompinit compinit/)
})
