import type { AgentMessage, AgentViewItem } from '@statewright/core/internal'
import type { MarkName } from '../words/marks.ts'
import { plainText } from '../words/plain-text.ts'

export type ToolItem = Extract<AgentViewItem, { kind: 'tool' }>

export interface ToolOutcome {
  readonly tone: 'good' | 'bad' | 'wait' | 'accent' | 'plain'
  readonly mark: MarkName
  readonly word: string
}

/**
 * What became of a call, in one word. A denied one was answered with a code and never ran; a
 * result that is an error came from the tool itself, and is news for the model.
 */
export function toolOutcome({ status, isError, error }: ToolItem): ToolOutcome {
  if (status === 'succeeded' && isError === true) {
    return error === undefined
      ? { tone: 'wait', mark: 'care', word: 'error result' }
      : {
          tone: 'bad',
          mark: 'blocked',
          word: isCode(error) ? `denied: ${error}` : 'denied or failed',
        }
  }
  switch (status) {
    case 'succeeded':
      return { tone: 'good', mark: 'done', word: 'done' }
    case 'failed':
      return { tone: 'bad', mark: 'no', word: 'failed' }
    case 'canceled':
      return { tone: 'plain', mark: 'stopped', word: 'canceled' }
    case 'running':
      return { tone: 'accent', mark: 'running', word: 'running' }
    default:
      return { tone: 'wait', mark: 'waiting', word: status }
  }
}

/** Codes are short and in snake_case; anything else is a sentence of an agent's own tool. */
function isCode(text: string): boolean {
  return /^[a-z][a-z0-9_]{2,59}$/.test(text)
}

const telling = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'event'] as const

/** The argument by which people tell calls apart. */
export function inputGist(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = new Map<string, unknown>(Object.entries(input))
  const found = telling.map((name) => fields.get(name)).find((value) => typeof value === 'string')
  return typeof found === 'string' ? plainText(found.split('\n')[0] ?? '', 160) : ''
}

/** What each call gave back, by its id, as the model reads it. */
export function resultsOf(conversation: readonly AgentMessage[]): ReadonlyMap<string, string> {
  return new Map(
    conversation.flatMap((message) =>
      message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [],
    ),
  )
}

/** Why a call was denied: the first line of what the model was told. */
export function denialSentence(result: string | undefined): string {
  const [line = ''] = (result ?? '').split('\n')
  return line.replace(/^Denied \([^)]*\): /, '')
}

/** An item of a conversation, and how often it came in a row. */
export interface ChatLine {
  readonly item: AgentViewItem
  readonly times: number
}

/**
 * The lines of a conversation. What waits for its turn is not among them; an error that comes again
 * at each attempt is one line, and what only announces it is none.
 */
export function chatLines(items: readonly AgentViewItem[]): readonly ChatLine[] {
  const lines: ChatLine[] = []
  for (const [at, item] of items.entries()) {
    if (item.kind === 'input' && item.isQueued === true) continue
    const next = items[at + 1]
    if (item.kind === 'status' && next?.kind === 'error' && next.error.message === item.text) {
      continue
    }
    const last = lines.at(-1)
    if (last !== undefined && isSameError(last.item, item)) {
      lines[lines.length - 1] = { item, times: last.times + 1 }
    } else lines.push({ item, times: 1 })
  }
  return lines
}

function isSameError(one: AgentViewItem, other: AgentViewItem): boolean {
  if (one.kind !== 'error' || other.kind !== 'error') return false
  return one.error.code === other.error.code && one.error.message === other.error.message
}
