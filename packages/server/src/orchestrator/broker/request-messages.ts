import {
  type AgentMessage,
  contextMessages,
  messageSize,
  summaryRequest,
} from '@statewright/core/internal'

/** What a request holds of the conversation, or the request for its summary (SE-20). */
export function messagesFor(
  messages: readonly AgentMessage[],
  summaryLength: number | undefined,
): { readonly messages: readonly AgentMessage[]; readonly isSummary: boolean } {
  const context = contextMessages(messages)
  if (summaryLength === undefined) return { messages: context, isSummary: false }
  const content = summaryRequest(context, summaryLength)
  return { messages: [{ role: 'user', messageId: 'summary', content }], isSummary: true }
}

/** Characters that a request takes; a compaction makes it count again. */
export function sizeOf(
  messages: readonly AgentMessage[],
  before: number,
  added: readonly AgentMessage[] | null,
): number {
  const isNew = added === null || added.some(({ role }) => role === 'compaction')
  const counted = isNew ? contextMessages(messages) : added
  return counted.reduce((sum, message) => sum + messageSize(message), isNew ? 0 : before)
}
