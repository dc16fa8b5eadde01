import type { Command } from 'commander'
import { attachSession, listSessions, showSession, startSession } from './commands.ts'
import {
  chooseModel,
  compactOne,
  interruptOne,
  removeOne,
  renameOne,
  resumeOne,
  retryRun,
  sendToSession,
  stopOne,
} from './verbs.ts'

export function addSession(program: Command): void {
  const session = program.command('session').description('agents that Statewright runs itself')
  addStart(session)
  addTalk(session)
  addViews(session)
  addRare(session)
}

function addStart(session: Command): void {
  session
    .command('start')
    .description('start a session and stay attached')
    .requiredOption('--harness <name>', 'scripted, model, claude-code or acp')
    .option('--workflow <name>', 'workflow that guards every call')
    .option('--process <name>', 'a process instead of a workflow')
    .option('--context <json>', 'context of the run')
    .option('--project <folder>', 'the workspace; by default the project of this folder')
    .option('--model <name>', 'model to ask')
    .option('--script <file>', 'file in the project that the scripted harness plays')
    .option('--option <name=value...>', 'more options of the harness')
    .option('--say <text>', 'send this message, wait for the answer and stop')
    .option('--detach', 'print its id and leave it running')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', startExamples)
    .action(startSession)
}

function addTalk(session: Command): void {
  session
    .command('send')
    .description('send a message; while the session works, it waits until the turn ends')
    .argument('<session>', 'its id or the beginning of it')
    .argument('<words...>', 'what to say')
    .option('--interrupt', 'end the current turn first')
    .option('--json', 'print one JSON object')
    .addHelpText('after', sendExamples)
    .action(sendToSession)
  session
    .command('attach')
    .description('follow a session and talk with it; leaving does not stop it')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', attachExamples)
    .action(attachSession)
  session
    .command('stop')
    .description('stop a session and everything that it runs')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', stopExamples)
    .action(stopOne)
}

function addViews(session: Command): void {
  session
    .command('list')
    .description('list sessions, newest first')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', listExamples)
    .action(listSessions)
  session
    .command('show')
    .description('show the state of a session')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', showExamples)
    .action(showSession)
}

function addRare(session: Command): void {
  session
    .command('retry')
    .description('retry what failed: a tool, a hook, or the request to the model')
    .argument('<session>', 'its id or the beginning of it')
    .argument('[run]', 'id of the tool run or hook run; by default the last that failed')
    .option('--json', 'print one JSON object')
    .addHelpText('after', retryExamples)
    .action(retryRun)
  session
    .command('interrupt')
    .description('end the turn of a session and keep the session')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('interrupt sess_1a2b3c'))
    .action(interruptOne)
  session
    .command('compact')
    .description('summarize the conversation of a session, so its model reads less')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('compact sess_1a2b3c'))
    .action(compactOne)
  session
    .command('resume')
    .description('resume a stopped session with its conversation')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('resume sess_1a2b3c'))
    .action(resumeOne)
  session
    .command('rename')
    .description('name a session; without a name, remove it')
    .argument('<session>', 'its id or the beginning of it')
    .argument('[name...]', 'the name')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('rename sess_1a2b3c the login bug'))
    .action(renameOne)
  session
    .command('model')
    .description('choose the model for the next requests of a session')
    .argument('<session>', 'its id or the beginning of it')
    .argument('[name]', 'the model; by default the one it was started with')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('model sess_1a2b3c claude-opus-4-1'))
    .action(chooseModel)
  session
    .command('remove')
    .description('delete a stopped session with its whole conversation')
    .argument('<session>', 'its id or the beginning of it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('remove sess_1a2b3c'))
    .action(removeOne)
}

function examples(line: string): string {
  return `\nExamples:\n  statewright session ${line}\n`
}

const startExamples = `
While the session is ready, what you type is sent to it. Approvals are shown as
they come in: answer with "/approve", "/approve NOTE" or "/reject REASON", also
while it works. In a terminal, Ctrl-C interrupts the current turn, and a second
one leaves; between turns Ctrl-C stops the session. With --say and in a pipe,
Ctrl-C stops the session in order; once more leaves at once.
Exit codes: 0 ended well, 1 ended with an error, 130 stopped by Ctrl-C.

Examples:
  statewright session start --harness scripted --script demo.yaml
  statewright session start --harness model --model claude-sonnet-4-5 --workflow bugfix
  echo "fix the failing test" | statewright session start --harness claude-code
`

const sendExamples = `
Exit codes: 0 sent, 3 the session has stopped, 4 no such session.

Examples:
  statewright session send sess_1a2b3c now run the tests
  statewright session send sess_1a2b3c --interrupt not that folder
`

const attachExamples = `
While the session works, Ctrl-C interrupts its turn; between turns, or a second
time, it leaves and the session keeps running.

Examples:
  statewright session attach sess_1a2b3c
  statewright session attach sess_1a2b3c --json
`

const stopExamples = `
Examples:
  statewright session stop sess_1a2b3c
`

const listExamples = `
Examples:
  statewright session list
  statewright session list --json
`

const showExamples = `
Examples:
  statewright session show sess_1a2b3c
  statewright session show sess_1a2b3c --json
`

const retryExamples = `
A tool that changes something never runs again by itself; this command runs it.

Examples:
  statewright session retry sess_1a2b3c
  statewright session retry sess_1a2b3c toolrun_9f8e7d6c-0000-4000-8000-000000000000
`
