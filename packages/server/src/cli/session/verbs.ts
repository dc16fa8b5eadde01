import { endpoints, type Session } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, printJson, refuse, say, withServer } from '../command.ts'
import { findSession } from './commands.ts'
import { stopSession } from './talk.ts'

/** What people do to a session in one command: each says how the session stands afterwards. */
function verb(
  done: (client: Client, session: Session) => Promise<Session>,
): (given: string, options: JsonOption) => Promise<void> {
  return (given, options) =>
    withServer(async (client) => {
      const after = await done(client, await findSession(client, given))
      if (options.json === true) printJson(after)
      else say(`[${after.kind}]`)
    })
}

export interface SendOptions extends JsonOption {
  readonly interrupt?: true
}

/** While it works the words wait for the end of the turn, or end it. */
export function sendToSession(
  given: string,
  words: readonly string[],
  options: SendOptions,
): Promise<void> {
  const when = options.interrupt === true ? 'interrupt' : 'queue'
  const body = { text: words.join(' '), when } as const
  return verb((client, { sessionId: id }) =>
    call(client, endpoints.sendInput, { params: { id }, body }),
  )(given, options)
}

export const stopOne = verb((client, { sessionId }) => stopSession(client, sessionId))

export const interruptOne = verb((client, { sessionId: id }) =>
  call(client, endpoints.interruptSession, { params: { id } }),
)

export const compactOne = verb((client, { sessionId: id }) =>
  call(client, endpoints.compactSession, { params: { id } }),
)

export const resumeOne = verb((client, { sessionId: id }) =>
  call(client, endpoints.resumeSession, { params: { id } }),
)

/** Without words the name is taken away. */
export function renameOne(
  given: string,
  words: readonly string[],
  options: JsonOption,
): Promise<void> {
  const title = words.length === 0 ? null : words.join(' ')
  return verb((client, { sessionId: id }) =>
    call(client, endpoints.editSession, { params: { id }, body: { title } }),
  )(given, options)
}

/** Without a name the model is again the one that it was started with. */
export function chooseModel(
  given: string,
  name: string | undefined,
  options: JsonOption,
): Promise<void> {
  const body = { model: name ?? null }
  return verb((client, { sessionId: id }) =>
    call(client, endpoints.editSession, { params: { id }, body }),
  )(given, options)
}

export async function removeOne(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { sessionId: id } = await findSession(client, given)
    const removed = await call(client, endpoints.deleteSession, { params: { id } })
    if (options.json === true) printJson(removed)
    else say('removed')
  })
}

/** `statewright session retry`: what failed last, unless a run is named. */
export function retryRun(
  given: string,
  run: string | undefined,
  options: JsonOption,
): Promise<void> {
  return verb((client, session) => retryLast(client, session, run))(given, options)
}

async function retryLast(client: Client, session: Session, named?: string): Promise<Session> {
  const { sessionId: id, retries, lastError } = session
  const last = retries.at(-1)
  const run = named ?? (last !== undefined && 'runId' in last ? last.runId : undefined)
  if (run !== undefined) {
    const row = run.startsWith('hookrun_') ? endpoints.retryHook : endpoints.retryTool
    return call(client, row, { params: { id, run } })
  }
  if (last !== undefined) return call(client, endpoints.retrySession, { params: { id } })
  const message =
    lastError === null
      ? 'Nothing in this session failed.'
      : 'Nothing can be retried now: the model already knows what failed.'
  const next = 'send a message with "statewright session send".'
  return refuse({ code: 'usage', message, where: id, next })
}
