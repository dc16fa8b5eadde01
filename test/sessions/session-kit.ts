import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Ready, stopped, Testbed } from '../../packages/server/testing/testbed.ts'

export const Attached = z.looseObject({
  sessionId: z.string(),
  kind: z.string(),
  lastError: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  state: z.looseObject({
    toolRuns: z.array(
      z.looseObject({
        runId: z.string(),
        toolName: z.string(),
        status: z.string(),
        error: z.string().optional(),
      }),
    ),
    hookRuns: z.array(
      z.looseObject({ runId: z.string(), status: z.string(), error: z.string().optional() }),
    ),
  }),
  conversation: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  lastEventId: z.string(),
})
export type Attached = z.infer<typeof Attached>

export interface Followed {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** What a session tells from a place on, until `isOver` says so. */
export async function followEvents(
  from: { readonly url: string; readonly token: string; readonly id: string; after: string },
  isOver: (event: string, data: Record<string, unknown>, id: string) => boolean,
): Promise<Followed[]> {
  const answer = await fetch(`${from.url}/api/sessions/${from.id}/events`, {
    headers: { authorization: `Bearer ${from.token}`, 'last-event-id': from.after },
  })
  const seen: Followed[] = []
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const [id, event, data] = [field('id'), field('event'), field('data')]
      if (event === undefined || data === undefined) continue
      const value = JSON.parse(data)
      // What is not stored has no id.
      seen.push({ id: id ?? '', event, data: value })
      // Leaving the loop ends the connection.
      if (isOver(event, value, id ?? '')) return seen
    }
  }
  return seen
}

/** A project with a server in a process of its own, which can be killed and started again. */
export class SessionTestbed {
  readonly testbed = new Testbed()
  readonly data = join(this.testbed.folder, 'data')
  #server: { ready: Ready; child: ChildProcess } | undefined

  constructor() {
    mkdirSync(this.data, { mode: 0o700 })
  }

  get project(): string {
    return this.testbed.project
  }

  get server(): Ready {
    if (this.#server === undefined) throw new Error('the server was not started')
    return this.#server.ready
  }

  async boot(): Promise<void> {
    const { ready, child } = await this.testbed.up('--data', this.data, '--test-person')
    this.#server = { ready, child }
  }

  /** As a power cut would: nothing is told, nothing is finished. */
  async kill(): Promise<void> {
    if (this.#server !== undefined) await stopped(this.#server.child, 'SIGKILL')
  }

  close(): void {
    this.testbed.close()
  }

  has(name: string): boolean {
    return existsSync(join(this.project, name))
  }

  file(name: string, content: string | object): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(this.project, name), text)
  }

  read(name: string): string {
    return readFileSync(join(this.project, name), 'utf8')
  }

  token(): Record<string, string> {
    return {
      STATEWRIGHT_URL: this.server.url,
      STATEWRIGHT_TOKEN: this.server.person_token ?? '',
    }
  }

  async ask(method: string, path: string, body?: object): Promise<Attached> {
    const answer = await fetch(`${this.server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.server.person_token}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const value = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return Attached.parse(value)
  }

  spawnSession(script: object, more: object = {}): Promise<Attached> {
    const body = { harness: 'scripted', projectPath: this.project, options: { script }, ...more }
    return this.ask('POST', '/api/sessions', body)
  }

  /** What the session tells, from a place on, until `isOver` says so. */
  async follow(
    id: string,
    after: string,
    isOver: (event: string, data: Record<string, unknown>) => boolean,
  ): Promise<Followed[]> {
    const { url, person_token: token = '' } = this.server
    return followEvents({ url, token, id, after }, isOver)
  }

  /** Follows from the beginning until the session changes to this state for the n-th time. */
  untilState(id: string, state: string, times = 1) {
    let left = times
    return this.follow(id, '0', (_event, data) => {
      if (data.type === 'state_changed' && data.to === state) left -= 1
      return left === 0
    })
  }
}
