import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { verbs } from '@statewright/core/wire'
import { type Running, startServer } from '../../src/app/start-server.ts'
import { testPersonMark } from '../../src/http/auth/auth.ts'
import { freePort } from '../free-port.ts'
import { bugfix, deploy, review } from './definitions.ts'

type Environment = Readonly<Record<string, string>>

/** The agent of all runs, which works in the shop. */
const claude = { kind: 'agent', name: 'claude', project: '/home/ann/shop' }

/** A real server with real runs, for tests in a browser and for pictures. */
export class DashboardWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'statewright-dashboard-'))
  #running: Running | undefined
  #person = ''
  #agent = ''
  #more: Environment = {}

  /** `config` is what the user's own file says. */
  static async open(config?: object, more: Environment = {}): Promise<DashboardWorld> {
    const world = new DashboardWorld()
    world.#more = more
    if (config !== undefined) {
      mkdirSync(join(world.folder, '.config/statewright'), { recursive: true })
      const file = join(world.folder, '.config/statewright/config.yaml')
      writeFileSync(file, JSON.stringify(config))
    }
    // Where it comes back to when it is started again.
    await world.start(await freePort())
    for (const definition of [bugfix, deploy, review]) {
      await world.person('PUT', `/api/workflows/${definition.id}`, definition)
    }
    return world
  }

  async start(port: number): Promise<void> {
    const own = { HOME: this.folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
    const environment = { ...own, ...this.#more }
    const options = { port, data: join(this.folder, 'data') }
    const started = await startServer(options, environment, this.folder)
    if (!started.ok) throw new Error(started.error.message)
    this.#running = started.value
    this.#person = await this.#mintPerson()
    this.#agent ||= (await this.person('POST', '/api/tokens', claude)).token
  }

  /** Where people log in with a provider a person of tests does not count, but a service does. */
  async #mintPerson(): Promise<string> {
    const { serving } = this.running
    const { oidc, tokens } = serving.auth
    if (oidc.hasLocalLogins()) return serving.mintTestPerson()
    const service = { kind: 'person', name: 'tests', createdBy: 'tests', verbs } as const
    return (await tokens.mint(service)).secret
  }

  get running(): Running {
    if (this.#running === undefined) throw new Error('the server is not up')
    return this.#running
  }

  /** With which the agent of all runs comes. */
  get agentToken(): string {
    return this.#agent
  }

  get url(): string {
    return this.running.url
  }

  /** A link for a person of tests, who is not asked for a PIN. */
  login(): string {
    return this.url + this.running.serving.auth.links.create('tess', testPersonMark)
  }

  /** A link to the name of the server, where there are passkeys. */
  namedLogin(person: string): string {
    const { peopleUrl, auth } = this.running.serving
    return peopleUrl + auth.links.create(person)
  }

  /** A link like everybody's. */
  personLogin(): string {
    return this.url + this.running.serving.auth.links.create('ann')
  }

  /** Stops the server and starts it again at the same address, with the same data. */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const port = Number(new URL(this.url).port)
    await this.running.stop()
    await meanwhile()
    // This process is the client as well, and its pool must hear that the connections are gone:
    // one turn of the event loop ends this one, the next reads the ends.
    await nextTurn()
    await nextTurn()
    await this.start(port)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async ask(token: string, method: string, path: string, body?: unknown): Promise<any> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  person(method: string, path: string, body?: unknown): Promise<any> {
    return this.ask(this.#person, method, path, body)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  agent(method: string, path: string, body?: unknown): Promise<any> {
    return this.ask(this.#agent, method, path, body)
  }

  async run(workflow: string, context: object = {}): Promise<string> {
    return (await this.agent('POST', '/api/runs', { workflow, context })).run_id
  }

  check(run: string, tool: string, input: object, callId?: string) {
    const call = callId === undefined ? {} : { call_id: callId }
    return this.agent('POST', '/api/check', { run, tool, input, ...call })
  }

  result(run: string, callId: string, more: object = {}) {
    return this.agent('POST', '/api/result', { run, call_id: callId, exit: 'success', ...more })
  }

  move(run: string, event: string, data: object = {}, branch?: string) {
    const where = branch === undefined ? {} : { branch }
    return this.agent('POST', `/api/runs/${run}/transition`, { event, data, ...where })
  }

  async close(): Promise<void> {
    await this.#running?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
