import type { AgentMessage } from '@statewright/core/internal'

/** What is always true of what a model reads, whatever was taken away from it (SE-20). */
export function brokenContext(
  all: readonly AgentMessage[],
  context: readonly AgentMessage[],
): string[] {
  const broken: string[] = []
  let open: string[] = []
  for (const message of context) {
    if (message.role === 'tool') {
      if (!open.includes(message.toolCallId)) broken.push('a result stands behind its call')
      open = open.filter((id) => id !== message.toolCallId)
      continue
    }
    if (open.length > 0) broken.push('every call has its result before anything else is said')
    open = message.role === 'assistant' ? message.toolCalls.map(({ callId }) => callId) : []
    if (message.role === 'compaction') broken.push('a compaction is read into the messages')
  }
  if (open.length > 0) broken.push('every call has its result')
  const spoken = all.filter(({ role }) => role === 'user')
  const read = new Set(context.map(idOf))
  for (const message of [spoken.at(0), spoken.at(-1)]) {
    if (message !== undefined && !read.has(idOf(message))) {
      broken.push('the first and the newest words of the person stay')
    }
  }
  return broken
}

function idOf(message: AgentMessage): string {
  return message.role === 'user' ? message.messageId : ''
}
