import type { Command } from 'commander'
import { reportProblem } from '../output/report.ts'
import { type ExplainOptions, explain } from './explain.ts'
import { explainRun } from './explain-live.ts'
import { exportRun, replayRun } from './history.ts'
import { verifyRuns } from './verify.ts'

/** The verbs that look back or ahead and change nothing. */
export function addRunHistory(run: Command, whichRun: string): void {
  run
    .command('explain')
    .description('show how a tool call would be decided, in a live run or a state of a definition')
    .argument('[run]', whichRun)
    .option('--definition <file>', 'a JSON or YAML file instead of a run')
    .option('--state <name>', 'the current state; the initial state when left out')
    .requiredOption('--tool <name>', 'tool as the client calls it')
    .option('--input <json>', 'its input', '{}')
    .option('--context <json>', 'context that overrides the initial one')
    .option('--branch <name>', 'of a fork')
    .option('--strict', 'as in strict mode')
    .option('--json', 'print one JSON object')
    .addHelpText('after', explainExamples)
    .action(explainEither)
  run
    .command('export')
    .description('write a run with its definition and history to standard output, as JSON')
    .argument('<run>', whichRun)
    .option('--json', 'has no effect: an export is always JSON')
    .addHelpText('after', '\nExample:\n  statewright run export run_5f0c1a2b > run.json\n')
    .action(exportRun)
  run
    .command('replay')
    .description('show the state of a run after an entry, by replaying its history')
    .argument('<run>', whichRun)
    .option('--seq <number>', 'the entry; the last one when left out')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright run replay run_5f0c1a2b --seq 3\n')
    .action(replayRun)
  run
    .command('verify')
    .description('verify that histories are complete and unchanged; all runs when none is named')
    .argument('[runs...]', whichRun)
    .option('--json', 'print {"ok","runs"}')
    .addHelpText('after', verifyExamples)
    .action(verifyRuns)
}

function explainEither(
  given: string | undefined,
  options: Omit<ExplainOptions, 'definition'> & { definition?: string; branch?: string },
): Promise<void> | void {
  const { definition } = options
  if (given !== undefined && definition === undefined) return explainRun(given, options)
  if (given === undefined && definition !== undefined) return explain({ ...options, definition })
  process.exitCode = reportProblem({
    code: 'usage',
    message: 'Name a run, or a file with --definition, and not both.',
    where: 'statewright run explain',
    next: 'run "statewright run explain --help" to see what it takes.',
  })
}

const explainExamples = `
Exit codes: 0 allowed, 3 denied, 5 a person would be asked, 4 no such run, file
or state.

Examples:
  statewright run explain run_5f0c1a2b --tool Bash --input '{"command":"rm -rf x"}'
  statewright run explain --definition deploy.json --state planning --tool Write
`

const verifyExamples = `
Exit codes: 0 all are intact, 3 one is broken, 4 no such run.

Examples:
  statewright run verify
  statewright run verify run_5f0c1a2b --json
`
