import { type Command, Option } from 'commander'
import type { Scope } from '../clients/installer.ts'
import { installers } from '../clients/installers.ts'
import { askLine, hasTerminal } from './ask.ts'
import type { Client } from './client.ts'
import { type JsonOption, orRefuse, printJson, refuse, say, withServer } from './command.ts'
import { type InstallKey, mintKey, revokeOld, validKey } from './install-key.ts'
import { type FileChange, type InstallPlan, planInstall, planUninstall } from './install-plan.ts'
import {
  type InstallPlace,
  type InstallRecord,
  installPlace,
  overlapping,
  readRecord,
} from './install-record.ts'
import { askNewSessions, isGuarded } from './new-sessions.ts'
import { printable } from './report.ts'
import { removeEmptyFolders, removeSettings, writeSettings } from './settings-file.ts'
import { textDiff } from './text-diff.ts'

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
    .addOption(new Option('--project', 'in this project (the default)').conflicts('user'))
    .option('--user', 'in every project of yours')
    .option('--yes', 'do not ask; without a terminal nobody is ever asked')
    .option('--json', 'print one JSON object')
}

const installHelp = `
It shows what would change and asks first. What stood in the files stays as it
is. The entries hold a key of their own, which may ask for judgement and move
its own runs, and nothing else.

Examples:
  statewright install claude-code
  statewright install claude-code --user --yes
`

async function install(client: string, options: InstallOptions): Promise<void> {
  await withServer(async (server) => {
    const place = placeOf(client, options)
    const old = orRefuse(readRecord(place))
    refuseTwice(overlapping(place))
    const { url } = server
    const kept = await validKey(old, url)
    const shownKey = kept ?? { token: hiddenToken, hook_token: hiddenToken }
    const preview = orRefuse(planInstall(place, old, { url, ...shownKey }))
    const isWhole = kept !== undefined && preview.changes.every(isUnchanged)
    if (!isWhole) await confirm(preview.changes, options)
    const key = kept ?? (await mintKey(server, place))
    const plan = orRefuse(planInstall(place, old, { url, ...key }))
    if (!isWhole) {
      const record = recordOf(place, { url, ...key }, plan.files)
      // First the key, then what refers to it: a hook without its key would block the client.
      orRefuse(writeSettings(place.recordFile, `${JSON.stringify(record, null, 2)}\n`))
      writeAll(plan)
      if (old !== undefined && old.token_id !== key.token_id) await revokeOld(old, server)
      const { remark } = place.installer
      if (remark !== undefined) say(remark)
    }
    const files = plan.changes.filter((one) => !isUnchanged(one)).map(({ path }) => path)
    await sayDone({ client, place, files, token_id: key.token_id, isWhole }, server, options)
  })
}

function isUnchanged({ before, after }: FileChange): boolean {
  return before === after
}

function recordOf(
  place: InstallPlace,
  key: InstallKey & { readonly url: string },
  files: InstallRecord['files'],
): InstallRecord {
  const { installer, scope, project, clientHome: client_home } = place
  const where = { scope, ...(project === undefined ? {} : { project }), client_home }
  return { client: installer.client, ...where, ...key, files }
}

interface Done {
  readonly client: string
  readonly place: InstallPlace
  readonly files: readonly string[]
  readonly token_id: string
  /** All of it stood there already. */
  readonly isWhole: boolean
}

async function sayDone(done: Done, server: Client, options: InstallOptions): Promise<void> {
  const { client, place, files, token_id, isWhole } = done
  const sessions = await askNewSessions(server)
  if (options.json === true) {
    const guard = sessions.ok ? sessions.value.guard : null
    printJson({ installed: client, scope: place.scope, files, token_id, guard })
  } else {
    const begin = `${client} is installed${isWhole ? ' already' : ''}`
    const isGreen = sessions.ok && isGuarded(sessions.value)
    const then = isWhole
      ? 'Nothing was changed.'
      : `Restart it in ${place.project ?? 'any project'}.`
    const end = isGreen || isWhole ? `. ${then}` : ', but nothing is guarded yet.'
    process.stdout.write(`${begin}${end}\n`)
  }
  sayWhatGuards(sessions)
}

/** The exit code for "the rules said no": here, that there are no rules. */
const unguardedExit = 3

