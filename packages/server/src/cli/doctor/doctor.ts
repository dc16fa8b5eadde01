import { defined, own } from '@statewright/core/internal'
import { type BodyFor, endpoints, type Trust } from '@statewright/core/wire'
import type { Command } from 'commander'
import { version } from '../../app/version.ts'
import { installers } from '../../client-settings/installers.ts'
import { projectRoot } from '../../home/folders.ts'
import type { Client } from '../api/client.ts'
import { type JsonOption, printJson, refuse, say, withServer } from '../command.ts'
import { personAt } from '../install/key.ts'
import { allRecords, installsFolder } from '../install/record.ts'
import { forTerminal, printable, usesColour } from '../output/report.ts'
import { examine } from './examine.ts'
import type { ExaminedClient, Finding } from './finding.ts'
import { guardsHere, type Installation, nameOf } from './installation.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('try every installed coding client with a call that must be denied')
    .argument('[client]', [...installers.keys()].join(', '))
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(doctor)
}

const help = `
For each client that is installed for the project of this folder, it checks the
settings of the client, sends a forbidden call through the installed hook, asks
the MCP server for its tools, and checks whether a new session would be guarded.
For the call it starts a run of its own and stops it afterwards, which needs
your login. It exits with 3 when something is broken.

Examples:
  statewright doctor
  statewright doctor gemini --json
`

/** The exit code for "the rules said no": what is installed does not hold. */
const brokenExit = 3

async function doctor(client: string | undefined, options: JsonOption): Promise<void> {
  await withServer(async (server) => {
    const project = projectRoot(process.cwd())
    const all = allRecords(installsFolder(process.env))
      .filter((record) => client === undefined || record.client === client)
      .flatMap((record) => record.keys.map((key): Installation => ({ record, key })))
    const here = all.filter((one) => guardsHere(one, project))
    const elsewhere = all.filter((one) => !here.includes(one))
    if (here.length === 0) {
      await leave(server, { ok: true, clients: [] }, client)
      return notInstalled(project, client, elsewhere)
    }
    const examined: ExaminedClient[] = []
    for (const one of here) examined.push(await examine(one, personAt(one.key, server)))
    const ok = examined.every(({ findings }) => findings.every(isSound))
    const trust = await server.call(endpoints.getTrust, {})
    const report = { ok, clients: examined }
    await leave(server, report, client)
    const versions = { command: version, server: await serverVersion(server) }
    if (options.json === true) {
      printJson({ ...report, versions, trust: trust.ok ? trust.value : null })
    } else print(versions, examined, trust.ok ? trust.value : undefined)
    if (elsewhere.length > 0) say(`Installed elsewhere: ${elsewhere.map(nameOf).join(', ')}.`)
    if (!ok) process.exitCode = brokenExit
  })
}

interface Versions {
  readonly command: string
  /** Null where the server does not tell. */
  readonly server: string | null
}

/** A server that was started before an upgrade goes on as it was. */
async function serverVersion(server: Client): Promise<string | null> {
  const facts = await server.call(endpoints.getServer, {})
  return facts.ok ? facts.value.version : null
}

type Report = BodyFor<typeof endpoints.reportClients>

/** For the dashboard; where it cannot be kept, it is still printed here. */
async function leave(server: Client, report: Report, client: string | undefined): Promise<void> {
  await server.call(endpoints.reportClients, { body: defined({ ...report, only: client }) })
}

function isSound({ status }: Finding): boolean {
  return status !== 'broken'
}

/** A folder that nobody guards is said to be so. */
function notInstalled(
  project: string,
  client: string | undefined,
  elsewhere: readonly Installation[],
): never {
  const name = client ?? 'claude-code'
  const what = client === undefined ? 'No coding client' : printable(client.slice(0, 50))
  const not = client === undefined ? '' : 'not '
  const others =
    elsewhere.length === 0 ? '' : ` Installed elsewhere: ${elsewhere.map(nameOf).join(', ')}.`
  return refuse({
    code: 'not_found',
    message: `${what} is ${not}guarded in ${project}.${others}`,
    where: project,
    next: `run "statewright install ${installers.has(name) ? name : 'claude-code'}".`,
  })
}

const colours: Readonly<Record<string, number>> = { ok: 32, warning: 33, BROKEN: 31 }

/** The word at the beginning says it all; the colour only helps to find it. */
function painted(line: string): string {
  if (!usesColour(process.stdout)) return line
  return line.replace(/^ {2}(ok|warning|BROKEN)\b/, (_, word: string) => {
    return `  \u001b[${own(colours, word)}m${word}\u001b[0m`
  })
}

const signs = { ok: 'ok      ', warning: 'warning ', broken: 'BROKEN  ' } as const

function print(
  { command, server }: Versions,
  examined: readonly ExaminedClient[],
  trust: Trust | undefined,
): void {
  // Why a server tells no version stands in a line below.
  const lines = [`Statewright ${command}${server === null ? '' : `, server ${server}`}`]
  for (const { client, scope, project, findings } of examined) {
    lines.push(`${client} (${project ?? scope})`)
    for (const { status, check, message, next } of findings) {
      lines.push(`  ${signs[status]} ${check}: ${message}`)
      if (next !== undefined) lines.push(`            next: ${next}`)
    }
  }
  // How well calls are contained is no comfort where a client may not ask about them.
  const isWhole = examined.every(({ findings }) => findings.every(isSound))
  if (!isWhole) lines.push('Protection: none is certain until every BROKEN line is fixed.')
  else if (trust !== undefined) {
    lines.push(`Protection ${trust.level}: ${trust.sentence}`)
  }
  const shown = lines.map((line) => painted(forTerminal(printable(line), process.stdout)))
  process.stdout.write(`${shown.join('\n')}\n`)
}
