import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isJsonObject, type JsonObject } from '@statewright/core/internal'
import { transcriptLimits } from './limits.ts'
import { mergeByTime } from './merge.ts'
import { idOf, isTooDeep, outputFacts, timeOf } from './parse-line.ts'
import type {
  FoundTranscript,
  TranscriptEvent,
  TranscriptFile,
  TranscriptReader,
  TranscriptResult,
} from './transcript.ts'

const name = 'opencode.db'

/** One database with a row for each part of a message. Of its other tables none is looked at. */
export const opencode: TranscriptReader = {
  client: 'opencode',
  folder: ({ home, variables }) =>
    join(variables.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode'),
  find,
  read: ({ path, session, agents = [], cwd }) =>
    mergeByTime([
      readSession(path, session, { cwd }),
      ...agents.map(({ agent }) => readSession(path, agent, { cwd, agent })),
    ]),
}

async function* find(folder: string, since: number): AsyncGenerator<FoundTranscript> {
  const path = join(folder, name)
  if (!existsSync(path)) return
  const stat = lstatSync(path)
  if (!stat.isFile()) {
    yield { skipped: { path, why: stat.isSymbolicLink() ? 'a link' : 'not a file' } }
    return
  }
  const database = openReadOnly(path)
  if (database === undefined) {
    yield { skipped: { path, why: 'unreadable' } }
    return
  }
  try {
    yield* sessionsIn(database, path, since)
  } catch {
    yield { skipped: { path, why: 'unreadable' } }
  } finally {
    database.close()
  }
}

function* sessionsIn(
  database: DatabaseSync,
  path: string,
  since: number,
): Generator<FoundTranscript> {
  const children = database.prepare('select id from session where parent_id = ? limit ?')
  const rows = database.prepare(
    `select s.id, s.directory, s.time_created, s.time_updated,
       (select count(*) from part p where p.session_id = s.id) as parts
     from session s
     where s.parent_id is null and s.time_updated >= ? order by s.time_updated limit ?`,
  )
  for (const row of rows.iterate(since, transcriptLimits.files)) {
    const session = idOf(row.id)
    if (session === undefined) continue
    const agents = children
      .all(session, transcriptLimits.agents)
      .flatMap((child) => idOf(child.id) ?? [])
      .map((agent) => ({ path, agent }))
    const file: TranscriptFile = {
      ...{ client: 'opencode', path, session, bytes: Number(row.parts) },
      ...{ startedAt: timeOf(row.time_created, 0), modifiedAt: timeOf(row.time_updated, 0) },
      ...(typeof row.directory === 'string' ? { cwd: row.directory } : {}),
      ...(agents.length === 0 ? {} : { agents }),
    }
    yield { file }
  }
}

interface Where {
  readonly cwd: string | undefined
  readonly agent?: string
}

async function* readSession(
  path: string,
  session: string,
  where: Where,
): AsyncGenerator<TranscriptEvent> {
  const database = openReadOnly(path)
  if (database === undefined) return
  try {
    const rows = database.prepare(
      `select p.message_id, p.time_created, length(p.data) as size,
         case when length(p.data) <= ? then p.data end as data,
         json_extract(m.data, '$.role') as role
       from part p join message m on m.id = p.message_id
       where p.session_id = ? order by p.id`,
    )
    let line = 0
    let [message, waiting]: [unknown, TranscriptEvent[]] = [null, []]
    for (const row of rows.iterate(transcriptLimits.lineBytes, session)) {
      line += 1
      if (row.message_id !== message || waiting.length > transcriptLimits.rememberedCalls) {
        yield* inOrder(waiting)
        message = row.message_id
        waiting = []
      }
      waiting.push(...eventsOf(row, line, where))
    }
    yield* inOrder(waiting)
  } catch {
    yield { kind: 'unreadable', line: 0, why: 'not JSON' }
  } finally {
    database.close()
  }
}

/** Calls of one message run side by side: all were asked for before the first one ended. */
function inOrder(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const results = events.filter((event) => event.kind === 'result')
  return [...events.filter((event) => event.kind !== 'result'), ...results]
}

function eventsOf(
  row: Readonly<Record<string, unknown>>,
  line: number,
  { cwd, agent }: Where,
): TranscriptEvent[] {
  if (typeof row.data !== 'string') return [{ kind: 'unreadable', line, why: 'too long' }]
  const part = parsed(row.data)
  if (part === undefined) return [{ kind: 'unreadable', line, why: 'not JSON' }]
  const before = timeOf(row.time_created, 0)
  if (part.type === 'text') {
    const { text } = part
    if (row.role !== 'user' || agent !== undefined || typeof text !== 'string') return []
    return [{ kind: 'prompt', at: before, text: text.slice(0, transcriptLimits.promptLength) }]
  }
  const { tool, state } = part
  const id = idOf(part.callID)
  if (part.type !== 'tool' || typeof tool !== 'string' || !isJsonObject(state)) return []
  if (id === undefined || tool.startsWith('statewright_')) return []
  if (isTooDeep(state.input)) return [{ kind: 'unreadable', line, why: 'nested too deeply' }]
  const time = isJsonObject(state.time) ? state.time : {}
  const at = timeOf(time.start, before)
  const call: TranscriptEvent = {
    ...{ kind: 'call', at, id, tool, input: state.input },
    ...(cwd === undefined ? {} : { cwd }),
    ...(agent === undefined ? {} : { agent }),
  }
  if (state.status !== 'completed' && state.status !== 'error') return [call]
  const text = String(state.output ?? state.error ?? '')
  const exit = exitOf(tool, state)
  const facts = { ...outputFacts(text), ...beforeOf(state.metadata) }
  return [call, { kind: 'result', at: timeOf(time.end, at), id, exit, ...facts }]
}

/** Of a file that was there it is not told what it held. */
function beforeOf(metadata: unknown): Pick<TranscriptResult, 'before'> {
  if (!isJsonObject(metadata) || metadata.exists !== false) return {}
  const { filepath: path } = metadata
  return typeof path === 'string' ? { before: { path, text: null } } : {}
}

function exitOf(tool: string, state: JsonObject): 'success' | 'failure' | null {
  if (state.status === 'error') return 'failure'
  if (tool !== 'bash') return 'success'
  const exit = isJsonObject(state.metadata) ? state.metadata.exit : undefined
  return typeof exit !== 'number' ? null : exit === 0 ? 'success' : 'failure'
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Opened so that nothing beside it is written either: where the client left no log of changes, the
 * file is taken as one that nobody changes; else its log is read along.
 */
function openReadOnly(path: string): DatabaseSync | undefined {
  try {
    const url = pathToFileURL(path)
    if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
    return new DatabaseSync(url, { readOnly: true, timeout: 2000 })
  } catch {
    return undefined
  }
}
