import type { Command } from 'commander'
import { checkCommand, checkLines, type ShellCheckOptions } from './check.ts'

export function addShell(program: Command): void {
  const shell = program.command('shell').description('show what a shell command would do')
  shell
    .command('check')
    .description('check one command, or JSON lines from standard input')
    .argument('[command]', 'the command; without it lines {"id","command","policy"} are read')
    .option('--policy <json>', 'what restricts the shell', '{"mode":"read-only"}')
    .option('--explain', 'draw the findings under the command')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action((command: string | undefined, options: ShellCheckOptions) =>
      command === undefined ? checkLines(options) : checkCommand(command, options),
    )
}

const examples = `
A policy has up to four parts; each one can only add reasons to deny:
  {"mode":"read-only"}                 nothing may be written
  {"allowed_commands":["npm test"]}    every command starts with one of these
  {"blocked_env":["PROD_DB_URL"]}      these variables must not be read
  {"background":false}                 nothing may run in the background

Exit codes: 0 allowed, 3 denied (for one command), 2 a line or policy cannot be
read.

Examples:
  statewright shell check "grep '>' notes.txt"
  statewright shell check --explain 'sed -i s/a/b/ f; echo done > log'
  statewright shell check --policy '{"allowed_commands":["npm test"]}' 'npm test || true'
  echo '{"id":1,"command":"rm -rf x","policy":{"mode":"read-only"}}' | statewright shell check
`
