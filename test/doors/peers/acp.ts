// An agent that speaks the Agent Client Protocol for real and asks before each call. Only its model
// is missing: what to call stands in the prompt, and what the model would read is said as text.
import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import { type Call, callIn, makeCall, type Read } from './make-call.ts'

const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array> // Bytes, as they come.

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { mcpCapabilities: { http: true } },
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('')
    const call = callIn(text)
    const read = call === undefined ? { prompt: text } : await make(client, sessionId, call)
    await client.notify(methods.client.session.update, {
      sessionId,
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: JSON.stringify(read) },
      },
    })
    return { stopReason: 'end_turn' as const }
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), input))

const kinds: Readonly<Record<string, 'execute' | 'edit'>> = { Bash: 'execute', Write: 'edit' }

/** Asks as claude-agent-acp does: the call first, then the question, then how it went. */
async function make(client: AgentContext, sessionId: string, call: Call): Promise<Read> {
  const toolCallId = `toolu_${randomUUID()}`
  const toolCall = {
    toolCallId,
    title: call.tool,
    kind: kinds[call.tool] ?? ('other' as const),
    rawInput: call.input,
    _meta: { claudeCode: { toolName: call.tool } },
  }
  const tell = (update: object) =>
    client.notify(methods.client.session.update, {
      sessionId,
      // A piece of the protocol, whose union cannot be told from here.
      update: { toolCallId, _meta: toolCall._meta, ...update } as never,
    })
  await tell({ sessionUpdate: 'tool_call', ...toolCall, status: 'pending' })
  const question: RequestPermissionRequest = {
    sessionId,
    toolCall,
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  }
  const { outcome } = await client.request(methods.client.session.requestPermission, question)
  if (outcome.outcome !== 'selected' || outcome.optionId !== 'yes') {
    await tell({ sessionUpdate: 'tool_call_update', status: 'failed' })
    return { isDenied: true, text: 'The user refused permission.' }
  }
  const { output, exit } = await makeCall(call)
  const status = exit === 0 ? 'completed' : 'failed'
  await tell({ sessionUpdate: 'tool_call_update', status, rawOutput: output })
  return { isDenied: false, text: output }
}
