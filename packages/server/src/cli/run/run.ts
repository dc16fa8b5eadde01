import { type Command, InvalidArgumentError } from 'commander'
import { changeRun, forceRun, sendEvent } from './change.ts'
import { addRunHistory } from './history-commands.ts'
import { listRuns } from './list.ts'
import { showRun } from './show.ts'
import { startRun } from './start.ts'
import { trustRun } from './trust.ts'
import { watchRuns } from './watch.ts'

const whichRun = 'its id, the beginning of it, or session:NAME'
const json = ['--json', 'print one JSON object'] as const

export function addRun(program: Command): void {
  const run = program.command('run').description('start, look into and change runs')
  addStart(run)
  addViews(run)
  addChanges(run)
  addRunHistory(run, whichRun)
}

function addViews(run: Command): void {
  run
    .command('list')
    .description('list runs, newest first')
    .option('--status <list>', 'running, waiting, paused, completed, failed, blocked, stopped')
    .option('--workflow <name>', 'only those of this workflow')
    .option('--project <name>', 'only those of this project')
    .option('--limit <number>', 'how many', '50')
    .option('--ids', 'print only the ids, one per line')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  statewright run list --status running,waiting\n')
    .action(listRuns)
  run
    .command('show')
    .description('show the current state of a run and its last entries')
    .argument('<run>', whichRun)
    .option('--branch <name>', 'one branch of a fork')
    .option('--entries <number>', 'how much of its history', readCount, '20')
    .option(...json)
    .addHelpText('after', '\nExample:\n  statewright run show run_5f0c1a2b\n')
    .action(showRun)
  run
    .command('watch')
    .description('follow new entries of one run, or of all runs')
    .argument('[run]', whichRun)
    .option('--all', 'begin with the oldest entry')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', watchExamples)
    .action(watchRuns)
}

function addChanges(run: Command): void {
  run
    .command('transition')
    .description('send an event to a run')
    .argument('<run>', whichRun)
    .argument('<event>', 'the event')
    .option('--data <json>', 'data that goes with it')
    .option('--branch <name>', 'of a fork')
    .option(...json)
    .addHelpText('after', transitionExamples)
    .action(sendEvent)
  for (const [verb, words] of verbs) {
    run
      .command(verb)
      .description(words)
      .argument('<run>', whichRun)
      .option(...json)
      .addHelpText('after', `\nExample:\n  statewright run ${verb} run_5f0c1a2b\n`)
      .action(changeRun(`${verb}Run`))
  }
  run
    .command('trust')
    .description(
      'let a run continue that was stopped, in strict mode, by a call that was not checked',
    )
    .argument('<run>', whichRun)
    .option(...json)
    .addHelpText('after', '\nExample:\n  statewright run trust run_5f0c1a2b\n')
    .action(trustRun)
  run
    .command('force')
    .description('force a run of a workflow with meta.debug into a state')
    .argument('<run>', whichRun)
    .argument('<state>', 'the state')
    .option('--context <json>', 'context that overrides its own')
    .option(...json)
    .addHelpText('after', '\nExample:\n  statewright run force run_5f0c1a2b testing\n')
    .action(forceRun)
}

const verbs = [
  ['pause', 'pause a run'],
  ['resume', 'resume a paused run'],
  ['stop', 'end a run'],
] as const

function readCount(text: string): string {
  if (/^\d{1,6}$/.test(text)) return text
  throw new InvalidArgumentError('This must be a whole number.')
}

const startExamples = `
Examples:
  RUN=$(statewright run start bugfix)
  statewright run start bugfix --session demo --context '{"ticket":42}'
  statewright run start --definition bugfix.yaml
`

const watchExamples = `
A run is shown from its beginning and followed until it ends; all runs are
followed until Ctrl-C (exit code 130). A lost connection continues where it
broke off.

Examples:
  statewright run watch run_5f0c1a2b
  statewright run watch --json | jq 'select(.type == "call_decided")'
`

const transitionExamples = `
Exit codes: 0 done, 3 refused, 5 waits for a person.

Examples:
  statewright run transition run_5f0c1a2b FOUND --data '{"cause":"line 42"}'
`

function addStart(run: Command): void {
  run
    .command('start')
    .description('start a run and print its id')
    .argument('[workflow]', 'name of a saved workflow')
    .option('--definition <file>', 'a definition file instead of a saved one; for people only')
    .option('--process', 'the name is that of a process')
    .option('--context <json>', 'context that overrides the initial one')
    .option('--task <text>', 'what a person asked for, for conditions that read it')
    .option('--session <id>', 'client session that the run guards')
    .option('--project <name>', 'project it is listed under; this one when left out')
    .option('--workspace <folder>', 'folder for relative paths; this one when left out')
    .option('--agent <token>', 'id of the agent’s token that the run is handed to')
    .option('--resume', 'resume the newest paused run of this workflow, if there is one')
    .option(...json)
    .addHelpText('after', startExamples)
    .action(startRun)
}
