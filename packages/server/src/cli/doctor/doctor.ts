import type { Command } from 'commander'
import { z } from 'zod'
import { installers } from '../../clients/installers.ts'
import { type Client, createClient } from '../client.ts'
import { type JsonOption, printJson, refuse, withServer } from '../command.ts'
import { allRecords, type InstallRecord, installsFolder } from '../install-record.ts'
import { readLogin } from '../logins.ts'
import { NewSessions } from '../new-sessions.ts'
import { printable } from '../report.ts'
import { Anything } from '../shapes.ts'
import { examine } from './examine.ts'
import type { ExaminedClient, Finding } from './finding.ts'

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
It looks at the client's settings, sends a forbidden call through the hook as it
is installed, and asks the MCP server for its tools. For the call it starts a
run of its own and stops it again, which needs your login. It exits with 3 when
something is broken.

Examples:
  statewright doctor
  statewright doctor gemini --json
`

const Trust = z.looseObject({
  level: z.string(),
  sentence: z.string(),
  new_sessions: NewSessions,
})
type Trust = z.infer<typeof Trust>

/** The exit code for "the rules said no": what is installed does not hold. */
const brokenExit = 3

async function doctor(client: string | undefined, options: JsonOption): Promise<void> {
  await withServer(async (server) => {
    const records = allRecords(installsFolder(process.env)).filter(
      (record) => client === undefined || record.client === client,
    )
    if (records.length === 0) {
      await leave(server, { ok: true, clients: [] }, client)
      return notInstalled(client)
    }
    const examined: ExaminedClient[] = []
    for (const record of records) examined.push(await examine(record, personAt(record, server)))
    const ok = examined.every(({ findings }) => findings.every(isSound))
    const trust = await server.ask({ path: '/api/trust' }, Trust)
    const report = { ok, clients: examined }
    await leave(server, report, client)
    if (options.json === true) printJson({ ...report, trust: trust.ok ? trust.value : null })
    else print(examined, trust.ok ? trust.value : undefined)
    if (!ok) process.exitCode = brokenExit
  })
}

/** For the dashboard; where it cannot be kept, it is still printed here. */
async function leave(server: Client, report: object, client: string | undefined): Promise<void> {
  const body = { ...report, ...(client === undefined ? {} : { only: client }) }
  await server.ask({ method: 'PUT', path: '/api/clients/report', body }, Anything)
}

function isSound({ status }: Finding): boolean {
  return status !== 'broken'
}

/** An installation may belong to another server than the one of this folder. */
function personAt({ url }: InstallRecord, server: Client): Client {
  return url === server.url ? server : createClient({ url, token: readLogin(process.env, url) })
}

function notInstalled(client: string | undefined): never {
  const name = client ?? 'claude-code'
  return refuse({
    code: 'not_found',
    message:
      client === undefined
        ? 'No coding client was installed by us.'
        : `${printable(client.slice(0, 50))} was not installed by us.`,
    next: `run "statewright install ${installers.has(name) ? name : 'claude-code'}".`,
  })
}

const signs = { ok: 'ok      ', warning: 'warning ', broken: 'BROKEN  ' } as const

function print(examined: readonly ExaminedClient[], trust: Trust | undefined): void {
  const lines: string[] = []
  for (const { client, scope, project, findings } of examined) {
    lines.push(`${client} (${project ?? scope})`)
    for (const { status, check, message, next } of findings) {
      lines.push(`  ${signs[status]} ${check}: ${message}`)
      if (next !== undefined) lines.push(`            next: ${next}`)
    }
  }
  // How well calls are contained is no comfort where none is denied.
  const isGuarded = trust?.new_sessions.guard !== 'open'
  if (trust !== undefined && isGuarded) {
    lines.push(`Protection ${trust.level}: ${trust.sentence}`)
  }
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
}