/** Hooks that ask are no guard by themselves: an installation is green when rules answer them. */
function sayWhatGuards(sessions: Awaited<ReturnType<typeof askNewSessions>>): void {
  if (!sessions.ok) {
    say(`What guards a new session is not known: ${sessions.error.message}`)
    process.exitCode = unguardedExit
    return
  }
  const { sentence, next } = sessions.value
  say(sentence)
  if (next !== null) say(`  next: ${next}`)
  if (!isGuarded(sessions.value)) process.exitCode = unguardedExit
}

async function uninstall(client: string, options: InstallOptions): Promise<void> {
  await withServer(async (server) => {
    const place = placeOf(client, options)
    const record = orRefuse(readRecord(place))
    if (record === undefined) {
      const next = place.scope === 'project' ? 'try --user.' : 'try --project.'
      return refuse({
        code: 'not_found',
        message: `${client} was not installed here by us.`,
        where: place.project ?? place.clientHome,
        next,
      })
    }
    const changes = orRefuse(planUninstall(record))
    await confirm(changes, options)
    for (const change of changes) writeChange(change)
    for (const { path, folder } of record.files) {
      if (folder !== undefined) removeEmptyFolders(path, folder)
    }
    orRefuse(removeSettings(place.recordFile))
    await revokeOld(record, server)
    const files = changes.map((change) => change.path)
    if (options.json === true) printJson({ uninstalled: client, scope: place.scope, files })
    else process.stdout.write(`uninstalled ${client}\n`)
  })
}

function placeOf(client: string, options: InstallOptions): InstallPlace {
  const installer = installers.get(client)
  if (installer === undefined) {
    const message = `There is no way to install for ${printable(client.slice(0, 50))}.`
    return refuse({ code: 'usage', message, where: '<client>', next: `name ${clientNames}.` })
  }
  const [usual = 'user'] = installer.scopes
  const asked: Scope | undefined =
    options.user === true ? 'user' : options.project === true ? 'project' : undefined
  const scope = asked ?? usual
  if (!installer.scopes.includes(scope)) {
    const message = `${client} takes hooks only for ${usual === 'user' ? 'a user' : 'a project'}.`
    return refuse({ code: 'usage', message, where: `--${scope}`, next: `use --${usual}.` })
  }
  return installPlace(installer, process.env, scope, process.cwd())
}

function refuseTwice(other: InstallRecord | undefined): void {
  if (other === undefined) return
  const { scope, project } = other
  const where = project ?? 'every project of yours'
  refuse({
    code: 'usage',
    message: `It is installed already, for ${where}; twice would judge each call twice.`,
    where,
    next: `run "statewright uninstall ${other.client} --${scope}" there first.`,
  })
}

/** Stands for the key where changes are shown: a terminal is scrolled back and copied. */
const hiddenToken = 'sw_agent_(made-when-you-agree)'

async function confirm(changes: readonly FileChange[], options: InstallOptions): Promise<void> {
  for (const { path, before, after } of changes) {
    if (before === after) continue
    say(`${after === undefined ? 'remove ' : ''}${printable(path)}`)
    for (const line of textDiff(before ?? '', after ?? '')) say(shown(line))
  }
  if (options.yes === true) return
  if (!hasTerminal()) {
    const message = 'Nothing was changed: there is no terminal to ask on.'
    return refuse({ code: 'usage', message, where: '--yes', next: 'add --yes if you mean it.' })
  }
  const answer = await askLine('Change these files? [y/N] ')
  if (/^y(es)?$/i.test(answer.trim())) return
  refuse({ code: 'usage', message: 'Nothing was changed.', where: 'your answer' })
}

function shown(line: string): string {
  return printable(hideTokens(line.replaceAll('\t', '  ').replace(/\r$/, '')))
}

function hideTokens(line: string): string {
  return line.replaceAll(/sw_(agent|hook|person)_[A-Za-z0-9_-]{10,}/g, 'sw_$1_(hidden)')
}

/** All of it or nothing: a client with half of our entries would be blocked or unguarded. */
function writeAll({ changes }: InstallPlan): void {
  const done: FileChange[] = []
  for (const change of changes) {
    const written = writeSettings(change.path, change.after ?? '')
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
