import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Who was heard on a connection, by the token of its requests. */
export type ConnectionKind = 'nobody' | 'agent' | 'person'

/** Connections beyond the limit, for people who come when it is reached. */
const reserve = 64

/**
 * Keeps room for people among the connections of a server. Whoever holds connections open, with or
 * without a token, uses up their own: where room is short the oldest on which nobody has shown a
 * token goes first, then the oldest agent's that waits for no answer. A person's never goes.
 */
export class ConnectionRoom {
  readonly #max: number
  readonly #open: Readonly<Record<ConnectionKind, Set<Socket>>> = {
    nobody: new Set(),
    agent: new Set(),
    person: new Set(),
  }
  /** Requests of a connection that are not answered yet. */
  readonly #pending = new Map<Socket, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Watches every connection of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket))
    server.on('request', ({ socket }, response) => {
      this.#pending.set(socket, (this.#pending.get(socket) ?? 0) + 1)
      response.once('close', () => this.#answered(socket))
    })
  }

  hear(socket: Socket, who: ConnectionKind): void {
    const known = this.#rankOf(socket)
    if (known === undefined || known === who || known === 'person') return
    this.#open[known].delete(socket)
    this.#open[who].add(socket)
  }

  get #size(): number {
    const { nobody, agent, person } = this.#open
    return nobody.size + agent.size + person.size
  }

  #add(socket: Socket): void {
    if (this.#size >= this.#max && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    rooms.set(socket, this)
    this.#open.nobody.add(socket)
    socket.once('close', () => this.#remove(socket))
  }

  #makeRoom(): boolean {
    const [oldest] = this.#open.nobody
    const victim = oldest ?? [...this.#open.agent].find((one) => !this.#pending.has(one))
    if (victim === undefined) return this.#size < this.#max + reserve
    this.#remove(victim)
    victim.destroy()
    return true
  }

  /** What stands in the reserve and is no person's makes room as soon as it was answered. */
  #answered(socket: Socket): void {
    const left = (this.#pending.get(socket) ?? 1) - 1
    if (left > 0) this.#pending.set(socket, left)
    else this.#pending.delete(socket)
    if (this.#size > this.#max && left === 0 && this.#rankOf(socket) !== 'person') {
      socket.destroySoon()
    }
  }

  #remove(socket: Socket): void {
    for (const all of Object.values(this.#open)) all.delete(socket)
    this.#pending.delete(socket)
  }

  #rankOf(socket: Socket): ConnectionKind | undefined {
    const { nobody, agent, person } = this.#open
    if (person.has(socket)) return 'person'
    if (agent.has(socket)) return 'agent'
    return nobody.has(socket) ? 'nobody' : undefined
  }
}

const rooms = new WeakMap<Socket, ConnectionRoom>()

/** A request has shown whose connection it came on. Tests ask in memory, without one. */
export function heardOn(incoming: IncomingMessage | undefined, who: ConnectionKind): void {
  if (incoming !== undefined) rooms.get(incoming.socket)?.hear(incoming.socket, who)
}
