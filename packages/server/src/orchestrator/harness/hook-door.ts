import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Json } from '@statewright/core'
import { claudeCode } from '../../clients/claude-code.ts'
import type { ClientAnswer, ClientEvent } from '../../clients/client.ts'
import type { HarnessContext } from '../ports.ts'

const mostBytes = 16 * 1024 * 1024

/**
 * Where the client hooks of an agent that we started ask: a door on loopback for this one session,
 * with a key of its own. Every fault in here denies, and no answer at all makes the client block.
 */
export class HookDoor {
  /** Calls that came by and were let through. A result of any other call means an open guard. */
  readonly judged = new Set<string>()
  readonly #server: Server
  readonly #key: string
  readonly #judge: HarnessContext['judge']

  private constructor(server: Server, key: string, judge: HarnessContext['judge']) {
    this.#server = server
    this.#key = key
    this.#judge = judge
  }

  static async open(judge: HarnessContext['judge']): Promise<HookDoor> {
    const server = createServer()
    const door = new HookDoor(server, randomBytes(32).toString('hex'), judge)
    server.on('request', (request, response) => {
      door.#answer(request).then(
        (answer) => {
          response.writeHead(answer === undefined ? 403 : 200, {
            'content-type': 'application/json',
          })
          response.end(JSON.stringify(answer ?? {}))
        },
        () => response.destroy(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return door
  }

  /** The settings that make the client ask here, and block when it hears nothing. */
  settings(): object {
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const entry = {
      type: 'http',
      url: `http://127.0.0.1:${port}/`,
      headers: { Authorization: `Bearer ${this.#key}` },
      // A person may have to be asked; the session's own patience ends before this.
      timeout: 24 * 3600,
      onFailure: 'block',
    }
    const hooks = [{ hooks: [entry] }]
    return { hooks: { PreToolUse: hooks, ConfigChange: hooks }, disableAllHooks: false }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: IncomingMessage): Promise<object | undefined> {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${this.#key}`)) return undefined
    const body: unknown = JSON.parse(await textOf(request))
    const call = claudeCode.parse(body)
    if (!call.ok) return claudeCode.render(body, { kind: 'deny', text: call.error.message })
    return claudeCode.render(body, await this.#decide(call.value.event))
  }

  async #decide(event: ClientEvent): Promise<ClientAnswer> {
    if (event.type === 'settings_changed') {
      return { kind: 'deny', text: 'The settings of this session stay as they were at its start.' }
    }
    if (event.type !== 'tool_requested') return { kind: 'nothing' }
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
