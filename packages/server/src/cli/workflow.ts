import { type Command, Option } from 'commander'
import { checkFiles } from './workflow-check.ts'
import { drawFile } from './workflow-graph.ts'
import { importFile } from './workflow-import.ts'
import { newWorkflow } from './workflow-new.ts'
import { listWorkflows, pushFiles, showWorkflow } from './workflow-store.ts'
import { testFiles } from './workflow-test.ts'

export function addWorkflow(program: Command): void {
  const workflow = program
    .command('workflow')
    .description('check, draw, try and save workflows (and processes)')
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
  workflow
    .command('test')
    .description('play scenario files against a definition, with no server')
    .argument('<files...>', 'scenario files, see docs/scenarios.md')
    .option('--json', 'print one JSON report')
    .addHelpText('after', testExamples)
    .action(testFiles)
  workflow
    .command('new')
    .description('write a definition and its scenarios from a template')
    .argument('[template]', 'its name; all are listed when left out')
    .option('--test <command>', 'the command that runs the tests; guessed when left out')
    .option('--json', 'print JSON')
    .addHelpText('after', newExamples)
    .action(newWorkflow)
  workflow
    .command('import')
    .description('take over a definition of the hosted product; unknown fields are kept, and told')
    .argument('<file>', 'a JSON or YAML file')
    .option('--out <file>', 'write it there instead of printing it')
    .option('--json', 'print one JSON object with what was kept aside')
    .addHelpText('after', importExamples)
    .action(importFile)
  workflow
    .command('push')
    .description('save definitions on the server, each as a new version')
    .argument('<files...>', 'JSON or YAML files')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', pushExamples)
    .action(pushFiles)
  workflow
    .command('list')
    .description('list the workflows on the server')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  statewright workflow list\n')
    .action(listWorkflows)
  workflow
    .command('show')
    .description('print a saved workflow as it was written')
    .argument('<name>', 'its name')
    .option('--version <number>', 'another version than the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright workflow show bugfix > bugfix.yaml\n')
    .action(showWorkflow)
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

const testExamples = `
Exit codes: 0 all went as expected, 3 one did not, 4 a file cannot be read.

Example:
  statewright workflow test scenarios/*.yaml
`

const newExamples = `
Exit codes: 0 written, 3 a file is there already, 4 there is no such template.

Examples:
  statewright workflow new
  statewright workflow new tdd-feature --test "pytest -q"
`

const importExamples = `
Fields that are not known here lie under meta.imported afterwards. Those that sound as if they would
restrict the agent are warned of one by one, since nothing restricts it in their place.

Exit codes: 0 it can be used, 3 errors are left, 4 the file cannot be read.

Example:
  statewright workflow import exported.json --out statewright/deploy.json
`

const pushExamples = `
Exit codes: 0 saved, 3 refused, 4 a file cannot be read.

Example:
  statewright workflow push bugfix.yaml
`
