import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How a server tells those who listen that its lists have changed. */
export interface Changes {
  tools(): void
  prompts(): void
}

/** Tools of the conformance scenarios, as their descriptions want them. */
export function addTools(server: McpServer, changes: Changes): void {
  addPlainTools(server)
  addTellingTools(server)
  server.registerTool('test_trigger_tool_change', { description: 'Changes tools.' }, () => {
    changes.tools()
    return text('The tools have changed.')
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Changes prompts.' }, () => {
    changes.prompts()
    return text('The prompts have changed.')
  })
  addAskingTools(server)
}

function addPlainTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Plain text.' }, () =>
    text('This is a simple text response for testing.'),
  )
  server.registerTool('test_image_content', { description: 'An image.' }, () => ({
    content: [{ type: 'image', data: pixel, mimeType: 'image/png' }],
  }))
  server.registerTool('test_audio_content', { description: 'A sound.' }, () => ({
    content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }],
  }))
  const embedded = {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  }
  server.registerTool('test_embedded_resource', { description: 'A resource inside.' }, () => ({
    content: [{ type: 'resource', resource: embedded }],
  }))
  const mixed = {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: JSON.stringify({ test: 'data', value: 123 }),
  }
  server.registerTool('test_multiple_content_types', { description: 'Of all kinds.' }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'resource', resource: mixed },
    ],
  }))
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}

function addTellingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs.' }, async (context) => {
    for (const words of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      await context.mcpReq.log('info', words)
      await pause(50)
    }
    return text('It has logged.')
  })
  server.registerTool('test_logging_tool', { description: 'Logs once.' }, async (context) => {
    await context.mcpReq.log('info', 'It logs.')
    return text('It has logged.')
  })
  server.registerTool('test_tool_with_progress', { description: 'Shows progress.' }, (context) =>
    showProgress(context),
  )
}

async function showProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    await pause(50)
  }
  return text('It has shown its progress.')
}

/** Questions in the words of the new era; towards the old one the library puts them itself. */
function addAskingTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks a model.', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'answer')
      if (answer.kind === 'missing')
        return inputRequired({ inputRequests: { answer: ask(prompt) } })
      return text(`LLM response: ${JSON.stringify(answer)}`)
    },
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Asks a person.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) =>
      elicit(context, 'User response: ', message, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
  )
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with defaults.' },
    (context) =>
      elicit(context, 'Elicitation completed: ', 'Please look at the defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  )
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks with choices.' },
    (context) => elicit(context, 'Elicitation completed: ', 'Please choose', choices),
  )
}

const options = ['option1', 'option2', 'option3']
const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
]

const choices = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
} as const

export function ask(prompt: string, maxTokens = 100) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  })
}

type Fields = Parameters<typeof inputRequired.elicit>[0] extends { requestedSchema: infer Schema }
  ? Extract<Schema, { properties: unknown }>['properties']
  : never

function elicit({ mcpReq }: ServerContext, before: string, message: string, properties: Fields) {
  const answer = inputResponse(mcpReq.inputResponses, 'answer')
  if (answer.kind === 'missing') {
    const required = before.startsWith('User') ? Object.keys(properties) : []
    const requestedSchema = { type: 'object' as const, properties, required }
    const question = inputRequired.elicit({ message, requestedSchema })
    return inputRequired({ inputRequests: { answer: question } })
  }
  const content = acceptedContent(mcpReq.inputResponses, 'answer')
  const action = content === undefined ? 'decline' : 'accept'
  return text(`${before}action=${action}, content=${JSON.stringify(content ?? {})}`)
}
