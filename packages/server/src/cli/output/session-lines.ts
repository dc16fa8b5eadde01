import type {
  AgentStateKind,
  AgentView,
  AgentViewItem,
  ContextUse,
} from '@statewright/core/internal'
import { own, unreachable } from '@statewright/core/internal'
import { printable } from './report.ts'

/**
 * What a terminal has to show that it has not shown yet. Lines are only ever added: that works in
 * a pipe, in a log and on a screen alike. `isInLine` says whether the text so far ended in a line.
 */
export function newText(
  before: AgentView,
  after: AgentView,
  isInLine: boolean,
  /** What the person has just typed stands on the screen already. */
  typed?: string,
): { readonly text: string; readonly isInLine: boolean } {
  let text = ''
  let open = isInLine
  const line = (words: string) => {
    text += `${open ? '\n' : ''}${printable(words)}\n`
    open = false
  }
  for (const item of after.items) {
    const old = before.items.find((one) => one.kind === item.kind && one.id === item.id)
    if (old === item || (item.kind === 'input' && item.text === typed)) continue
    if (item.kind === 'answer') {
      const shown = old?.kind === 'answer' ? old.text.length : 0
      const added = plain(item.text.slice(shown))
      text += added
      if (added !== '') open = !added.endsWith('\n')
    } else {
      for (const words of itemLines(item, shownLive(before, item))) line(words)
    }
  }
  for (const words of liveLines(before.live, after.live)) line(words)
  if (after.state !== before.state && tellingStates.has(after.state)) line(stateLine(after))
  return { text, isInLine: open }
}

/** What commands that run have printed since, a screenful at most. */
function liveLines(before: AgentView['live'], after: AgentView['live']): string[] {
  return Object.entries(after).flatMap(([runId, { text, total, skipped }]) => {
    const known = own(before, runId)?.total ?? 0
    if (known >= total) return []
    const lines = text
      .slice(-(total - known))
      .replace(/\n$/, '')
      .split('\n')
    const shown = lines.slice(-maxLiveLines)
    const isCut = skipped > 0 || shown.length < lines.length
    return [...(isCut ? ['  | …'] : []), ...shown.map((one) => `  | ${cut(one, 160)}`)]
  })
}

const maxLiveLines = 40

/** Whether the output of a run stands on the screen already. */
function shownLive({ live }: AgentView, item: AgentViewItem): boolean {
  const runId = item.kind === 'tool' ? item.runId : item.id
  return runId !== undefined && own(live, runId) !== undefined
}

/** Those between which a person waits or acts; what lies between them shows by what it does. */
const tellingStates: ReadonlySet<AgentStateKind> = new Set(['ready', 'error', 'stopped'])

/** Text of a model keeps its lines; everything else that could steer a terminal is shown. */
function plain(words: string): string {
  return words.split('\n').map(printable).join('\n')
}

function itemLines(item: Exclude<AgentViewItem, { kind: 'answer' }>, isShown: boolean): string[] {
  switch (item.kind) {
    case 'input':
      return [item.isQueued === true ? `queued: ${item.text}` : `> ${item.text}`]
    case 'tool':
      return toolLines(item, isShown)
    case 'hook': {
      const { name, status, attempt, durationMs, id, output } = item
      // What went wrong is told as the error of the session, which follows.
      const facts = { attempt, durationMs, error: undefined, runId: id, status }
      const printed = status === 'failed' && !isShown ? excerpt(output) : []
      return [withFacts(`hook ${name}: ${status}`, facts), ...printed]
    }
    case 'error':
      return [`error ${item.error.code}: ${item.error.message.replaceAll(/\s*\n\s*/g, ' | ')}`]
    case 'compaction':
      return [`${compactionWords[item.how]}: ${sizeWords(item)}`]
    case 'status':
      return [item.text]
    // The line of the state says what all turns have cost.
    case 'turn':
      return []
    default:
      return unreachable(item)
  }
}

export const compactionWords = {
  shortened: 'the conversation was shortened: old tool results were cut',
  summary: 'the conversation was summarized',
  cut: 'the conversation was cut: the model returned no summary',
} as const

function sizeWords(item: Extract<AgentViewItem, { kind: 'compaction' }>): string {
  return `${count(item.tokensBefore)} tokens before, about ${count(item.tokensAfter)} now`
}

export function contextWords({ tokens, windowTokens }: ContextUse): string {
  const share = Math.round((100 * tokens) / windowTokens)
  return `about ${count(tokens)} of ${count(windowTokens)} tokens (${share} %)`
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}

/** A call is shown when it runs and when it has ended; before that it only waits its turn. */
function toolLines(item: Extract<AgentViewItem, { kind: 'tool' }>, isShown: boolean): string[] {
  const { name, status, attempt, durationMs, isError, error, runId, input, output } = item
  if (status === 'requested' || status === 'queued') return []
  const gist = callGist(input)
  const what = `tool ${name}${gist === '' ? '' : ` ${gist}`}`
  if (status === 'running') return [`${what}: running`]
  const isDenied = status === 'succeeded' && isError === true && error !== undefined
  const word = isDenied ? 'denied' : isError === true ? 'error result' : endWords[status]
  const facts = { attempt, durationMs, error, runId, status }
  return [withFacts(`${what}: ${word}`, facts), ...(isShown ? [] : excerpt(output))]
}

const endWords = { succeeded: 'done', failed: 'failed', canceled: 'canceled' } as const

const tellingFields = ['command', 'path', 'paths', 'pattern', 'query', 'event', 'url', 'patch']
const gistLength = 100

/** The argument by which people tell calls apart, on one line. */
function callGist(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = new Map<string, unknown>(Object.entries(input))
  const found = tellingFields.map((name) => fields.get(name)).find((value) => value !== undefined)
  const words = Array.isArray(found) ? found.join(' ') : found
  if (typeof words !== 'string') return ''
  const file = /^(?:\*\*\* \w+ File: |\+\+\+ (?:b\/)?)(.+)$/m.exec(words)?.[1]
  return cut((file ?? words).trim().replaceAll(/\s+/g, ' '), gistLength)
}

const shownLines = 3

/** The beginning of what came back. */
function excerpt(output: string | undefined): string[] {
  const lines = (output ?? '').trim().split('\n')
  if (lines.length === 1 && lines[0] === '') return []
  const more = lines.length > shownLines ? [`  | … ${lines.length - shownLines} more lines`] : []
  return [...lines.slice(0, shownLines).map((one) => `  | ${cut(one, 160)}`), ...more]
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}

function withFacts(
  words: string,
  facts: {
    readonly attempt: number
    readonly durationMs: number | undefined
    readonly error: string | undefined
    readonly runId: string | undefined
    readonly status: string
  },
): string {
  const { attempt, durationMs, error, runId, status } = facts
  const pieces = [words]
  if (durationMs !== undefined) pieces.push(`${durationMs} ms`)
  if (attempt > 1) pieces.push(`attempt ${attempt}`)
  if (error !== undefined) pieces.push(error)
  // The id is what a person needs to run it again.
  if (status === 'failed' && runId !== undefined) pieces.push(runId)
  return pieces.join(', ')
}

/** What it has cost so far stands where a turn ends. */
function stateLine({ state, costUsd }: AgentView): string {
  return state === 'ready' && costUsd > 0 ? `[ready] $${costUsd.toFixed(4)}` : `[${state}]`
}
