import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Acknowledged } from './server-load.ts'

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** The server asked for the connection to be closed. */
  readonly isClosing: boolean
}

/**
 * A client of several servers that keeps its connection, as proxies and agents do. It goes on to
 * the next server where nobody listens, so that nothing was judged, and where it is asked to close.
 * Anything else that goes wrong is a failed call, which it never repeats.
 */
export class SteadyClient {
  readonly #urls: readonly string[]
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #at: number
  /** What went wrong, in words. */
  readonly failures: string[] = []
  moves = 0

  constructor(urls: readonly string[], token: string, first: number) {
    this.#urls = urls
    this.#token = token
    this.#at = first
  }

  /** Calls and transitions one after another on one run until told to stop. */
  async work(reported: Acknowledged, isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const callId = randomUUID()
      const call = { run: reported.runId, tool: 'Read', input: { file_path: 'a.ts' } }
      const checked = await this.#ask('/api/check', { ...call, call_id: callId })
      if (checked?.body.decision === 'allow') reported.calls.add(callId)
      else this.#fail('check', checked)
      if (turn % 5 !== 4) continue
      const moved = await this.#ask(`/api/runs/${reported.runId}/transition`, { event: 'NEXT' })
      if (moved?.status === 200) reported.transitions += 1
      else this.#fail('transition', moved)
    }
    this.#agent.destroy()
  }

  #fail(what: string, answered: Answered | undefined): void {
    if (answered === undefined) return
    this.failures.push(`${what}: ${answered.status} ${JSON.stringify(answered.body)}`)
  }

  /** Undefined when it failed without an answer, which is noted already. */
  async #ask(path: string, body: object): Promise<Answered | undefined> {
    // As often as a server may be away while another one starts.
    for (let tries = 0; tries < this.#urls.length; tries++) {
      try {
        const answered = await this.#send(`${this.#urls[this.#at]}${path}`, body)
        if (answered.isClosing) this.#move()
        return answered
      } catch (fault) {
        const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
        if (code !== 'ECONNREFUSED') {
          this.failures.push(`${path}: ${code}`)
          return undefined
        }
        this.#move()
      }
    }
    this.failures.push(`${path}: nobody listens`)
    return undefined
  }

  #move(): void {
    this.moves += 1
    this.#at = (this.#at + 1) % this.#urls.length
  }

  #send(url: string, body: object): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const sent = request(url, {
      agent: this.#agent,
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      timeout: 30_000,
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')))
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const isClosing = answer.headers.connection === 'close'
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text), isClosing })
      })
    })
    sent.end(JSON.stringify(body))
    return promise
  }
}
