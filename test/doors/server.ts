import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type StartedServer,
  startStatewright,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { serviceKey } from '../../packages/server/testing/peers/mail-service.ts'
import type { Entry, Person } from './person.ts'

const fileServer = fileURLToPath(new URL('../support/filesystem-mcp.mjs', import.meta.url))

/** Two, since a server gives its commands other variables than the agents that it starts. */
export const secrets: Variables = { LC_SECRET: 'out-of-sight', CLAUDE_SECRET: 'out-of-sight' }

export interface ServerOptions {
  readonly mode: 'enforce' | 'observe'
  readonly mailUrl: string
  /** Folders whose programs are found before all others. */
  readonly programs?: readonly string[]
  readonly environment?: Variables
}

/** A real server in a process of its own, with project, home and data of its own. */
export class Server implements Person {
  readonly folder: string
  readonly project: string
  readonly home: string
  readonly data: string
  /** What the MCP server behind the gateway writes into. */
  readonly fronted: string
  #started: StartedServer | undefined

  private constructor() {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-doors-')))
    this.project = join(this.folder, 'project')
    this.home = join(this.folder, 'home')
    this.data = join(this.folder, 'data')
    this.fronted = join(this.folder, 'fronted')
    for (const name of [this.project, this.home, this.fronted]) mkdirSync(name)
  }

  static async start(options: ServerOptions): Promise<Server> {
    const server = new Server()
    const { mode, mailUrl, programs = [], environment = {} } = options
    const config = {
      mode,
      upstreams: { files: { command: process.execPath, args: [fileServer, server.fronted] } },
      gateway: { tools: true, list: 'all', names: 'always' },
      mail: { resend: { key_env: 'MAIL_KEY', url: mailUrl } },
    }
    // JSON is YAML as well.
    writeFileSync(join(server.project, 'statewright.yaml'), JSON.stringify(config))
    const usual = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']
    server.#started = await startStatewright({
      cwd: server.project,
      args: ['--data', server.data],
      environment: {
        PATH: [...programs, ...usual].join(':'),
        HOME: server.home,
        MAIL_KEY: serviceKey,
        SW_SERVE_BUILT_DASHBOARD: '1',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        ...secrets,
        ...environment,
      },
    })
    await server.ask('POST', '/api/config/accept', {})
    return server
  }

  get url(): string {
    return this.#running.url
  }

  get personToken(): string {
    return this.#running.personToken
  }

  get #running(): StartedServer {
    if (this.#started === undefined) throw new Error('the server was not started')
    return this.#started
  }

  /** Asks the API as a person, and takes nothing but a yes. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async ask(method: string, path: string, body?: object): Promise<any> {
    const { status, value } = await this.#running.ask(method, path, body)
    if (status < 300) return value
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(value)}`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  async askAs(token: string, path: string, body: object): Promise<{ status: number; body: any }> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  /** A token for an agent, and the one for the hooks of its client. */
  async mint(
    name: string,
    project?: string,
  ): Promise<{ readonly token: string; readonly hookToken: string }> {
    const body = { kind: 'agent', name, with_hook: true, ...(project && { project }) }
    const made = await this.ask('POST', '/api/tokens', body)
    return { token: made.token, hookToken: made.hook_token }
  }

  async waiting(runId: string): Promise<string | undefined> {
    const { approvals } = await this.ask('GET', `/api/approvals?status=waiting&run=${runId}`)
    return approvals[0]?.approval_id
  }

  async answer(approvalId: string, verdict: 'approve' | 'reject'): Promise<void> {
    const body = verdict === 'approve' ? {} : { reason: 'not today' }
    await this.ask('POST', `/api/approvals/${approvalId}/${verdict}`, body)
  }

  async pause(runId: string): Promise<void> {
    await this.ask('POST', `/api/runs/${runId}/pause`, {})
  }

  async output(runId: string, callId: string): Promise<string | undefined> {
    const path = `/api/runs/${runId}/calls/${encodeURIComponent(callId)}`
    const { output } = await this.ask('GET', path)
    return output === undefined ? undefined : JSON.stringify(output)
  }

  async transition(runId: string, event: string): Promise<void> {
    await this.ask('POST', `/api/runs/${runId}/transition`, { event })
  }

  async history(runId: string): Promise<readonly Entry[]> {
    return (await this.ask('GET', `/api/runs/${runId}/entries?limit=1000&cause=1`)).entries
  }

  async close(): Promise<void> {
    await this.#started?.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
