import { type Command, InvalidArgumentError } from 'commander'
import { createApp } from '../http/app.ts'
import { dashboardFolder, ensureDashboard } from '../http/dashboard-build.ts'
import { type Listening, listen } from '../http/listen.ts'
import { readPageFiles } from '../http/page-files.ts'
import { servedSchemas } from '../http/schemas.ts'
import { reportProblem } from './report.ts'

const defaultPort = 4747

interface UpOptions {
  readonly port: number
  readonly json?: true
}

export function addUp(program: Command): void {
  program
    .command('up')
    .alias('serve')
    .description('start the server on this machine and print the link of the dashboard')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', readPort, defaultPort)
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  statewright up --port 0 --json\n')
    .action(up)
}

async function up(options: UpOptions): Promise<void> {
  await ensureDashboard((line) => process.stderr.write(`${line}\n`))
  const pages = readPageFiles(dashboardFolder)
  const schemas = servedSchemas()
  const server = await listen(options.port, (port) => createApp({ port, pages, schemas }))
  if (!server.ok) {
    process.exitCode = reportProblem(server.error)
    return
  }
  run(server.value, options)
}

function run(server: Listening, options: UpOptions): void {
  announce(server, options)
  stopOn(server, 'SIGTERM', 0)
  stopOn(server, 'SIGINT', 130)
}

function announce(server: Listening, options: UpOptions): void {
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`)
    return
  }
  process.stdout.write(`${server.url}\n`)
  process.stderr.write('Open the link in a browser on this machine. Stop with Ctrl-C.\n')
}

function stopOn(server: Listening, signal: 'SIGTERM' | 'SIGINT', exitCode: number): void {
  process.once(signal, () => {
    void server.close().then(() => process.exit(exitCode))
  })
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}
