import type { AgentMessage } from '@statewright/core/internal'

/** What a person answered, in words for the model. */
export interface VerdictNews {
  readonly approvalId: string
  readonly words: string
}

/** What the session is told. It bears the ids of the answers, by which they are known as heard. */
export function newsInput(news: readonly VerdictNews[]) {
  return {
    text: `[STATEWRIGHT] ${news.map(({ words }) => words).join('\n')}`,
    messageId: `msg_${news.map(({ approvalId }) => approvalId).join('_')}`,
  }
}

/** Whether a conversation says what a person answered. */
export function hasHeard(messages: readonly AgentMessage[], approvalId: string): boolean {
  return messages.some((one) => one.role === 'user' && one.messageId.includes(approvalId))
}
