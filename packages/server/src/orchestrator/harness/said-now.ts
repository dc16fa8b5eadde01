import type { TurnRequest } from '../ports.ts'

/**
 * What an agent that keeps the conversation itself is told: the newest words of the person, after
 * the brief of the bound run, which may have changed since the last time.
 */
export function saidNow({ brief, messages }: Pick<TurnRequest, 'brief' | 'messages'>): string {
  const newest = messages.findLast(({ role }) => role === 'user')
  const text = newest?.content ?? ''
  return brief === null || brief === '' ? text : `${brief}\n\n${text}`
}
