import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** The least MCP server: one tool, over HTTP or over its standard input and output. */
function createEcho(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1.0.0' })
  const inputSchema = z.object({ text: z.string() })
  server.registerTool('echo', { description: 'Echoes.', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
}

if (process.argv[2] === 'http') {
  const { fetch } = createMcpHandler(createEcho)
  const http = createServer(getRequestListener((request) => fetch(request)))
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo // It listens on TCP.
    process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
  })
} else {
  serveStdio(createEcho)
}
