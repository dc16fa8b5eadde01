import type { TurnRequest } from '../ports.ts'

/**
 * What an agent that keeps the conversation itself is told: the newest words of the person, after
 * the brief of the bound run, which may have changed since the last time.
 */
export function promptForTurn({
  brief,
  messages,
}: Pick<TurnRequest, 'brief' | 'messages'>): string {
  const newest = messages.findLast(({ role }) => role === 'user')
  const text = newest?.content ?? ''
  return brief === null || brief === '' ? text : `${brief}\n\n${text}`
}

const maxBefore = 60_000

/** The same for an agent that has lost the conversation: what was said before comes along. */
export function promptWithHistory(request: Pick<TurnRequest, 'brief' | 'messages'>): string {
  const before = request.messages.slice(0, -1)
  if (before.length === 0) return promptForTurn(request)
  const lines = before.map((message) => `${message.role}: ${message.content}`)
  const story = lines.join('\n').slice(-maxBefore)
  return `This conversation continues. So far:\n${story}\n\n${promptForTurn(request)}`
}
