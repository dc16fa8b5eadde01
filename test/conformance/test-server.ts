import {
  acceptedContent,
  completable,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { addRounds, states } from './test-rounds.ts'
import { addTools, type Changes, pixel } from './test-tools.ts'

/** A server that has everything the conformance scenarios ask for, and nothing more. */
export function createTestServer(changes?: Changes): McpServer {
  const server = new McpServer(
    { name: 'statewright-conformance', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        completions: {},
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        prompts: { listChanged: true },
      },
      requestState: { verify: states.verify },
    },
  )
  addTools(
    server,
    changes ?? {
      tools: () => void server.server.sendToolListChanged(),
      prompts: () => void server.server.sendPromptListChanged(),
    },
  )
  addRounds(server)
  addResources(server)
  addPrompts(server)
  // Nothing here ever changes, so that being told of it is all there is to do.
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}

function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain' },
    ({ href }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ],
    }),
  )
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image.', mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: pixel }] }),
  )
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'To be watched.', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched.' }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const data = { id: String(id), templateTest: true, data: `Data for ID: ${id}` }
      return {
        contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(data) }],
      }
    },
  )
}

function addPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: 'user' as const, content })
  const words = (text: string) => user({ type: 'text' as const, text })
  server.registerPrompt('test_simple_prompt', { description: 'Plain.' }, () => ({
    messages: [words('This is a simple prompt for testing.')],
  }))
  const anArgument = (description: string) =>
    completable(z.string().describe(description), (value) =>
      ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
    )
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments.',
      argsSchema: z.object({
        arg1: anArgument('First test argument'),
        arg2: anArgument('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const text = 'Embedded resource content for testing.'
      const resource = { uri, mimeType: 'text/plain', text }
      return {
        messages: [
          user({ type: 'resource' as const, resource }),
          words('Please process the embedded resource above.'),
        ],
      }
    },
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () => ({
    messages: [
      user({ type: 'image' as const, data: pixel, mimeType: 'image/png' }),
      words('Please analyze the image above.'),
    ],
  }))
  const asking = { description: 'Asks for its context.' }
  server.registerPrompt('test_input_required_result_prompt', asking, ({ mcpReq }) => {
    const given = acceptedContent(
      mcpReq.inputResponses,
      'user_context',
      z.object({ context: z.string() }),
    )
    if (given !== undefined) return { messages: [words(`Use this context: ${given.context}`)] }
    const properties = { context: { type: 'string' as const } }
    const requestedSchema = { type: 'object' as const, properties, required: ['context'] }
    const message = 'What context should the prompt use?'
    const user_context = inputRequired.elicit({ message, requestedSchema })
    return inputRequired({ inputRequests: { user_context } })
  })
}
