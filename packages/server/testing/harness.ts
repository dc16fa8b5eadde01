import type { AgentMessage, AgentToolCall } from '@statewright/core/internal'
import type {
  HarnessContext,
  HarnessPart,
  HarnessSession,
  TurnRequest,
} from '../src/orchestrator/ports.ts'

export function contextOf(more: Partial<HarnessContext> = {}): HarnessContext {
  return {
    sessionId: 'sess_1',
    projectPath: '/',
    options: {},
    runId: null,
    calls: { judge: async () => ({ isAllowed: true, message: '' }), finished: async () => [] },
    connect: () => {
      throw new Error('nothing here connects')
    },
    unwanted: new AbortController().signal,
    ready: () => {},
    exited: () => {},
    ...more,
  }
}

type Line =
  | { readonly user: string }
  | {
      readonly assistant: string
      readonly calls?: readonly Omit<AgentToolCall, 'mutating'>[]
      readonly raw?: AgentMessageRaw
    }
  | { readonly tool: string; readonly callId: string; readonly name: string; isError?: boolean }

type AgentMessageRaw = Extract<AgentMessage, { role: 'assistant' }>['raw']

/** A request after these lines of a conversation. */
export function requestOf(lines: readonly Line[], more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    streamId: 'turn_1',
    requestId: 'req_1',
    attempt: 1,
    system: null,
    brief: null,
    messages: lines.map(messageOf),
    answers: lines.filter((line) => 'assistant' in line).length,
    isSummary: false,
    tools: [],
    model: null,
    thinkingLevel: null,
    silenceMs: 110_000,
    ...more,
  }
}

function messageOf(line: Line, index: number): AgentMessage {
  if ('user' in line) return { role: 'user', messageId: `m${index}`, content: line.user }
  if ('assistant' in line) {
    const toolCalls = (line.calls ?? []).map((call) => ({ ...call, mutating: false }))
    const output = {
      role: 'assistant' as const,
      streamId: `turn_${index}`,
      content: line.assistant,
    }
    return line.raw === undefined
      ? { ...output, toolCalls }
      : { ...output, toolCalls, raw: line.raw }
  }
  const { tool: content, callId: toolCallId, name: toolName, isError = false } = line
  return { role: 'tool', toolCallId, toolName, content, isError }
}

/** Everything that came of one request. */
export async function askHarness(
  session: HarnessSession,
  request: TurnRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<HarnessPart[]> {
  const parts: HarnessPart[] = []
  await session.send(request, (part) => parts.push(part), signal)
  return parts
}
