import type { Command } from 'commander'
import { explain } from './run-explain.ts'

export function addRun(program: Command): void {
  const run = program.command('run').description('look into runs')
  run
    .command('explain')
    .description('say what a tool call would get in a state of a definition, and why')
    .requiredOption('--definition <file>', 'a JSON or YAML file')
    .option('--state <name>', 'where the run stands; the initial state when left out')
    .requiredOption('--tool <name>', 'tool as the client calls it')
    .option('--input <json>', 'its input', '{}')
    .option('--context <json>', 'context laid over the initial one')
    .option('--strict', 'as in strict mode')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(explain)
}

const examples = `
Exit codes: 0 allowed, 3 denied, 5 a person would be asked, 4 no such file or state.

Examples:
  statewright run explain --definition deploy.json --state planning --tool Write
  statewright run explain --definition deploy.json --state testing --tool Bash \\
    --input '{"command":"rm -rf x"}'
`
