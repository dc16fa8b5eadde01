import { dirname } from 'node:path'
import { type Command, Option } from 'commander'
import { installers } from '../../client-settings/installers.ts'
import { removeHookPrograms } from '../../home/hook-program.ts'
import { orRefuse, printJson, refuse, say, withServer } from '../command.ts'
import { removeEmptyFolders, removeSettings } from '../config/settings-file.ts'
import { confirmChanges } from './confirm.ts'
import {
  clientNames,
  type InstallOptions,
  installClient,
  sayInstalled,
  showDenial,
  targetOf,
  writeChange,
  writeRecord,
} from './install-client.ts'
import { revokeKey } from './key.ts'
import { planUninstall } from './plan.ts'
import {
  allRecords,
  type InstallKey,
  type InstallRecord,
  type InstallTarget,
  keyOf,
  readRecord,
} from './record.ts'

export function addInstall(program: Command): void {
  const command = program
    .command('install')
    .description('guard a coding client: it asks before each tool call')
    .addHelpText('after', installHelp)
  withOptions(command).action(install)
}

export function addUninstall(program: Command): void {
  const command = program
    .command('uninstall')
    .description('remove exactly what "install" added')
    .addHelpText('after', '\nExample:\n  statewright uninstall claude-code\n')
  withOptions(command).action(uninstall)
}

function withOptions(command: Command): Command {
  return command
    .argument('<client>', clientNames)
    .addOption(new Option('--project', 'for this project (the default)').conflicts('user'))
    .option('--user', 'for all your folders')
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--json', 'print one JSON object')
}

/** Clients by whose settings they have, for the help: it must say what really happens. */
const [either, userWide] = (['either', 'user'] as const).map((settings) =>
  [...installers.values()]
    .filter((installer) => installer.settings === settings)
    .map(({ client }) => client)
    .join(', '),
)

const installHelp = `
It shows what would change and asks first. What was in the files before is kept.
The entries name a file with a key. The key may only ask for decisions and move
its own runs. Installing again changes nothing.

Whose settings are changed:
  ${either}
      with --project those of this project that are yours alone, with --user
      your own
  ${userWide}
      always your own, which apply in every folder; the hooks look up which
      project a call belongs to

What is guarded:
  --project  calls in this project, by its server; a session that has begun here
             is guarded wherever it goes. Calls in other folders pass
  --user     calls in every folder, by the server of this project, except where
             another project has installed the client for itself

Examples:
  statewright install claude-code
  statewright install codex
  statewright install claude-code --user --yes
`

async function install(client: string, options: InstallOptions): Promise<void> {
  await withServer(async (server) => {
    const done = await installClient(server, client, options)
    if (done === undefined) return cancelled()
    sayInstalled(done, options)
    await showDenial(done, server)
  })
}

function cancelled(): void {
  say('Cancelled. Nothing was changed.')
  process.exitCode = cancelledExit
}

const cancelledExit = 130

async function uninstall(client: string, options: InstallOptions): Promise<void> {
  await withServer(async (server) => {
    const target = targetOf(client, options)
    const record = orRefuse(readRecord(target))
    const key = keyOf(record, target)
    if (record === undefined || key === undefined) return notInstalled(target, record)
    const others = record.keys.filter((one) => one !== key)
    // The entries are there for every project that has a key.
    const changes = others.length > 0 ? [] : orRefuse(planUninstall(record))
    if (!(await confirmChanges(changes, options))) return cancelled()
    await revokeKey(key, server)
    for (const change of changes) writeChange(change)
    if (others.length > 0) writeRecord(target, { ...record, keys: others })
    else removeAll(target, record)
    const files = changes.map((change) => change.path)
    const scope = target.guards === undefined ? 'user' : 'project'
    if (options.json === true) printJson({ uninstalled: client, scope, files })
    else process.stdout.write(`${client} is uninstalled for ${nameOf(key, record)}.\n`)
    if (others.length === 0 || options.json === true) return
    say(`It is still installed for ${others.map((one) => nameOf(one, record)).join(', ')}.`)
  })
}

function removeAll(target: InstallTarget, record: InstallRecord): void {
  for (const { path, folder } of record.files) {
    if (folder !== undefined) removeEmptyFolders(path, folder)
  }
  orRefuse(removeSettings(target.recordFile))
  if (allRecords(dirname(target.recordFile)).length === 0) removeHookPrograms(process.env)
}

function notInstalled(target: InstallTarget, record: InstallRecord | undefined): never {
  const { guards, installer } = target
  const others = record?.keys.map((key) => nameOf(key, record)).join(', ')
  return refuse({
    code: 'not_found',
    message: `${installer.client} is not installed for ${guards ?? 'every folder'}.`,
    where: guards ?? target.clientHome,
    next:
      others === undefined
        ? `try ${guards === undefined ? '--project' : '--user'}.`
        : `it is installed for ${others}; run this there.`,
  })
}

/** What a key guards. */
function nameOf(key: InstallKey, record: InstallRecord): string {
  return key.project ?? record.project ?? 'every folder (--user)'
}
