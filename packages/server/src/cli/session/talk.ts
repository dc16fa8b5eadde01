import type { AgentUpdate, AgentView } from '@statewright/core/internal'
import { endpoints, type Session } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import { call, say, tryCall } from '../command.ts'
import { printable, reportProblem } from '../output/report.ts'
import { followSession } from './follow.ts'
import { type LineResult, type Lines, lineReader, wordsOf } from './lines.ts'
import { Screen } from './screen.ts'
import { WaitingApprovals } from './waiting.ts'

export interface TalkOptions {
  readonly json: boolean
  /** Said first; nothing is read from standard input then. */
  readonly words?: string | undefined
  /** What Ctrl-C and the end of the input do: stop the session, or only leave it. */
  readonly atEnd: 'stop' | 'leave'
  /** Place after which to begin; the whole story for a session of our own. */
  readonly from: string
}

/**
 * The live view of a session: what it does as it does it, and a line of input whenever it is
 * ready. Gives back how it stood at the end.
 */
export async function talkWith(
  client: Client,
  attached: Session,
  options: TalkOptions,
): Promise<AgentView> {
  const { sessionId } = attached
  const leaving = new AbortController()
  const screen = new Screen(attached, { ...options, typed: () => input.typed() })
  const isAtWork = () => atWork.has(screen.view.state)
  const endLine = () => screen.endLine()
  const { signal } = leaving
  const input = inputOf(client, attached, options, { signal, endLine, isAtWork })
  let isAsking = false

  const onTurn = async (): Promise<void> => {
    if (leaving.signal.aborted) return
    const { state } = screen.view
    if (isAsking) return state === 'ready' ? input.remind() : undefined
    if (state === 'stopped') return leaving.abort()
    if (state !== 'ready' && state !== 'error') return
    isAsking = true
    const line = await nextLine()
    isAsking = false
    // What it came to while we looked was passed over: nobody would end it.
    if (line === notNow) return screen.view.state === 'error' ? undefined : onTurn()
    if (line === undefined) return end()
    if (line.trim() === '') return onTurn()
    const sent = await sendLine(client, sessionId, line)
    if (!sent.ok) reportProblem(sent.error)
  }
  const nextLine = async (): Promise<string | undefined | typeof notNow> => {
    if (screen.view.state === 'error') {
      const failed = await failedForGood(client, sessionId)
      if (failed === undefined) return notNow
      tellFailure(failed, options.words === undefined ? 'goes on' : 'is over')
      if (options.words !== undefined) return undefined
    }
    return input.next(hasTerminal() ? '> ' : '')
  }
  const end = async (): Promise<void> => {
    if (options.atEnd === 'leave') return leaving.abort()
    await stopSession(client, sessionId)
  }
  const take = (update: AgentUpdate): void => {
    if (screen.show(update)) void onTurn().catch(() => leaving.abort())
  }
  const turn = turnOf(client, sessionId, () => isTalking(options) && isAtWork())
  const stopKeys = onStopKey({ ...options, ...turn, end, endLine, leaving, sessionId })
  try {
    void onTurn().catch(() => leaving.abort())
    await followSession(sessionId, options.from, take, signal)
  } finally {
    stopKeys()
    input.close()
    endLine()
  }
  return screen.view
}

/** What is said to the session; what waits for a person in its run is shown meanwhile. */
function inputOf(
  client: Client,
  { runId, sessionId }: Session,
  { json, words }: TalkOptions,
  view: {
    readonly signal: AbortSignal
    readonly endLine: () => void
    readonly isAtWork: () => boolean
  },
): Lines {
  const isWatched = runId !== null && !json
  const approvals = isWatched ? new WaitingApprovals(client, runId, view.endLine) : undefined
  void approvals?.watch(view.signal).catch(() => {})
  if (words !== undefined) return wordsOf(words)
  const command = async (line: string): Promise<LineResult> => {
    if (line.trim() === '/retry') return (await retryHere(client, sessionId)) ? 'goes on' : 'yes'
    return (await approvals?.answer(line)) === true ? 'yes' : 'no'
  }
  // It waits for its turn at the server, where it is not lost when we leave.
  const atOnce = (line: string): boolean => {
    if (!view.isAtWork() || line.trim() === '') return false
    void sendLine(client, sessionId, line).then((sent) => {
      if (!sent.ok) reportProblem(sent.error)
    })
    return true
  }
  return lineReader(command, atOnce)
}

