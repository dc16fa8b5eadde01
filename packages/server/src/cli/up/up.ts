import type { Problem } from '@statewright/core/internal'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Running, startServer, type UpOptions } from '../../app/start-server.ts'
import { startDemo } from '../../demo/start-demo.ts'
import { defaultPort, findRunning } from '../../home/discovery.ts'
import { say } from '../command.ts'
import { askPrograms } from '../config/ask-programs.ts'
import { forTerminal, reportProblem } from '../output/report.ts'
import { refuseDebugger } from './no-debugger.ts'
import { announce, stopOn } from './talk.ts'

export function addUp(program: Command): void {
  const modes = new Option('--mode <mode>', 'enforce, or observe: only record what would be denied')
  const kinds = new Option(
    '--durability <what>',
    'what committed entries survive: a crash or a power cut',
  )
  program
    .command('up')
    .alias('serve')
    .description('start the server on this machine and print the login link of the dashboard')
    .option(
      '--port <number>',
      `port on 127.0.0.1; the next free one from ${defaultPort} when left out, 0 takes any`,
      readPort,
    )
    .option('--host <address>', 'listen there instead of 127.0.0.1; needs --public-url')
    .option('--public-url <urls...>', 'addresses under which other machines reach the server')
    .option('--data <folder>', 'folder for its data; in your state directory when left out')
    .option('--database-url <url>', 'store the data in this Postgres instead')
    .option('--strict', 'no active run means no tools')
    .addOption(modes.choices(['enforce', 'observe']))
    .addOption(kinds.choices(['crash', 'power']))
    .option('--workflow <name>', 'workflow to start for client sessions that have no run')
    .option('--demo', 'play a scripted agent, to watch in the dashboard')
    .option('--test-person', "for tests: print a person's token in the ready line")
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', examples)
    .action(up)
}

const examples = `
Settings come from flags, then STATEWRIGHT_* variables, then statewright.yaml in
the project, then your own config.yaml. SIGHUP reads them again.

Examples:
  statewright up
  statewright up --demo
  statewright up --port 0 --data /tmp/try --json
  statewright up --database-url postgres://localhost/statewright
  statewright up --host 0.0.0.0 --public-url https://statewright.example.com
`

async function up(options: UpOptions): Promise<void> {
  const running = await startHere(options)
  if (running === undefined) return
  await announce(running, options)
  if (options.demo === true) await demonstrate(running)
}

/** Starts the server in this process, which goes on with it; undefined where that was refused. */
export async function startHere(options: UpOptions): Promise<Running | undefined> {
  refuseDebugger()
  const started = await startServer(options, process.env, process.cwd(), {
    ...askPrograms(options),
    ...(process.stderr.isTTY === true ? { logLine } : {}),
  })
  if (!started.ok) {
    process.exitCode = reportProblem(namingTheOther(started.error))
    return undefined
  }
  // Before it is announced: anyone who hears that it is ready may stop it at once.
  stopOn(started.value, 'SIGTERM', 0)
  stopOn(started.value, 'SIGINT', 130)
  return started.value
}

/** Whoever starts the server of a project twice wants to know where the first one is. */
function namingTheOther(problem: Problem): Problem {
  const { code, where } = problem
  const other = where === undefined ? undefined : findRunning(where)
  if (code !== 'store_unavailable' || other === undefined) return problem
  return {
    ...problem,
    message: `The server of this project already runs at ${other.url} (process ${other.pid}).`,
    next: 'use it ("statewright login --new-link" shows a login link in its terminal), or stop it.',
  }
}

/** People read a terminal, programs read files and pipes. */
function logLine(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`)
}

/** Anyone who starts the server at its terminal is a person. */
async function demonstrate({ serving }: Running): Promise<void> {
  const person = { tokenId: 'terminal', kind: 'person', role: 'person', name: 'terminal' } as const
  const started = await startDemo(serving.guard, person, { stop: new AbortController().signal })
  if (!started.ok) say(`The demo could not start: ${started.error.message}`)
  else say(`The demo plays: ${started.value.runId}`)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}
