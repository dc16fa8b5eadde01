import type { NewSessions } from '@statewright/core/wire'
import type { Scope } from '../../client-settings/installer.ts'
import { installers } from '../../client-settings/installers.ts'
import { writeHookProgram } from '../../home/hook-program.ts'
import { forgetOldMarks } from '../../home/session-marks.ts'
import type { Client } from '../api/client.ts'
import { type JsonOption, orRefuse, printJson, refuse, say, saySentence } from '../command.ts'
import { removeSettings, writeSettings } from '../config/settings-file.ts'
import { tryCanary } from '../doctor/canary.ts'
import { forTerminal, printable, usesColour } from '../output/report.ts'
import { askNewSessions, isGuarded } from '../session/new-sessions.ts'
import { confirmChanges } from './confirm.ts'
import { mintKey, revokeKey, validKey } from './key.ts'
import { type FileChange, type InstallPlan, planInstall } from './plan.ts'
import {
  type InstallKey,
  type InstallRecord,
  type InstallTarget,
  installTarget,
  keyOf,
  overlapping,
  readRecord,
} from './record.ts'

export const clientNames = [...installers.keys()].join(', ')

export interface InstallOptions extends JsonOption {
  readonly project?: true
  readonly user?: true
  readonly yes?: true
}

export interface Installed {
  readonly client: string
  readonly target: InstallTarget
  readonly record: InstallRecord
  readonly key: InstallKey
  readonly files: readonly string[]
  /** All of it stood there already. */
  readonly isWhole: boolean
  /** What holds a session that begins now. */
  readonly sessions: NewSessions
}

/** Puts a client under the server; undefined where the person declined. */
export async function installClient(
  server: Client,
  client: string,
  options: InstallOptions,
): Promise<Installed | undefined> {
  // Nobody should agree to changes that cannot be made.
  const sessions = orRefuse(await askNewSessions(server))
  const target = targetOf(client, options)
  const old = orRefuse(readRecord(target))
  refuseTwice(overlapping(target))
  const before = keyOf(old, target)
  const kept = await validKey(before, server)
  const plan = orRefuse(planInstall(target, old))
  const isWhole = kept !== undefined && kept.url === before?.url && plan.changes.every(isUnchanged)
  if (!isWhole && !(await confirmChanges(plan.changes, options))) return undefined
  const key = kept ?? (await mintKey(server, target))
  writeHookProgram(process.env)
  const record = recordOf(target, old, key, plan.files)
  if (!isWhole) {
    // First the key, then what refers to it: a hook without its key would block the client.
    writeRecord(target, record)
    writeAll(plan)
    if (before !== undefined && before.token_id !== key.token_id) await revokeKey(before, server)
    const { remark } = target.installer
    if (remark !== undefined) saySentence(remark)
    forgetOldMarks(process.env)
  }
  const files = plan.changes.filter((one) => !isUnchanged(one)).map(({ path }) => path)
  return { client, target, record, key, files, isWhole, sessions }
}

function isUnchanged({ before, after }: FileChange): boolean {
  return before === after
}

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

export function writeRecord({ recordFile }: InstallTarget, record: InstallRecord): void {
  orRefuse(writeSettings(recordFile, `${JSON.stringify(record, null, 2)}\n`))
}

/** The exit code for "the rules said no": here, that there are no rules, or that none denied. */
const unguardedExit = 3

/** Hooks that ask are no guard by themselves: an installation is green when rules answer them. */
export function sayInstalled(done: Installed, options: JsonOption): void {
  const { client, target, files, key, isWhole, sessions } = done
  const { guard, sentence, next } = sessions
  const { token_id } = key
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

/** Tries the hook at once: anyone who has installed it wants to see it deny. */
export async function showDenial(done: Installed, person: Client): Promise<void> {
  if (!isGuarded(done.sessions)) return
  const { finding, denial } = await tryCanary(done, person, true)
  if (denial !== undefined) {
    saySentence('Tried the hook in a run of its own, in which nothing may be written.')
    return sayDenial(denial)
  }
  saySentence(`The hook was tried with a forbidden call. ${finding.message}`)
  if (finding.next !== undefined) saySentence(`  next: ${finding.next}`)
  process.exitCode = unguardedExit
}

/** The first line says why; what follows is for the agent. */
export function sayDenial(denial: string): void {
  const [reason = ''] = denial.split('\n')
  const begin = 'Denied, as it should be:'
  const line = forTerminal(`${begin} ${printable(reason)}`)
  const paints = usesColour(process.stderr)
  say(paints ? line.replace(begin, `\u001b[32m${begin}\u001b[0m`) : line)
}

export function targetOf(client: string, options: InstallOptions): InstallTarget {
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
    message: `It is already installed for ${where}. A second one would check each call twice.`,
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

export function writeChange({ path, before, after }: FileChange): void {
  if (before === after) return
  orRefuse(after === undefined ? removeSettings(path) : writeSettings(path, after))
}
