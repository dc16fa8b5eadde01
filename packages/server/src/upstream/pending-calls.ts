import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { AnyResult } from './catalog.ts'
import { mayAsk, type QuestionRules, questionKind, questionMethods } from './questions.ts'

export type JsonParams = Record<string, unknown>

/** A call that is under way, and what its client can be told and asked meanwhile. */
export interface Listener {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: JsonParams) => void
  readonly onLog?: (message: JsonParams) => void
  /** Puts a question of the server to the client; missing when its era has no such way. */
  readonly ask?: (method: string, params: JsonParams) => Promise<JsonParams>
  readonly timeoutMs?: number
}

/** The calls that a server has under way: what it says in between is for one of them. */
export class PendingCalls {
  readonly #listeners = new Set<Listener>()

  get size(): number {
    return this.#listeners.size
  }

  async during<Value>(listener: Listener, call: () => Promise<Value>): Promise<Value> {
    this.#listeners.add(listener)
    try {
      return await call()
    } finally {
      this.#listeners.delete(listener)
    }
  }

  /** Lets a client pass on what its server says and asks. */
  hear(client: Client, rules: QuestionRules): void {
    client.setNotificationHandler('notifications/message', ({ params }) => {
      this.#only()?.onLog?.({ ...params })
    })
    for (const method of questionMethods) {
      const kind = questionKind(method)
      if (kind === undefined || !mayAsk(rules, kind)) continue
      const shapes = { params: AnyResult, result: AnyResult }
      client.setRequestHandler(method, shapes, (params) => this.#ask(method, params))
    }
    // What was not announced can be asked all the same: anyone who made the call refuses it.
    client.fallbackRequestHandler = async ({ method, params }) => this.#ask(method, { ...params })
  }

  /** What a server asks in between says not whose call it is for; between two it is not guessed. */
  async #ask(method: string, params: JsonParams): Promise<JsonParams> {
    const ask = this.#only()?.ask
    if (ask === undefined) {
      throw new ProtocolError(-32_601, `${method} cannot be put to one client for certain`)
    }
    return ask(method, params)
  }

  #only(): Listener | undefined {
    const [only] = this.#listeners
    return this.#listeners.size === 1 ? only : undefined
  }
}
