import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Caller } from '../src/base/caller.ts'

export type Connect = (caller: Caller, era?: 'auto' | 'legacy', headers?: object) => Promise<Client>

type Answer = (request: Request, caller: Caller) => Promise<string | Response>

/** As the server sends what our endpoint answers. */
export function asResponse(answer: string | Response): Response {
  if (answer instanceof Response) return answer
  return new Response(answer, { headers: { 'content-type': 'application/json' } })
}

/** Real MCP clients of a server in this process, in both eras of the protocol. */
export function mcpClients(
  answer: Answer,
  capabilities: ClientCapabilities = {},
): { connect: Connect; close(): Promise<void> } {
  const open: Client[] = []
  return {
    async connect(caller, era = 'auto', headers = {}) {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: era }, capabilities },
      )
      const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), {
        requestInit: { headers: { ...headers } },
        fetch: async (url, init) => asResponse(await answer(new Request(url, init), caller)),
      })
      await client.connect(transport)
      open.push(client)
      return client
    },
    async close() {
      for (const client of open) await client.close()
    },
  }
}
