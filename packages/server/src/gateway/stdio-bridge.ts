import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type CallToolResult, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { sessionHeader } from './mcp-door.ts'

export interface BridgeOptions {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  readonly token: string
  /** The client session that this connection speaks for, where the client says so. */
  readonly session?: string
  readonly version: string
  readonly onFault?: (fault: unknown) => void
}

export interface Bridge {
  close(): Promise<void>
}

/**
 * Serves MCP on stdin and stdout by asking the running server: one more door to the same house. It
 * holds nothing itself, so that two clients cannot see two truths.
 */
export function serveBridge(options: BridgeOptions): Bridge {
  const upstream = new Upstream(options)
  const stdio = serveStdio(() => createBridgeServer(options, upstream), {
    onerror: (fault) => options.onFault?.(fault),
  })
  return {
    async close() {
      await stdio.close()
      await upstream.close()
    },
  }
}

function createBridgeServer({ version }: BridgeOptions, upstream: Upstream): Server {
  const server = new Server({ name: 'statewright', version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => (await upstream.client()).listTools())
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: args = {}, _meta } = params
    try {
      const client = await upstream.client()
      return await client.callTool({
        name,
        arguments: args,
        ...(_meta === undefined ? {} : { _meta }),
      })
    } catch (fault) {
      await upstream.forget()
      return unreachable(fault)
    }
  })
  return server
}

/** No answer means no, and the model must be able to read why. */
function unreachable(fault: unknown): CallToolResult {
  const why = fault instanceof Error ? fault.message : String(fault)
  const refusal = {
    code: 'server_unreachable',
    message: `The Statewright server does not answer (${why.slice(0, 300)}).`,
    next: 'ask a person to start it with `statewright up`.',
  }
  return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true }
}

/** The connection to the server; made when it is first needed, and again after it broke. */
class Upstream {
  readonly #options: BridgeOptions
  #connecting: Promise<Client> | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  client(): Promise<Client> {
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  async forget(): Promise<void> {
    const old = this.#connecting
    this.#connecting = undefined
    await old?.then(
      (client) => client.close(),
      () => {},
    )
  }

  close(): Promise<void> {
    return this.forget()
  }

  async #connect(): Promise<Client> {
    const { url, token, session, version } = this.#options
    const client = new Client(
      { name: 'statewright-bridge', version },
      { versionNegotiation: { mode: 'auto' } },
    )
    const headers = {
      authorization: `Bearer ${token}`,
      ...(session === undefined ? {} : { [sessionHeader]: session }),
    }
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers },
    })
    await client.connect(transport)
    return client
  }
}
