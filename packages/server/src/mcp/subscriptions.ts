import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { problem } from '../base/problem.ts'
import type { Front } from './front/front.ts'

const maxPerConnection = 200

/** Resources that one connection wants to hear of, kept at their servers as long as it lives. */
export class Subscriptions {
  readonly #front: Front
  readonly #open = new Map<string, string>()

  constructor(front: Front) {
    this.#front = front
  }

  has(uri: string): boolean {
    return this.#open.has(uri)
  }

  async add(uri: string): Promise<void> {
    if (this.#open.has(uri)) return
    const owner = this.#front.ownerOf(uri)
    if (owner === undefined) throw new ResourceNotFoundError(uri)
    if (this.#open.size >= maxPerConnection) {
      throw new Error(problem('too_many_requests', 'Too many subscriptions.').message)
    }
    this.#open.set(uri, owner.name)
    await owner.subscribe(uri)
  }

  async remove(uri: string): Promise<void> {
    const name = this.#open.get(uri)
    if (name === undefined) return
    this.#open.delete(uri)
    await this.#front.upstreams.find(name)?.unsubscribe(uri)
  }

  async close(): Promise<void> {
    for (const uri of [...this.#open.keys()]) await this.remove(uri).catch(() => {})
  }
}
