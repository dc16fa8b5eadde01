import type { ModelRequest, Reply, Turn } from '../support/fake-anthropic.ts'

/** A model that makes the call which its prompt ends with, and then says what it has read. */
export const obey: readonly Turn[] = Array.from({ length: 1000 }, () => answer)

interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: unknown
  readonly is_error?: boolean
}

function answer({ messages }: ModelRequest): readonly Reply[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const blocks = messages.slice(last + 1).flatMap(({ content }) => blocksOf(content))
  const result = blocks.find(({ type }) => type === 'tool_result')
  const text = blocks.map(wordsOf).join('\n')
  if (result !== undefined) {
    return [{ text: JSON.stringify({ isDenied: result.is_error === true, text }) }]
  }
  const line = text.split('\n').findLast((one) => one.startsWith('{"tool":'))
  return line === undefined ? [{ text: JSON.stringify({ prompt: text }) }] : [JSON.parse(line)]
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

function wordsOf({ text, content }: Block): string {
  return text ?? blocksOf(content).map(wordsOf).join('\n')
}
