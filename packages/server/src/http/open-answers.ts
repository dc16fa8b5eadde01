import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Open = ServerResponse<IncomingMessage>

/** Answers of a server that are not sent yet, so that it can stop without cutting them off. */
export class OpenAnswers {
  readonly server: Server
  readonly #open = new Set<Open>()
  #isClosing = false

  constructor(server: Server) {
    this.server = server
    server.on('request', (_, answer: Open) => {
      this.#open.add(answer)
      answer.once('close', () => this.#open.delete(answer))
      if (this.#isClosing) answer.shouldKeepAlive = false
    })
  }

  /**
   * Every answer from now on is the last of its connection, and says so. A connection that is
   * closed without a word takes a request with it that is on its way, and nobody knows what became
   * of that.
   */
  closeConnections(): void {
    this.#isClosing = true
    for (const answer of this.#open) answer.shouldKeepAlive = false
  }

  /** Streams and whatever else only looks. */
  endLooks(): void {
    for (const answer of this.#open) if (answer.req.method === 'GET') answer.destroy()
  }
}
