import { dirname } from 'node:path'
import type { NewSessions } from '@statewright/core/wire'
import { type Command, Option } from 'commander'
import type { Scope } from '../../clients/installer.ts'
import { installers } from '../../clients/installers.ts'
import { removeHookPrograms, writeHookProgram } from '../../config/hook-program.ts'
import { forgetOldMarks } from '../../config/session-marks.ts'
import {
  type JsonOption,
  orRefuse,
  printJson,
  refuse,
  say,
  saySentence,
  withServer,
} from '../command.ts'
import { removeEmptyFolders, removeSettings, writeSettings } from '../config/settings-file.ts'
import { printable } from '../output/report.ts'
import { askNewSessions, isGuarded } from '../session/new-sessions.ts'
import { confirmChanges } from './confirm.ts'
import { mintKey, revokeKey, validKey } from './key.ts'
import { type FileChange, type InstallPlan, planInstall, planUninstall } from './plan.ts'
import {
  allRecords,
  type InstallKey,
  type InstallRecord,
  type InstallTarget,
  installTarget,
  keyOf,
  overlapping,
  readRecord,
} from './record.ts'

const clientNames = [...installers.keys()].join(', ')

interface InstallOptions extends JsonOption {
  readonly project?: true
  readonly user?: true
  readonly yes?: true
}

export function addInstall(program: Command): void {
  const command = program
    .command('install')
    .description('let a coding client ask us before each tool call')
    .addHelpText('after', installHelp)
  withOptions(command).action(install)
}

export function addUninstall(program: Command): void {
  const command = program
    .command('uninstall')
    .description('take away exactly what "install" has added')
    .addHelpText('after', '\nExample:\n  statewright uninstall claude-code\n')
  withOptions(command).action(uninstall)
}

function withOptions(command: Command): Command {
  return command
    .argument('<client>', clientNames)
    .addOption(new Option('--project', 'for this project (the default)').conflicts('user'))
    .option('--user', 'for every folder of yours')
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
It shows what would change and asks first. What stood in the files stays as it
is. The entries name a file of yours with a key, which may ask for judgement
and move its own runs, and nothing else. Installing again changes nothing.

Whose settings are changed:
  ${either}
      with --project those of this project that are yours alone, with --user
      your own
  ${userWide}
      always your own, which hold in every folder; the hooks look in which
      project a call happens

What is guarded:
  --project  calls in this project, by its server; a session that has begun here
             is guarded wherever it goes. Calls in folders of nobody pass
  --user     calls in every folder, by the server of this project, except where
             another project has installed the client for itself

Examples:
  statewright install claude-code
  statewright install codex
  statewright install claude-code --user --yes
`

async function install(client: string, options: InstallOptions): Promise<void> {
  await withServer(async (server) => {
    // Nobody should agree to changes that cannot be made.
    const sessions = orRefuse(await askNewSessions(server))
    const target = targetOf(client, options)
    const old = orRefuse(readRecord(target))
    refuseTwice(overlapping(target))
    const before = keyOf(old, target)
    const kept = await validKey(before, server)
    const plan = orRefuse(planInstall(target, old))
    const isWhole =
      kept !== undefined && kept.url === before?.url && plan.changes.every(isUnchanged)
    if (!isWhole && !(await confirmChanges(plan.changes, options))) return cancelled()
    const key = kept ?? (await mintKey(server, target))
    writeHookProgram(process.env)
    if (!isWhole) {
      // First the key, then what refers to it: a hook without its key would block the client.
      writeRecord(target, recordOf(target, old, key, plan.files))
      writeAll(plan)
      if (before !== undefined && before.token_id !== key.token_id) await revokeKey(before, server)
      const { remark } = target.installer
      if (remark !== undefined) saySentence(remark)
      forgetOldMarks(process.env)
    }
    const files = plan.changes.filter((one) => !isUnchanged(one)).map(({ path }) => path)
    sayDone({ client, target, files, token_id: key.token_id, isWhole }, sessions, options)
  })
}

function isUnchanged({ before, after }: FileChange): boolean {
  return before === after
}

function cancelled(): void {
  say('Cancelled. Nothing was changed.')
  process.exitCode = cancelledExit
}

const cancelledExit = 130

function recordOf(
  target: InstallTarget,
  old: InstallRecord | undefined,
  key: InstallKey,
  files: InstallRecord['files'],
): InstallRecord {
  const { installer, scope, project, clientHome: client_home } = target
  const others = old?.keys.filter((one) => one.project !== key.project) ?? []
  const where = { scope, ...(project === undefined ? {} : { project }), client_home }
  return { client: installer.client, ...where, keys: [...others, key], files }
}

function writeRecord({ recordFile }: InstallTarget, record: InstallRecord): void {
  orRefuse(writeSettings(recordFile, `${JSON.stringify(record, null, 2)}\n`))
}

interface Done {
  readonly client: string
  readonly target: InstallTarget
  readonly files: readonly string[]
  readonly token_id: string
  /** All of it stood there already. */
  readonly isWhole: boolean
}

/** The exit code for "the rules said no": here, that there are no rules. */
const unguardedExit = 3

/** Hooks that ask are no guard by themselves: an installation is green when rules answer them. */
function sayDone(done: Done, sessions: NewSessions, options: InstallOptions): void {
  const { client, target, files, token_id, isWhole } = done
  const { guard, sentence, next } = sessions
  const scope = target.guards === undefined ? 'user' : 'project'
  if (options.json === true) printJson({ installed: client, scope, files, token_id, guard })
  else {
    const where = target.guards === undefined ? 'for every folder' : `for ${target.guards}`
    const begin = `${client} is installed${isWhole ? ' already' : ''} ${where}`
    const then = isWhole ? 'Nothing was changed.' : 'Restart it.'
    const end = isGuarded(sessions) || isWhole ? `. ${then}` : ', but nothing is guarded yet.'
    process.stdout.write(`${printable(`${begin}${end}`)}\n`)
  }
  saySentence(sentence)
  if (next !== null) saySentence(`  next: ${next}`)
  if (!isGuarded(sessions)) process.exitCode = unguardedExit
}

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

function targetOf(client: string, options: InstallOptions): InstallTarget {
  const installer = installers.get(client)
  if (installer === undefined) {
    const message = `There is no way to install for ${printable(client.slice(0, 50))}.`
    return refuse({ code: 'usage', message, where: '<client>', next: `name ${clientNames}.` })
  }
  const wanted: Scope = options.user === true ? 'user' : 'project'
  return installTarget(installer, process.env, wanted, process.cwd())
}

function refuseTwice(other: InstallRecord | undefined): void {
  if (other === undefined) return
  const { scope, project } = other
  const where = project ?? 'every folder'
  refuse({
    code: 'usage',
    message: `It is installed already, for ${where}; twice would judge each call twice.`,
    where,
    next: `run "statewright uninstall ${other.client} --${scope}" there first.`,
  })
}

/** All of it or nothing: a client with half of our entries would be blocked or unguarded. */
function writeAll({ changes }: InstallPlan): void {
  const done: FileChange[] = []
  for (const change of changes) {
    const written = isUnchanged(change)
      ? { ok: true as const }
      : writeSettings(change.path, change.after ?? '')
    if (written.ok) {
      done.push(change)
      continue
    }
    for (const { path, before } of done) writeChange({ path, before: undefined, after: before })
    refuse(written.error)
  }
}

function writeChange({ path, before, after }: FileChange): void {
  if (before === after) return
  orRefuse(after === undefined ? removeSettings(path) : writeSettings(path, after))
}
