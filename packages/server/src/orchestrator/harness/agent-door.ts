import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Json } from '@statewright/core'
import { claudeCode } from '../../clients/claude-code.ts'
import { ourServerName } from '../../clients/claude-tools.ts'
import type { ClientAnswer, ClientEvent } from '../../clients/client.ts'
import type { HarnessContext, OwnToolsDoor } from '../ports.ts'
import { answerMcp } from './own-tools-server.ts'

const mostBytes = 16 * 1024 * 1024

type Doorway = Pick<HarnessContext, 'judge' | 'finished' | 'ownTools'>

/**
 * Where the client hooks of an agent that we started ask: a door on loopback for this one session,
 * with a key of its own. Every fault in here denies, and no answer at all makes the client block.
 */
export class AgentDoor {
  /** Calls that came by and were let through. A result of any other call means an open guard. */
  readonly judged = new Set<string>()
  readonly #server: Server
  readonly #key: string
  readonly #judge: HarnessContext['judge']
  readonly #finished: HarnessContext['finished']
  readonly #ownTools: OwnToolsDoor | undefined

  private constructor(server: Server, key: string, { judge, finished, ownTools }: Doorway) {
    this.#server = server
    this.#key = key
    this.#judge = judge
    this.#finished = finished
    this.#ownTools = ownTools
  }

  static async open(context: Doorway): Promise<AgentDoor> {
    const server = createServer()
    const door = new AgentDoor(server, randomBytes(32).toString('hex'), context)
    server.on('request', (request, response) => {
      door.#answer(request).then(
        ({ status, body }) => {
          response.writeHead(status, { 'content-type': 'application/json' })
          response.end(body === undefined ? '' : JSON.stringify(body))
        },
        () => response.destroy(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return door
  }

  /** The settings that make the client ask here, and block when it hears nothing. */
  settings(): object {
    const entry = {
      type: 'http',
      url: this.#url('hook'),
      headers: { Authorization: `Bearer ${this.#key}` },
      // A person may have to be asked; the session's own patience ends before this.
      timeout: 24 * 3600,
      onFailure: 'block',
    }
    const hooks = [{ hooks: [entry] }]
    const ends = { PostToolUse: hooks, PostToolUseFailure: hooks }
    return { hooks: { PreToolUse: hooks, ConfigChange: hooks, ...ends }, disableAllHooks: false }
  }

  /** Where our own tools are, in the words of MCP; undefined where the session has none. */
  mcpServer(): { readonly url: string; readonly authorization: string } | undefined {
    if (this.#ownTools === undefined) return undefined
    return { url: this.#url('mcp'), authorization: `Bearer ${this.#key}` }
  }

  #url(path: string): string {
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return `http://127.0.0.1:${port}/${path}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: object }> {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${this.#key}`)) return { status: 403 }
    // Nothing is ever told by itself, so that no stream is offered.
    if (request.method !== 'POST') return { status: 405 }
    const body: unknown = JSON.parse(await textOf(request))
    if (request.url !== '/mcp') return { status: 200, body: await this.#hook(body) }
    if (this.#ownTools === undefined) return { status: 404 }
    const answer = await answerMcp(body, this.#ownTools)
    return answer === undefined ? { status: 202 } : { status: 200, body: answer }
  }

  async #hook(body: unknown): Promise<object> {
    const call = claudeCode.parse(body)
    if (!call.ok) return claudeCode.render(body, { kind: 'deny', text: call.error.message })
    return claudeCode.render(body, await this.#decide(call.value.event))
  }

  async #decide(event: ClientEvent): Promise<ClientAnswer> {
    if (event.type === 'settings_changed') {
      return { kind: 'deny', text: 'The settings of this session stay as they were at its start.' }
    }
    if (event.type === 'tool_finished') return this.#onFinished(event)
    if (event.type !== 'tool_requested') return { kind: 'nothing' }
    // They come to this very door and judge themselves. The client was given no other server.
    if (this.#ownTools !== undefined && (event.toUs || event.server === ourServerName)) {
      this.judged.add(event.callId)
      return { kind: 'nothing' }
    }
    try {
      // What came as JSON is JSON.
      const input = event.input as Json
      const name = event.server === undefined ? event.tool : mcpName(event.server, event.tool)
      const { isAllowed, message } = await this.#judge({
        callId: event.callId,
        name,
        arguments: input,
      })
      if (!isAllowed) return { kind: 'deny', text: message }
      this.judged.add(event.callId)
      return { kind: 'nothing' }
    } catch {
      return { kind: 'deny', text: 'The call could not be judged, and that means no.' }
    }
  }

  /** Limits, interrupts and evidence are made of results; the model hears what follows from it. */
  async #onFinished(event: Extract<ClientEvent, { type: 'tool_finished' }>): Promise<ClientAnswer> {
    const { callId, bytes, exit, durationMs } = event
    const duration = durationMs === undefined ? {} : { durationMs }
    const notices = await this.#finished({ callId, bytes, exit, ...duration })
    return notices.length === 0 ? { kind: 'nothing' } : { kind: 'tell', text: notices.join('\n') }
  }
}

function mcpName(server: string, tool: string): string {
  return tool.startsWith('mcp__') ? tool : `mcp__${server}__${tool}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > mostBytes) throw new Error('the hook is too large')
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
