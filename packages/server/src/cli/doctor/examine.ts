import { existsSync } from 'node:fs'
import { stableText } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { mcpEntry } from '../../client-settings/installed-hook.ts'
import { installers, spokenClient } from '../../client-settings/installers.ts'
import { missingAdditions, ownPieces } from '../../client-settings/missing-additions.ts'
import { offSwitches } from '../../client-settings/off-switches.ts'
import { codingClients } from '../../clients/coding-clients.ts'
import { projectConfigFile, projectRoot } from '../../home/folders.ts'
import { changedHookPrograms } from '../../home/hook-program.ts'
import { listedTools } from '../../mcp/probe-mcp.ts'
import type { Client } from '../api/client.ts'
import { readSettings } from '../config/settings-file.ts'
import { isOnPath } from '../install/found-clients.ts'
import { planInstall } from '../install/plan.ts'
import { type InstallRecord, installTarget } from '../install/record.ts'
import { askNewSessions, askUnguarded } from '../session/new-sessions.ts'
import { tryCanary } from './canary.ts'
import { broken, type ExaminedClient, type Finding, fine, warning } from './finding.ts'
import { type Installation, reinstall } from './installation.ts'

/** Looks at one installation, and tries it for real. `person` speaks to the server it names. */
export async function examine(one: Installation, person: Client): Promise<ExaminedClient> {
  const { record, key } = one
  const { client, scope } = record
  const project = key.project ?? record.project
  const entries = checkEntries(one)
  const findings: Finding[] = [
    ...checkProgram(client),
    ...entries,
    ...checkHookProgram(one),
    ...checkSwitches(record),
    ...checkEnvironment(),
  ]
  const server = await checkServer(person.url, project)
  findings.push(server)
  if (server.status === 'ok') {
    const isWhole = entries.every(({ status }) => status !== 'broken')
    findings.push((await tryCanary(one, person, isWhole)).finding, await checkMcp(one))
    findings.push(await checkGuard(person), ...(await checkPauses(person)))
    findings.push(...(await checkWaiting(person, project)))
  }
  const where = project === undefined ? {} : { project }
  return { client, scope, ...where, url: person.url, findings }
}

/** Hooks of a client that is not there are whole and guard nobody. */
function checkProgram(client: string): Finding[] {
  const program = codingClients.get(spokenClient(client))?.program
  if (program === undefined || isOnPath(program, process.env)) return []
  const message = `There is no ${program} on your PATH: was it moved or removed?`
  const next = `install ${program}, or remove the hooks with "statewright uninstall ${client}".`
  return [warning('client', message, next)]
}

/** Whether all that was put into the client's files still stands there, and still fits. */
function checkEntries(one: Installation): Finding[] {
  const { record } = one
  const unreadable: string[] = []
  const gone = record.files.flatMap(({ path, undo }) => {
    const text = readSettings(path)
    if (!text.ok) return [`${path}: ${text.error.message}`]
    if (text.value !== undefined && undo.kind === 'json' && !isJson(text.value)) {
      unreadable.push(path)
      return []
    }
    if (text.value === undefined) return [path]
    const missing = missingAdditions(text.value, undo)
    return missing.length === 0 ? [] : [`${missing.join(', ')} in ${path}`]
  })
  if (unreadable.length > 0) {
    const next = `fix that file or remove it, then ${reinstall(one)}`
    return unreadable.map((path) => broken('settings', `${path} is not valid JSON.`, next))
  }
  if (gone.length > 0) {
    return [broken('settings', `Missing or changed: ${gone.join('; ')}.`, reinstall(one))]
  }
  const files = record.files.map(({ path }) => path).join(', ')
  const whole = fine('settings', `All Statewright entries are in ${files}.`)
  const stale = isStale(one)
  return stale ? [whole, warning('entries', oldEntries, reinstall(one))] : [whole]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The entries may be whole while the program that they name was exchanged. */
function checkHookProgram(one: Installation): Finding[] {
  return changedHookPrograms(process.env).map((folder) => {
    const message = `The hook program in ${folder} is not the one that was installed.`
    return broken('program', message, reinstall(one))
  })
}

const oldEntries =
  'The Statewright entries are not the ones that this version writes. They may name a Node or ' +
  'a folder that has moved, or an old hook that sends its key unsigned to whatever program ' +
  'listens on the port.'

function isStale({ record }: Installation): boolean {
  const installer = installers.get(record.client)
  if (installer === undefined) return true
  const folder = record.project ?? process.cwd()
  const target = installTarget(installer, process.env, record.scope, folder)
  const plan = planInstall(target, record)
  if (!plan.ok) return true
  const ours = (files: InstallRecord['files']) =>
    stableText(files.map(({ undo }) => ownPieces(undo)))
  return ours(plan.value.files) !== ours(record.files)
}

function checkSwitches(record: InstallRecord): Finding[] {
  const { client, project } = record
  const sources = { project: project ?? projectRoot(process.cwd()), environment: process.env }
  const found = offSwitches(spokenClient(client), sources, (path) => {
    const text = readSettings(path)
    return text.ok ? text.value : undefined
  })
  return found.map(({ path, name }) => {
    const next = `remove ${name} from ${path}, then restart the client.`
    return broken('switches', `${name} in ${path} switches the hooks of Statewright off.`, next)
  })
}

const loadsCode = ['NODE_OPTIONS', 'LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES']

/** The client starts the hook in its own environment, which is likely to be that of this shell. */
function checkEnvironment(): Finding[] {
  const set = loadsCode.filter((name) => (process.env[name] ?? '') !== '')
  if (set.length === 0) return []
  const message = `${set.join(', ')} may load other code into the hook of a client started here.`
  return [warning('environment', message, 'unset it where you start clients, if you can.')]
}

const restart = 'stop the server and start it again with "statewright up".'

async function checkServer(url: string, project: string | undefined): Promise<Finding> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) })
    if (answer.ok) return fine('server', `It answers at ${url}.`)
    return broken('server', `It answers at ${url} with ${answer.status}.`, restart)
  } catch {
    const where = project === undefined ? '' : ` in ${project}`
    const next = `start it with "statewright up"${where}, or install again for another server.`
    const message = `Nothing answers at ${url}: every call that it checks is denied.`
    return broken('server', message, next)
  }
}

