import { MockLanguageModelV4 } from 'ai/test'

type Turn = string | { readonly tool: string; readonly input: object }

/** A model that says what it was given to say, so that an example runs without an account. */
export function playedModel(turns: readonly Turn[]): MockLanguageModelV4 {
  let next = 0
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const turn = turns[next++] ?? 'done'
      const usage = {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      }
      if (typeof turn === 'string') {
        const finishReason = { unified: 'stop' as const, raw: undefined }
        return { content: [{ type: 'text', text: turn }], finishReason, usage, warnings: [] }
      }
      const call = {
        type: 'tool-call' as const,
        toolCallId: `call-${next}`,
        toolName: turn.tool,
        input: JSON.stringify(turn.input),
      }
      const finishReason = { unified: 'tool-calls' as const, raw: undefined }
      return { content: [call], finishReason, usage, warnings: [] }
    },
  })
}
