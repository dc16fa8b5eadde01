import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Serving, serve } from '../../packages/server/src/app/serve.ts'
import { createLog } from '../../packages/server/src/observe/logger.ts'
import {
  defaultSettings,
  type RuntimeSettings,
} from '../../packages/server/src/runtime/settings.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { followEvents } from './session-kit.ts'

/** A whole server in this process, with a project and a data folder that outlive it. */
export class ServedSessions {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-sessions-')))
  readonly project = join(this.folder, 'project')
  readonly data = join(this.folder, 'data')
  readonly logs: string[] = []
  #store: Store | undefined
  #serving: Serving | undefined
  #person = ''

  constructor() {
    mkdirSync(this.project)
    mkdirSync(this.data, { mode: 0o700 })
  }

  hooks(...hooks: readonly object[]): void {
    writeFileSync(join(this.data, 'hooks.json'), JSON.stringify({ hooks }))
  }

  file(name: string, content: string | object): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(this.project, name), text)
  }

  has(name: string): boolean {
    return existsSync(join(this.project, name))
  }

  async open(
    settings: Partial<RuntimeSettings> = {},
    environment: Record<string, string> = {},
  ): Promise<void> {
    this.#store = await openStore({ folder: this.data, durability: 'crash' })
    const log = createLog({ destination: { write: (line: string) => void this.logs.push(line) } })
    const served = await serve({
      store: this.#store,
      settings: { ...defaultSettings, ...settings },
      port: 0,
      log,
      environment: { PATH: process.env.PATH, ...environment },
      data: this.data,
    })
    if (!served.ok) throw new Error(served.error.message)
    this.#serving = served.value
    this.#person = await served.value.mintTestPerson()
  }

  async shut(): Promise<void> {
    await this.#serving?.close()
    await this.#store?.close()
    this.#serving = undefined
    this.#store = undefined
  }

  async close(): Promise<void> {
    await this.shut()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get url(): string {
    return String(this.#serving?.url)
  }

  get person(): string {
    return this.#person
  }

  async ask(method: string, path: string, body?: object) {
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: { authorization: `Bearer ${this.#person}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as any }
  }

  /** Starts a session that plays these turns, and waits until it is ready. */
  async start(turns: readonly unknown[], more: object = {}): Promise<string> {
    const body = { harness: 'scripted', projectPath: this.project, options: { script: { turns } } }
    const started = await this.ask('POST', '/api/sessions', { ...body, ...more })
    expect(started.status, JSON.stringify(started.body)).toBe(201)
    await this.until(started.body.sessionId, 'ready')
    return started.body.sessionId
  }

  async say(id: string, text = 'go', more: object = {}) {
    return this.ask('POST', `/api/sessions/${id}/input`, { text, ...more })
  }

  async session(id: string) {
    return (await this.ask('GET', `/api/sessions/${id}`)).body
  }

  /** All that the session has told so far. */
  async events(id: string) {
    const { lastEventId } = await this.session(id)
    const from = { url: this.url.replace(/\/$/, ''), token: this.#person, id, after: '0' }
    const seen = await followEvents(from, (_event, _data, at) => at === lastEventId)
    return seen.filter(({ id: at }) => at !== '').map(({ data }) => data)
  }

  async until(id: string, ...kinds: readonly string[]): Promise<void> {
    const look = async () => (await this.session(id)).kind
    await expect.poll(look, { timeout: 20_000, interval: 20 }).toSatisfy((kind) => {
      return kinds.includes(kind)
    })
  }
}
