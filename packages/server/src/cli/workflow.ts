import { type Command, Option } from 'commander'
import { checkFiles } from './workflow-check.ts'
import { drawFile } from './workflow-graph.ts'

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
  const formats = new Option('--format <name>', 'how it is drawn').choices(['mermaid', 'dot'])
  workflow
    .command('graph')
    .description('draw the states of a definition and what leads where')
    .argument('<file>', 'a JSON or YAML file')
    .addOption(formats.default('mermaid'))
    .option('--json', 'print one JSON object with the drawing')
    .addHelpText('after', graphExamples)
    .action(drawFile)
}

const checkExamples = `
Exit codes: 0 nothing wrong, 3 errors (with --strict also warnings), 4 a file cannot be read.

Examples:
  statewright workflow check deploy.json
  statewright workflow check --strict workflows/*.yaml
  statewright workflow check --json deploy.json | jq '.files[].findings[]'
`

const graphExamples = `
Examples:
  statewright workflow graph deploy.json
  statewright workflow graph deploy.json --format dot | dot -Tsvg > deploy.svg
`
