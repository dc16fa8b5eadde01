import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type StartedServer, startStatewright } from '../../packages/server/testing/child.ts'
import { Attached, type Followed, followEvents } from '../sessions/session-kit.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { claudeEnvironment, claudeProgram } from './claude-client.ts'

export const acpProgram = fileURLToPath(
  new URL('../../.cache/clients/claude-acp/node_modules/.bin/claude-agent-acp', import.meta.url),
)

/** Sessions of real agents on a real server, whose model plays a script. */
export class AgentSessions {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-started-')))
  readonly work = join(this.home, 'work')
  #model: FakeModel | undefined
  #server: StartedServer | undefined

  constructor() {
    mkdirSync(this.work)
  }

  get model(): FakeModel {
    if (this.#model === undefined) throw new Error('there is no model yet')
    return this.#model
  }

  get server(): StartedServer {
    if (this.#server === undefined) throw new Error('there is no server yet')
    return this.#server
  }

  /** A server that finds the agents in its PATH, as it would on a person's machine. */
  async begin(
    script: readonly Turn[],
    workflow: { readonly id: string },
    programs: readonly string[] = [],
  ): Promise<void> {
    this.#model = await startFakeModel(script)
    const environment = claudeEnvironment(this.home, this.#model)
    const agents = [...programs, dirname(acpProgram), dirname(claudeProgram)]
    const PATH = [...agents, dirname(process.execPath), environment.PATH].join(':')
    this.#server = await startStatewright({
      cwd: this.work,
      environment: { ...environment, PATH },
      args: ['--data', join(this.home, 'data')],
    })
    const saved = await this.#server.ask('PUT', `/api/workflows/${workflow.id}`, workflow)
    expect(saved.status).toBe(200)
  }

  async ask(path: string, body?: object): Promise<Attached> {
    const { status, value } = await this.server.ask(body === undefined ? 'GET' : 'POST', path, body)
    expect([path, status, value]).toEqual([
      path,
      body === undefined ? 200 : expect.any(Number),
      value,
    ])
    if (status >= 400) throw new Error(JSON.stringify(value))
    return Attached.parse(value)
  }

  /** Says a word to a new session, and gives back its id. */
  async start(harness: string, more: object): Promise<string> {
    const options = harness === 'acp' ? { agent: 'claude' } : {}
    const body = { harness, projectPath: this.work, options, ...more }
    const { sessionId } = await this.ask('/api/sessions', body)
    await this.until(sessionId, 'ready')
    await this.ask(`/api/sessions/${sessionId}/input`, { text: 'go' })
    return sessionId
  }

  /** All that was told of a session until it comes to this state. */
  until(id: string, state: string): Promise<Followed[]> {
    const { url, personToken: token } = this.server
    const from = { url, token, id, after: '0' }
    return followEvents(from, (_, data) => data.type === 'state_changed' && data.to === state)
  }

  /** The kinds of entries in the history of the session's run. */
  async history(id: string): Promise<string[]> {
    const { runId } = await this.ask(`/api/sessions/${id}`)
    const page = await this.server.ask('GET', `/api/runs/${runId}/entries?limit=100`)
    // The published shape.
    const { entries } = page.value as { entries: { type: string; decision?: string }[] }
    return entries.map(({ type, decision }) =>
      decision === undefined ? type : `${type} ${decision}`,
    )
  }

  /** A call that writes a file into the project, perhaps after some words. */
  write(name: string, words?: string): Turn {
    const input = { file_path: join(this.work, name), content: 'written\n' }
    return [...(words === undefined ? [] : [{ text: words }]), { tool: 'Write', input }]
  }

  async close(): Promise<void> {
    await this.#server?.kill()
    await this.#model?.close()
    // What the agent started may still be writing its last words.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Its calls, each with whether it was an error. */
export function callsIn(reported: readonly Followed[]): string[] {
  return payloadsOf(reported, 'tool_call_completed').map(
    ({ name, isError }) => `${name} ${isError === true ? 'error' : 'ok'}`,
  )
}

export function payloadsOf(reported: readonly Followed[], type: string): Record<string, unknown>[] {
  return reported
    .filter(({ data }) => data.type === type)
    .map(({ data }) => data.payload as Record<string, unknown>) // The published shape.
}
