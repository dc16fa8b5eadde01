import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/**
 * An MCP server without tools, for a client whose settings name us in every folder: where nobody
 * guards, there is no state to ask for, and a server that fails to start would look like a fault.
 */
export function serveNothing(version: string): void {
  const server = new Server(
    { name: 'statewright', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [] }))
  const stop = () => void server.close().then(() => process.exit(0))
  process.once('SIGTERM', stop).once('SIGINT', stop)
  process.stdin.once('end', stop)
  void server.connect(new StdioServerTransport())
}

const instructions = 'Statewright does not guard this folder: no client is installed for it.'
