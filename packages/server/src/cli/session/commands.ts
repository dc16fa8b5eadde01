import { resolve } from 'node:path'
import { defined } from '@statewright/core/internal'
import { endpoints, type Session, type SessionLine } from '@statewright/core/wire'
import { projectRoot } from '../../home/folders.ts'
import type { Client } from '../api/client.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  readObjectOption,
  refuse,
  say,
  withServer,
} from '../command.ts'
import { whatWaits } from '../output/approval-lines.ts'
import { printable } from '../output/report.ts'
import { compactionWords, contextWords } from '../output/session-lines.ts'
import { table, terminalWidth } from '../output/table.ts'
import { ago } from '../output/times.ts'
import { shortId } from '../run/refs.ts'
import { talkWith } from './talk.ts'

export interface StartOptions extends JsonOption {
  readonly harness: string
  readonly workflow?: string
  readonly process?: string
  readonly context?: string
  readonly project?: string
  readonly model?: string
  readonly script?: string
  readonly option?: readonly string[]
  readonly say?: string
  readonly detach?: true
}

/** `statewright session start`: starts one and stays with it. */
export async function startSession(options: StartOptions): Promise<void> {
  await withServer(async (client) => {
    const { harness, workflow, process: name, context } = options
    const body = defined({
      harness,
      projectPath: resolve(options.project ?? projectRoot(process.cwd())),
      options: harnessOptions(options),
      workflow,
      process: name,
      context: orRefuse(readObjectOption(context, '--context')),
    })
    const started = await call(client, endpoints.startSession, { body })
    if (options.detach === true) {
      if (options.json === true) printJson(started)
      else process.stdout.write(`${started.sessionId}\n`)
      return
    }
    say(printable(`started ${started.sessionId}; Ctrl-C stops it`))
    const json = options.json === true
    const words = options.say
    const view = await talkWith(client, started, { json, words, atEnd: 'stop', from: '0' })
    if (view.lastError !== null && process.exitCode === undefined) process.exitCode = 1
  })
}

function harnessOptions({ model, script, option = [] }: StartOptions): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  if (model !== undefined) given.model = model
  if (script !== undefined) given.script = script
  for (const one of option) {
    const at = one.indexOf('=')
    if (at <= 0) {
      const message = `"${one}" is not an option of a harness.`
      refuse({ code: 'usage', message, where: '--option', next: 'write it as name=value.' })
    }
    given[one.slice(0, at)] = jsonOrText(one.slice(at + 1))
  }
  return given
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `statewright session attach`: shows what was said, then what comes; leaving does not stop it. */
export async function attachSession(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const attached = await findSession(client, given)
    const json = options.json === true
    if (!json) tellConversation(attached)
    if (attached.kind === 'stopped') return
    const from = attached.lastEventId
    await talkWith(client, attached, { json, atEnd: 'leave', from })
  })
}

function tellConversation({ conversation, kind }: Session): void {
  for (const message of conversation) {
    const { role, content } = message
    if (role === 'tool') say(printable(`tool ${message.toolName}: ${content.length} characters`))
    else if (role === 'compaction') say(compactionWords[message.how])
    else {
      const mark = role === 'user' ? '> ' : ''
      process.stdout.write(`${mark}${content.split('\n').map(printable).join('\n')}\n`)
    }
  }
  say(`[${kind}]`)
}

export async function showSession(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const attached = await findSession(client, given)
    if (options.json === true) {
      printJson(attached)
      return
    }
    const { sessionId, kind, title, harness, projectPath, workflow, runId } = attached
    const { lastError } = attached
    const lines = [
      `${sessionId}: ${kind}${title === null ? '' : `, ${title}`}`,
      `  harness:  ${harness}`,
      `  project:  ${projectPath}`,
      `  workflow: ${workflow === null ? 'none' : `${workflow} (${runId})`}`,
      `  cost:     ${costWords(attached)}`,
    ]
    const { context } = attached.state
    if (context !== null) lines.push(`  context:  ${contextWords(context)}`)
    if (lastError !== null) lines.push(`  error:    ${lastError.code}: ${lastError.message}`)
    const { toolRuns, hookRuns } = attached.state
    lines.push(...toolRuns.slice(-10).map((run) => runLine(`tool ${run.toolName}`, run)))
    lines.push(...hookRuns.slice(-10).map((run) => runLine(`hook ${run.hookName}`, run)))
    if (runId !== null) lines.push(...(await waitingLines(client, runId)))
    process.stdout.write(`${lines.map(printable).join('\n')}\n`)
  })
}

/** What has no known price is no gift. */
function costWords({ costUsd, unpricedRequests }: Session): string {
  const spent = `$${costUsd.toFixed(4)}`
  if (unpricedRequests === 0) return spent
  return `${spent}, and ${unpricedRequests} requests of unknown price`
}

/** What waits for a person in its run, and how to answer it. */
async function waitingLines(client: Client, run: string): Promise<string[]> {
  const query = { status: 'waiting', run, limit: 20 } as const
  const { approvals } = await call(client, endpoints.listApprovals, { query })
  return approvals.map(
    (one) => `  waits for you: ${whatWaits(one)}; "statewright approval show ${one.approval_id}"`,
  )
}

function runLine(
  what: string,
  { status, error, runId }: { status: string; error?: string | undefined; runId: string },
): string {
  return `  ${what}: ${status}${error === undefined ? '' : `, ${error}`} ${runId}`
}

export async function listSessions(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { sessions } = await call(client, endpoints.listSessions, { query: { limit: 500 } })
    if (options.json === true) {
      for (const session of sessions) printJson(session)
      return
    }
    if (sessions.length === 0) {
      say('There is no session yet. Start one with "statewright session start".')
      return
    }
    const shown = table<SessionLine>(
      sessions,
      [
        { title: 'SESSION', text: ({ sessionId }) => shortId(sessionId) },
        { title: 'STATE', text: ({ kind }) => kind },
        { title: 'TITLE', text: ({ title }) => title ?? '' },
        { title: 'HARNESS', text: ({ harness }) => harness },
        { title: 'WORKFLOW', text: ({ workflow }) => workflow ?? '' },
        { title: 'COST', text: ({ costUsd }) => (costUsd === 0 ? '-' : `$${costUsd.toFixed(4)}`) },
        { title: 'CHANGED', text: ({ updatedAtMs }) => ago(updatedAtMs) },
        { title: 'PROJECT', text: ({ projectPath }) => projectPath, gives: true },
      ],
      terminalWidth(),
    )
    process.stdout.write(`${shown}\n`)
  })
}

const wholeId = /^sess_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A session by its id or by the beginning of it; between two it is never guessed. */
export async function findSession(client: Client, given: string): Promise<Session> {
  const byId = (id: string) => call(client, endpoints.getSession, { params: { id } })
  if (wholeId.test(given)) return byId(given)
  const { sessions } = await call(client, endpoints.listSessions, { query: { limit: 500 } })
  const wanted = given.startsWith('sess_') ? given : `sess_${given}`
  const found = sessions.filter(({ sessionId }) => sessionId.startsWith(wanted))
  const [first] = found
  if (first !== undefined && found.length === 1) return byId(first.sessionId)
  const message =
    first === undefined
      ? `No session begins with "${given}".`
      : `${found.length} sessions begin with "${given}".`
  const next = 'copy it from "statewright session list".'
  return refuse({ code: 'session_not_found', message, where: 'session', next })
}
