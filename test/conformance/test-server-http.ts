import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createTestServer } from './test-server.ts'
import type { Changes } from './test-tools.ts'

export interface TestHttpServer {
  readonly url: string
  close(): Promise<void>
}

/** The test server over HTTP, for both eras or for the old one alone. */
export async function serveTestHttp({ eras }: { eras: 'both' | 'old' }): Promise<TestHttpServer> {
  const changes: Changes = {
    tools: () => modern.notify.toolsChanged(),
    prompts: () => modern.notify.promptsChanged(),
  }
  const modern = createMcpHandler(() => createTestServer(changes), { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const fetch = async (request: Request): Promise<Response> => {
    const { hostname } = new URL(`http://${request.headers.get('host')}`)
    const origin = request.headers.get('origin')
    const names = [hostname, ...(origin === null ? [] : [new URL(origin).hostname])]
    if (!names.every((name) => ['127.0.0.1', 'localhost', '[::1]'].includes(name))) {
      return new Response('foreign', { status: 403 })
    }
    if (eras === 'both' && !(await isLegacyRequest(request))) return modern.fetch(request)
    return serveOld(sessions, request)
  }
  const http = createServer(getRequestListener(fetch))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      for (const transport of sessions.values()) await transport.close()
      await modern.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function serveOld(
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  request: Request,
): Promise<Response> {
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
  if (known !== undefined) return known.handleRequest(request)
  const body: unknown = request.method === 'POST' ? await request.clone().json() : undefined
  if (!isInitializeRequest(body)) return new Response('no session', { status: 404 })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await createTestServer().connect(transport)
  return transport.handleRequest(request)
}