async function checkMcp(one: Installation): Promise<Finding> {
  const entry = mcpEntry(one.record.files)
  if (entry === undefined) {
    const message =
      'The entry of the MCP server of Statewright cannot be read, so it was not tried.'
    return warning(
      'mcp',
      message,
      'check in the client that its list of MCP servers contains statewright.',
    )
  }
  const tools = await listedTools(entry)
  if (!tools.ok) {
    const message = `The MCP server of Statewright does not work: ${tools.error.slice(0, 200)}`
    return broken('mcp', message, reinstall(one))
  }
  if (tools.value.includes('statewright_transition')) {
    return fine('mcp', `The MCP server of Statewright offers ${tools.value.length} tools.`)
  }
  return broken('mcp', 'Another MCP server answers instead of Statewright.', reinstall(one))
}

/** A hook that works guards nothing by itself: a session must also be given rules. */
async function checkGuard(person: Client): Promise<Finding> {
  const found = await askNewSessions(person)
  if (!found.ok) return broken('guard', found.error.message, found.error.next ?? restart)
  const { guard, sentence, next } = found.value
  const advice = next ?? undefined
  if (guard === 'workflow') return fine('guard', sentence)
  if (guard === 'closed' || guard === 'policies') return warning('guard', sentence, advice)
  return broken('guard', sentence, advice ?? restart)
}

/** A run that its own agent paused still stands there, and holds nothing. */
async function checkPauses(person: Client): Promise<Finding[]> {
  const found = await askUnguarded(person)
  if (!found.ok) return [broken('pauses', found.error.message, found.error.next ?? restart)]
  return found.value.map(({ run_id, workflow }) => {
    const message = `${run_id} (${workflow}) is unguarded: its agent paused it.`
    return warning('pauses', message, `resume or stop it: "statewright run resume ${run_id}".`)
  })
}

/** What stands in the files and does not hold is told to whoever wrote it, and to who did not. */
async function checkWaiting(person: Client, project: string | undefined): Promise<Finding[]> {
  const found = await person.call(endpoints.getConfig, {})
  if (!found.ok) return [broken('configuration', found.error.message, found.error.next ?? restart)]
  const changes = found.value.waiting?.changes ?? []
  if (changes.length === 0) return []
  const looser = changes.flatMap(({ loosens }) => loosens ?? [])
  const keys = changes.map(({ key }) => key).join(', ')
  const file = project === undefined ? undefined : projectConfigFile(project)
  const isGone = file !== undefined && !existsSync(file)
  const gone = isGone ? ` ${file} is missing.` : ''
  const message = `A change of ${keys} waits; the old settings are still in effect.${gone}`
  const undo = isGone ? 'restore the file' : 'undo it in the file'
  const next = `accept it with "statewright config accept", or ${undo}.`
  const more = looser.length === 0 ? '' : ` It loosens: ${looser.join(' ')}`
  return [warning('configuration', message + more, next)]
}
