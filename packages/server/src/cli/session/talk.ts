import {
  type AgentUpdate,
  type AgentView,
  emptyAgentView,
  foldAgentUpdate,
} from '@statewright/core/internal'
import { endpoints, type Session } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import { call, printJson, say, tryCall } from '../command.ts'
import { printable, reportProblem } from '../output/report.ts'
import { newText } from '../output/session-lines.ts'
import { followSession } from './follow.ts'
import { type Lines, lineReader, wordsOf } from './lines.ts'
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
  const input = inputOf(client, attached, options, leaving.signal)
  let view: AgentView = {
    ...emptyAgentView(sessionId),
    ...(options.from === '0' ? {} : { state: attached.kind, costUsd: attached.costUsd }),
  }
  let isInLine = false
  let isAsking = false

  const onTurn = async (): Promise<void> => {
    if (isAsking || leaving.signal.aborted) return
    if (view.state === 'stopped') return leaving.abort()
    if (view.state !== 'ready' && view.state !== 'error') return
    isAsking = true
    const line = await nextLine()
    isAsking = false
    // What it came to while we looked was passed over: nobody would end it.
    if (line === notNow) return view.state === 'error' ? undefined : onTurn()
    if (line === undefined) return end()
    if (line.trim() === '') return onTurn()
    const sent = await sendLine(client, sessionId, line)
    if (!sent.ok) reportProblem(sent.error)
  }
  const nextLine = async (): Promise<string | undefined | typeof notNow> => {
    if (view.state === 'error') {
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
    const before = view
    view = foldAgentUpdate(view, update)
    if (options.json) {
      printJson({ event: update.channel, data: update.event })
    } else {
      const shown = newText(before, view, isInLine, input.typed())
      isInLine = shown.isInLine
      process.stdout.write(shown.text)
    }
    if (before.state !== view.state) void onTurn().catch(() => leaving.abort())
  }
  const turn = turnOf(client, sessionId, () => isTalking(options) && atWork.has(view.state))
  const stopKeys = onStopKey({ ...options, ...turn, end, leaving, sessionId })
  try {
    void onTurn().catch(() => leaving.abort())
    await followSession(sessionId, options.from, take, leaving.signal)
  } finally {
    stopKeys()
    input.close()
    if (isInLine) process.stdout.write('\n')
  }
  return view
}

/** What is said to the session; what waits for a person in its run is shown meanwhile. */
function inputOf(
  client: Client,
  { runId }: Session,
  { json, words }: TalkOptions,
  signal: AbortSignal,
): Lines {
  const approvals = runId === null || json ? undefined : new WaitingApprovals(client, runId)
  void approvals?.watch(signal).catch(() => {})
  if (words !== undefined) return wordsOf(words)
  return lineReader(async (line) => (await approvals?.answer(line)) ?? false)
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
  const { code, message } = lastError ?? { code: 'error', message: 'It stands in error.' }
  const isFailed = ({ status }: { status: string }) => status === 'failed'
  const run = (state.hookRuns.findLast(isFailed) ?? state.toolRuns.findLast(isFailed))?.runId
  const again = `"statewright session retry ${sessionId} ${run}" runs it again`
  const typed = 'say something and it goes on'
  const goingOn = run === undefined ? `${typed} from here` : `${typed} without, or ${again}`
  const next = it === 'goes on' ? goingOn : 'the session is stopped; mend that and start another'
  const what = `${code}: ${message.replaceAll(/\s+/g, ' ')}`
  for (const line of [what, `  in: session ${sessionId}`, `  next: ${next}.`]) {
    say(printable(line))
  }
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
  readonly leaving: AbortController
  readonly sessionId: string
  readonly isAtWork: () => boolean
  readonly interrupt: () => Promise<void>
}): () => void {
  let times = 0
  let isInterrupting = false
  const onInterrupt = () => {
    if (times === 0 && how.isAtWork()) {
      if (isInterrupting) return leave()
      isInterrupting = true
      say('Interrupting; once more leaves the session.')
      void how.interrupt().finally(() => {
        isInterrupting = false
      })
      return
    }
    times += 1
    if (times > 1) process.exit(130)
    process.exitCode = 130
    if (how.atEnd === 'leave') return leave()
    say('Stopping the session; once more to leave at once.')
    how.end().catch(() => how.leaving.abort())
  }
  const leave = () => {
    process.exitCode = 130
    say(`Left; take it up again with "statewright session attach ${how.sessionId}".`)
    how.leaving.abort()
  }
  process.on('SIGINT', onInterrupt)
  return () => process.off('SIGINT', onInterrupt)
}
