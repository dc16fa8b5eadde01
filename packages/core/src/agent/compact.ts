import { type AgentMessage, messageSize } from './conversation.ts'

type Compaction = Extract<AgentMessage, { role: 'compaction' }>
type Tail = readonly AgentMessage[]

/** What is left of an old tool result that was cut short. */
const shortResult = 400
/** Of the length that a compaction keeps at the end: what single things may take at most. */
const shares = { task: 1.5, newest: 3, batch: 2.5 }

/** What a model reads of a conversation: each compaction takes away from what stands before it. */
export function contextMessages(messages: readonly AgentMessage[]): AgentMessage[] {
  let context: AgentMessage[] = []
  const compactions = new Set<string>()
  const isSpoken = (message: AgentMessage) =>
    message.role === 'user' && !compactions.has(message.messageId)
  for (const message of messages) {
    if (message.role === 'compaction') {
      context = compacted(context, message, isSpoken)
      compactions.add(message.compactionId)
    } else context.push(message)
  }
  return context
}

function compacted(
  context: readonly AgentMessage[],
  compaction: Compaction,
  /** Words of the person, not those that an earlier compaction has left there. */
  isSpoken: (message: AgentMessage) => boolean,
): AgentMessage[] {
  const { tailLength } = compaction
  const start = tailStart(context, tailLength)
  const before = context.slice(0, start)
  const tail = boundResults(context.slice(start), tailLength * shares.batch)
  if (compaction.how === 'shortened') {
    return [...before.map((message) => withLength(message, shortResult, ['tool'])), ...tail]
  }
  const task = before.find(isSpoken)
  // What the person said last is never left to a summary, and neither is the task.
  const newest = tail.some(isSpoken) ? undefined : before.findLast(isSpoken)
  return [
    ...(task === undefined ? [] : [withLength(task, tailLength * shares.task, ['user'])]),
    { role: 'user', messageId: compaction.compactionId, content: bridge(compaction) },
    ...(newest === undefined || newest === task
      ? []
      : [withLength(newest, tailLength * shares.newest, ['user'])]),
    ...tail,
  ]
}

function bridge({ how, content }: Compaction): string {
  return how === 'cut'
    ? '[STATEWRIGHT] The conversation was too long: the messages in between were left out.'
    : `[STATEWRIGHT] The conversation was too long, so the model summarized it:\n${content}`
}

/** Where the end that is kept begins: never between a call and its result. */
function tailStart(context: readonly AgentMessage[], tailLength: number): number {
  let start = context.length
  let left = tailLength
  while (start > 0) {
    const message = context[start - 1]
    if (message === undefined || messageSize(message) > left) break
    left -= messageSize(message)
    start -= 1
  }
  while (context[start]?.role === 'tool') start += 1
  return Math.min(start, newestBatch(context, tailLength))
}

/** Calls that were just answered stay: without their results a model would make them again. */
function newestBatch(context: readonly AgentMessage[], tailLength: number): number {
  const at = context.findLastIndex(({ role }) => role !== 'tool')
  const message = context[at]
  const hasResults = at < context.length - 1
  if (!hasResults || message === undefined) return context.length
  return messageSize(message) > tailLength * shares.batch ? context.length : at
}

function boundResults(tail: Tail, maxLength: number): Tail {
  const results = tail.filter(({ role }) => role === 'tool').length
  const share = Math.max(shortResult, Math.floor(maxLength / Math.max(1, results)))
  return tail.map((message) => withLength(message, share, ['tool']))
}

function withLength(
  message: AgentMessage,
  maxLength: number,
  roles: readonly AgentMessage['role'][],
): AgentMessage {
  const { role, content } = message
  if (!roles.includes(role) || content.length <= maxLength) return message
  // The mark counts as well: what was cut once is not cut again by the next compaction.
  const end = Math.max(0, Math.floor(maxLength) - markLength)
  const mark = `\n[${content.length - end} characters left out]`
  return { ...message, content: `${content.slice(0, end).toWellFormed()}${mark}` }
}

const markLength = 40

/** Characters of a tool result that cutting it short would save. */
export function shortenable(message: AgentMessage): number {
  return message.role === 'tool' ? Math.max(0, message.content.length - shortResult) : 0
}

const instruction =
  'Summarize this conversation between a person and an agent that works on a project, so that ' +
  'the agent can continue from your summary alone. Keep the task and what the person asked for ' +
  'last, what was decided and why, files that were read or changed with their paths, commands ' +
  'and results that matter, what failed, and what is left to do. Write plain text, no preamble.'

/** The request for a summary: one text, so that it fits whatever the conversation holds. */
export function summaryRequest(context: readonly AgentMessage[], maxLength: number): string {
  const story = context
    .map((message) => lineOf(withLength(message, shortResult, ['tool'])))
    .join('\n\n')
  const half = Math.floor(maxLength / 2)
  const text =
    story.length <= maxLength
      ? story
      : `${story.slice(0, half).toWellFormed()}\n[…]\n${story.slice(-half).toWellFormed()}`
  return `${instruction}\n\n<conversation>\n${text}\n</conversation>`
}

function lineOf(message: AgentMessage): string {
  if (message.role === 'tool') return `result of ${message.toolName}: ${message.content}`
  if (message.role !== 'assistant') return `${message.role}: ${message.content}`
  const calls = message.toolCalls.map(
    ({ name, arguments: args }) => `calls ${name} ${JSON.stringify(args).slice(0, shortResult)}`,
  )
  return [`agent: ${message.content}`, ...calls].join('\n')
}
