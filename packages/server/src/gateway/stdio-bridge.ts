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
  /** The client that started us, where it needs its results put differently. */
  readonly client?: string
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

function createBridgeServer({ version, client: name }: BridgeOptions, upstream: Upstream): Server {
  const server = new Server({ name: 'statewright', version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => (await upstream.client()).listTools())
  const told = name === 'gemini' ? wordsFirst : (result: CallToolResult) => result
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name: tool, arguments: args = {}, _meta } = params
    try {
      const client = await upstream.client()
      const result = await client.callTool({
        name: tool,
        arguments: args,
        ...(_meta === undefined ? {} : { _meta }),
      })
      return told(result)
    } catch (fault) {
      await upstream.forget()
      return told(unreachable(fault))
    }
  })
  return server
}

/**
 * Gemini CLI takes JSON in the first text of any result for its structured content and holds it
 * against the schema of a good answer: the model would read about the schema, not the refusal.
 */
function wordsFirst(result: CallToolResult): CallToolResult {
  const [first, ...rest] = result.content
  if (result.isError !== true || first?.type !== 'text') return result
  return { ...result, content: [{ ...first, text: `Refused: ${first.text}` }, ...rest] }
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