/** Has what failed last done again; says why where that cannot be. */
async function retryHere(client: Client, id: string): Promise<boolean> {
  const now = await tryCall(client, endpoints.getSession, { params: { id } })
  const last = now.ok ? now.value.retries.at(-1) : undefined
  if (last === undefined) {
    say('Nothing can be retried now.')
    return false
  }
  const run = 'runId' in last ? last.runId : ''
  const row = last.kind === 'hook' ? endpoints.retryHook : endpoints.retryTool
  const done =
    run === ''
      ? await tryCall(client, endpoints.retrySession, { params: { id } })
      : await tryCall(client, row, { params: { id, run } })
  if (!done.ok) reportProblem(done.error)
  return done.ok
}

/** A retry is announced, or it stands otherwise by now: the next update says more. */
const notNow = Symbol('not now')

/** The session, if it stands in error and will not try again by itself. */
async function failedForGood(client: Client, sessionId: string): Promise<Session | undefined> {
  const now = await call(client, endpoints.getSession, { params: { id: sessionId } })
  return now.kind === 'error' && now.retryAtMs === null ? now : undefined
}

/** What went wrong, where, and what the person can do: nobody else will do anything. */
function tellFailure({ sessionId, lastError, state }: Session, it: 'goes on' | 'is over'): void {
  const { code, message } = lastError ?? { code: 'error', message: 'The session failed.' }
  const isFailed = ({ status }: { status: string }) => status === 'failed'
  const run = (state.hookRuns.findLast(isFailed) ?? state.toolRuns.findLast(isFailed))?.runId
  const command = hasTerminal() ? '/retry' : `statewright session retry ${sessionId} ${run}`
  const again = `use "${command}" to run it again`
  const typed = 'send a message to continue'
  const goingOn = run === undefined ? `${typed} from here` : `${typed} without it, or ${again}`
  const next =
    it === 'goes on' ? goingOn : 'the session has stopped; fix the cause and start another'
  const what = `${code}: ${message.replaceAll(/\s+/g, ' ')}`
  const lines = [what, `  in: session ${sessionId}`, `  next: ${next}.`]
  // At a terminal the error stands right above.
  for (const line of hasTerminal() ? lines.slice(-1) : lines) say(printable(line))
}

export async function stopSession(client: Client, sessionId: string): Promise<Session> {
  return call(client, endpoints.stopSession, { params: { id: sessionId }, body: {} })
}

/** Whether a person sits there who may mean the turn alone. */
function isTalking({ words, json }: TalkOptions): boolean {
  return hasTerminal() && words === undefined && !json
}

function sendLine(client: Client, id: string, text: string) {
  return tryCall(client, endpoints.sendInput, { params: { id }, body: { text } })
}

function turnOf(client: Client, id: string, isAtWork: () => boolean) {
  const interrupt = async (): Promise<void> => {
    const done = await tryCall(client, endpoints.interruptSession, { params: { id } })
    if (!done.ok) reportProblem(done.error)
  }
  return { isAtWork, interrupt }
}

const atWork: ReadonlySet<string> = new Set(['calling_llm', 'executing_tools', 'post_tools_hook'])

/**
 * While the session works the first Ctrl-C interrupts its turn and the second leaves it; at rest
 * the first ends in order and the second at once.
 */
function onStopKey(how: {
  readonly atEnd: 'stop' | 'leave'
  readonly end: () => Promise<void>
  readonly endLine: () => void
  readonly leaving: AbortController
  readonly sessionId: string
  readonly isAtWork: () => boolean
  readonly interrupt: () => Promise<void>
}): () => void {
  let times = 0
  let isInterrupting = false
  const onInterrupt = () => {
    how.endLine()
    if (times === 0 && how.isAtWork()) {
      if (isInterrupting) return leave()
      isInterrupting = true
      say('Interrupting; Ctrl-C again leaves the session.')
      void how.interrupt().finally(() => {
        isInterrupting = false
      })
      return
    }
    times += 1
    if (times > 1) process.exit(130)
    process.exitCode = 130
    if (how.atEnd === 'leave') return leave()
    say('Stopping the session; Ctrl-C again leaves at once.')
    how.end().catch(() => how.leaving.abort())
  }
  const leave = () => {
    process.exitCode = 130
    say(`You left the session; attach again with "statewright session attach ${how.sessionId}".`)
    how.leaving.abort()
  }
  process.on('SIGINT', onInterrupt)
  return () => process.off('SIGINT', onInterrupt)
}
