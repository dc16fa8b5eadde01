import type { Client } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Caller } from '../src/base/caller.ts'
import { ToolUses } from '../src/hooks/tool-uses.ts'
import { createMcpEndpoint } from '../src/mcp/mcp-endpoint.ts'
import { type Connect, mcpClients } from './mcp-clients.ts'
import { agent, openRuntime, planThenWrite, type RuntimeWorld, save } from './runtime.ts'

/** An MCP server on a real store, and real clients of it in both eras. */
export interface McpWorld extends RuntimeWorld {
  readonly toolUses: ToolUses
  readonly connect: Connect
}

export async function openMcpWorld(): Promise<McpWorld> {
  const world = await openRuntime()
  await save(world.runtime, planThenWrite)
  const toolUses = new ToolUses(() => world.runtime.clock.now())
  const endpoint = createMcpEndpoint({
    guard: world.guard,
    toolUses,
    version: '0.0.0',
    askWaitMs: () => 0,
    workspace: world.folder,
  })
  const clients = mcpClients((request, caller) => endpoint.answer(request, caller))
  return {
    ...world,
    toolUses,
    connect: clients.connect,
    async close() {
      await clients.close()
      await endpoint.close()
      await world.close()
    },
  }
}

let tokens = 0

/** An agent of its own for each test, so that none sees the runs of another. */
export function newAgent(): Caller {
  tokens += 1
  return { ...agent, tokenId: `agent_t${tokens}` }
}

export interface ToolReply {
  readonly isError: boolean
  readonly value: Record<string, unknown>
}

/** Calls a tool, and sees to it that text and structured content say the same. */
export async function callTool(
  client: Client,
  name: string,
  args: object = {},
  meta?: Record<string, unknown>,
): Promise<ToolReply> {
  const result = await client.callTool({
    name,
    arguments: { ...args },
    ...(meta === undefined ? {} : { _meta: meta }),
  })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  const value: Record<string, unknown> = JSON.parse(text)
  if (result.isError !== true) expect(result.structuredContent).toEqual(value)
  return { isError: result.isError === true, value }
}
