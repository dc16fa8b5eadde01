/** A coding client as its hooks have shown it since the server started. */
export interface SeenClient {
  readonly client: string
  readonly hooks: number
  readonly sessions: number
  readonly lastAt: number
  /** Whether it runs as another user or on another machine; undefined when nobody could see. */
  readonly isApart: boolean | undefined
}

interface ClientRecord {
  hooks: number
  lastAt: number
  isApart: boolean | undefined
  readonly sessions: Set<string>
}

const maxSessions = 1000
const maxClients = 50

/** Which clients have asked for judgement. */
export class ClientRegistry {
  readonly #seen = new Map<string, ClientRecord>()

  note(client: string, session: string, at: number): void {
    const seen = this.#of(client)
    if (seen === undefined) return
    seen.hooks += 1
    seen.lastAt = at
    if (seen.sessions.size < maxSessions) seen.sessions.add(session)
  }

  /** One client that shares our user is enough to lose the boundary. */
  noteApart(client: string, isApart: boolean): void {
    const seen = this.#of(client)
    if (seen !== undefined) seen.isApart = isApart && seen.isApart !== false
  }

  list(): SeenClient[] {
    return [...this.#seen].map(([client, { hooks, lastAt, isApart, sessions }]) => ({
      client,
      hooks,
      sessions: sessions.size,
      lastAt,
      isApart,
    }))
  }

  #of(client: string): ClientRecord | undefined {
    const known = this.#seen.get(client)
    if (known !== undefined || this.#seen.size >= maxClients) return known
    const seen: ClientRecord = { hooks: 0, lastAt: 0, isApart: undefined, sessions: new Set() }
    this.#seen.set(client, seen)
    return seen
  }
}
