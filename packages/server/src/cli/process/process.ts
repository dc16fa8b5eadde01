import { endpoints } from '@statewright/core/wire'
import type { Command } from 'commander'
import { call, type JsonOption, printJson, say, withServer } from '../command.ts'
import { addDefinitionCommands } from '../definition/commands.ts'
import { printable } from '../output/report.ts'
import { resolveRun } from '../run/refs.ts'
import { type StartOptions, startRun } from '../run/start.ts'

export function addProcess(program: Command): void {
  const command = program
    .command('process')
    .description('check, draw, try, save, start and answer processes')
  addDefinitionCommands(command, 'process')
  command
    .command('start')
    .description('start a run of a process and print its id')
    .argument('<process>', 'name of a saved process')
    .option('--session <id>', 'client session that the run guards')
    .option('--project <name>', 'project it is listed under; this one when left out')
    .option('--workspace <folder>', 'folder for relative paths; this one when left out')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  RUN=$(statewright process start deploy-gate)\n')
    .action((name: string, options: StartOptions) => startRun(name, { ...options, process: true }))
  command
    .command('answer')
    .description('answer the current question of a run')
    .argument('<run>', 'its id, the beginning of it, or session:NAME')
    .argument('<answer>', 'one of the answers')
    .option('--rationale <text>', 'the reason, which is kept in the history')
    .option('--json', 'print one JSON object')
    .addHelpText('after', answerExamples)
    .action(giveAnswer)
}

interface AnswerOptions extends JsonOption {
  readonly rationale?: string
}

/** `statewright process answer RUN ANSWER`; exits 5 when a person has to decide first. */
async function giveAnswer(given: string, answer: string, options: AnswerOptions): Promise<void> {
  await withServer(async (client) => {
    const params = { id: await resolveRun(client, given) }
    const body = { answer, rationale: options.rationale }
    const stepped = await call(client, endpoints.answerQuestion, { params, body })
    if (options.json === true) printJson(stepped)
    if (stepped.status === 'pending_approval') {
      if (options.json !== true) {
        process.stdout.write(`Approval needed: ${printable(stepped.approval_id)}\n`)
      }
      process.exitCode = 5
      return
    }
    if (options.json === true) return
    const { state, status, question, answers, warning } = stepped
    if (warning !== undefined) say(printable(`warning: ${warning}`))
    if (status !== 'running') {
      process.stdout.write(`${printable(status)}\n`)
      return
    }
    process.stdout.write(`${printable(state)}\n`)
    say(printable(`${question ?? ''} (${(answers ?? []).join(', ')})`))
  })
}

const answerExamples = `
Exit codes: 0 answered, 3 refused, 5 waits for a person.

Example:
  statewright process answer run_5f0c1a2b yes --rationale "staging checked"
`
