import { shortenable } from './compact.ts'
import { type AgentMessage, messageSize } from './conversation.ts'
import { payloadNumber, type StreamEvent } from './stream-event.ts'

/** How much of the window of its model a conversation takes, in tokens. */
export interface ContextSize {
  readonly tokens: number
  /** Of these, what cutting old tool results short would save. */
  readonly shortenable: number
  /** The same of the results that were just given, which are left alone. */
  readonly newest: number
  /** It was made smaller since the person's last words: doing it again would not help. */
  readonly isFresh: boolean
  /** What was left after it was last made smaller, by the model's own count. */
  readonly floor: number
}

/** The parts of a state that say how full the window is. */
interface Sized {
  readonly context: ContextSize
  readonly settings: { readonly contextTokens?: number } | null
}

export const emptyContext: ContextSize = {
  tokens: 0,
  shortenable: 0,
  newest: 0,
  isFresh: false,
  floor: 0,
}

/** Models differ; what they count themselves takes the place of the guess with each answer. */
const lengthPerToken = 4
/** Beyond this share of the window the conversation is made smaller. */
const fullAt = 0.8
/** Cutting results short must lead below this, or it would have to be done again at once. */
const enoughAt = 0.6
/** Of the window, what is kept as it is at the end of a conversation. */
const tailShare = 0.1
/** Of the window, what a request for a summary may take. */
const summaryShare = 0.5

export function addMessages(size: ContextSize, messages: readonly AgentMessage[]): ContextSize {
  const tokens = messages.reduce((sum, message) => sum + messageSize(message), 0) / lengthPerToken
  const saved = messages.reduce((sum, message) => sum + shortenable(message), 0) / lengthPerToken
  const isSpoken = messages.some(({ role }) => role === 'user')
  const isBatch = messages.some(({ role }) => role === 'tool')
  return {
    ...size,
    tokens: size.tokens + Math.ceil(tokens),
    ...(isSpoken || isBatch
      ? { shortenable: size.shortenable + size.newest, newest: Math.floor(saved) }
      : {}),
    isFresh: size.isFresh && !isSpoken,
  }
}

/** What the provider counted, where it did. */
export function countedSize(size: ContextSize, completed: StreamEvent): ContextSize {
  const input = payloadNumber(completed, 'inputTokens')
  const output = payloadNumber(completed, 'outputTokens')
  // Some count only what was new: a guess that is larger is nearer to the truth.
  const tokens = input > size.tokens / 2 ? input + output : size.tokens
  return { ...size, tokens, isFresh: false, floor: size.isFresh ? tokens : size.floor }
}

export function isFull({ context, settings }: Sized): boolean {
  const window = settings?.contextTokens
  if (window === undefined || context.isFresh) return false
  // What could not be made smaller the last time is left alone until there is more of it.
  return context.tokens > Math.max(window * fullAt, context.floor + window * tailShare)
}

/** Whether cutting old results short is enough. */
export function sufficesToShorten({ context, settings }: Sized): boolean {
  const window = settings?.contextTokens ?? 0
  return context.tokens - context.shortenable <= window * enoughAt
}

export function tailLength({ settings }: Sized): number {
  return Math.floor((settings?.contextTokens ?? 0) * tailShare * lengthPerToken)
}

/** How long a request for a summary may be; each time it was too long it is halved. */
export function summaryLength({ settings }: Sized, halvings: number): number {
  const length = (settings?.contextTokens ?? 0) * summaryShare * lengthPerToken
  return Math.floor(length / 2 ** halvings)
}

export function shortenedSize({ context }: Sized): ContextSize {
  const tokens = context.tokens - context.shortenable
  return { ...context, tokens, shortenable: 0, isFresh: true }
}

export function sizeAfter(state: Sized, summary: string): ContextSize {
  const { context } = state
  const length = summary.length + tailLength(state)
  const tokens = Math.min(context.tokens, Math.ceil(length / lengthPerToken))
  return { ...context, tokens, shortenable: 0, newest: 0, isFresh: true }
}
