import type { Command } from 'commander'
import { checkFiles } from './workflow-check.ts'

export function addWorkflow(program: Command): void {
  const workflow = program
    .command('workflow')
    .description('check and draw workflows (and processes)')
  workflow
    .command('check')
    .description('say what is wrong with definitions, with file, line and column')
    .argument('<files...>', 'JSON or YAML files')
    .option('--strict', 'warnings count as errors')
    .option('--json', 'print one JSON report')
    .addHelpText('after', checkExamples)
    .action(checkFiles)
}

const checkExamples = `
Exit codes: 0 nothing wrong, 3 errors (with --strict also warnings), 4 a file cannot be read.

Examples:
  statewright workflow check deploy.json
  statewright workflow check --strict workflows/*.yaml
  statewright workflow check --json deploy.json | jq '.files[].findings[]'
`
