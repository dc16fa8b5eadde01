import type { DefinitionKind } from '@statewright/core/wire'
import { type Command, Option } from 'commander'
import { checkFiles } from '../workflow/check.ts'
import { drawFile } from '../workflow/graph.ts'
import { proveFiles } from '../workflow/prove.ts'
import { deleteDefinition, listDefinitions, pushFiles, showDefinition } from '../workflow/store.ts'
import { testFiles } from '../workflow/test.ts'

/** The verbs that workflows and processes have alike. */
export function addDefinitionCommands(command: Command, noun: DefinitionKind): void {
  const { some, one } = words[noun]
  command
    .command('check')
    .description('check definitions; findings have file, line and column')
    .argument('<files...>', 'JSON or YAML files')
    .option('--strict', 'warnings count as errors')
    .option('--json', 'print one JSON report')
    .addOption(sarifOption())
    .addHelpText('after', checkExamples(noun, one))
    .option('--verbose', 'also show what conditions store in the history of runs')
    .action(checkFiles)
  const formats = new Option('--format <name>', 'format of the drawing').choices(['mermaid', 'dot'])
  command
    .command('graph')
    .description('draw the states of a definition and what leads where')
    .argument('<file>', 'a JSON or YAML file')
    .addOption(formats.default('mermaid'))
    .option('--json', 'print one JSON object with the drawing')
    .addHelpText('after', graphExamples(noun, one))
    .action(drawFile)
  addTrials(command, noun)
  command
    .command('push')
    .description('save definitions on the server, each as a new version')
    .argument('<files...>', 'JSON or YAML files')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', pushExamples(noun, one))
    .action(pushFiles)
  command
    .command('list')
    .description(`list the ${some} on the server`)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', `\nExample:\n  statewright ${noun} list\n`)
    .action(listDefinitions(noun))
  command
    .command('show')
    .description(`print a saved ${noun} as it was written`)
    .argument('<name>', 'its name')
    .option('--version <number>', 'a version other than the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nExample:\n  statewright ${noun} show ${one} > ${one}.yaml\n`)
    .action(showDefinition(noun))
  command
    .command('delete')
    .description(`remove a saved ${noun}; its runs keep the version that they use`)
    .argument('<name>', 'its name')
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nExample:\n  statewright ${noun} delete ${one}\n`)
    .action(deleteDefinition(noun))
}

/** Verbs that try a definition out, with no server. */
function addTrials(command: Command, noun: DefinitionKind): void {
  const { one } = words[noun]
  command
    .command('test')
    .description('play scenario files against a definition, without a server')
    .argument('<files...>', 'scenario files, such as bugfix.scenarios.yaml')
    .option('--json', 'print one JSON report')
    .addHelpText('after', testExamples(noun))
    .action(testFiles)
  command
    .command('prove')
    .description('prove claims, or find a run that refutes them')
    .argument('<files...>', 'definitions, or scenario files with claims')
    .option('--write <file>', 'write each refutation as a scenario, which "test" plays')
    .option('--json', 'print one JSON report')
    .addOption(sarifOption())
    .addHelpText('after', proveExamples(noun, one))
    .action(proveFiles)
}

function sarifOption(): Option {
  const text = 'print one SARIF report, for services that review code'
  return new Option('--sarif', text).conflicts('json')
}

const words = {
  workflow: { some: 'workflows', one: 'deploy' },
  process: { some: 'processes', one: 'deploy-gate' },
} as const

const checkExamples = (noun: string, one: string) => `
Exit codes: 0 nothing wrong, 3 errors (with --strict also warnings), 4 a file
cannot be read.

Examples:
  statewright ${noun} check ${one}.json
  statewright ${noun} check --strict definitions/*.yaml
  statewright ${noun} check --json ${one}.json | jq '.files[].findings[]'
  statewright ${noun} check --sarif definitions/*.yaml > statewright.sarif
`

const graphExamples = (noun: string, one: string) => `
Examples:
  statewright ${noun} graph ${one}.json
  statewright ${noun} graph ${one}.json --format dot | dot -Tsvg > ${one}.svg
`

const testExamples = (noun: string) => `
Claims of the files are proved as well, or refuted.

Exit codes: 0 all went as expected, 3 one did not, 5 a claim is not decided, 4 a
file cannot be read.

Example:
  statewright ${noun} test scenarios/*.yaml
`

const proveExamples = (noun: string, one: string) => `
A definition is searched together with the claims of the scenario file beside
it, and for what no definition should have: states that are never entered,
traps, guards that never pass, forks that never join, approvals that can be
bypassed.

Exit codes: 0 all proved, 3 something refuted, 5 nothing refuted but something
not decided, 4 a file cannot be read.

Examples:
  statewright ${noun} prove ${one}.yaml
  statewright ${noun} prove ${one}.scenarios.yaml --write refuted.yaml
`

const pushExamples = (noun: string, one: string) => `
Exit codes: 0 saved, 3 refused, 4 a file cannot be read.

Example:
  statewright ${noun} push ${one}.yaml
`
