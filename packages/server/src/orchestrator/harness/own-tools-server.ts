import { isJsonObject, type Json, type JsonObject } from '@statewright/core'
import { z } from 'zod'
import type { OwnToolsDoor } from '../ports.ts'

const Request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
})

const protocols = ['2025-11-25', '2025-06-18', '2025-03-26']

/**
 * Answers an agent that we started in the words of MCP: the few that offering our own tools takes.
 * Undefined stands for a message that wants no answer.
 */
export async function answerMcp(
  body: unknown,
  tools: OwnToolsDoor,
): Promise<JsonObject | undefined> {
  const parsed = Request.safeParse(body)
  if (!parsed.success) return failed(null, -32_600, 'This is no request.')
  const { id, method, params = {} } = parsed.data
  if (id === undefined) return undefined
  switch (method) {
    case 'initialize':
      return done(id, {
        protocolVersion: protocols.find((one) => one === params.protocolVersion) ?? '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'statewright', version: '1' },
      })
    case 'ping':
      return done(id, {})
    case 'tools/list':
      return done(id, {
        tools: tools.definitions.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
        })),
      })
    case 'tools/call': {
      const { name, arguments: args } = params
      const isKnown = tools.definitions.some((tool) => tool.name === name)
      if (typeof name !== 'string' || !isKnown) return failed(id, -32_602, 'There is no such tool.')
      // What came as JSON is JSON.
      const input: Json = isJsonObject(args) ? args : {}
      const { output, isError } = await tools.call(name, input)
      return done(id, { content: [{ type: 'text', text: output }], isError })
    }
    default:
      return failed(id, -32_601, `The method ${method.slice(0, 100)} is not known.`)
  }
}

function done(id: string | number, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result }
}

function failed(id: string | number | null, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
