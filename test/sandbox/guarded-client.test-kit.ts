import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, startServer } from '../../packages/server/src/app/start-server.ts'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'

export const bound = { timeout: 60_000 }

const sandbox = await findSandbox()
export const hasCage = sandbox.kind === 'bubblewrap'
if (sandbox.kind === 'none') process.stderr.write(`skipped: what needs a cage. ${sandbox.why}\n`)

export interface ToolAnswer {
  /** What the client was told instead of running it. */
  readonly denied?: string
  /** The command line that it got in place of its own. */
  readonly command?: string
  readonly answer: unknown
}

/** A real server, and a coding client that does what its hooks tell it. */
export class GuardedClient {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-exec-')))
  readonly project = join(this.folder, 'project')
  readonly home = join(this.folder, 'home')
  readonly data = join(this.folder, 'data')
  #running: Running | undefined
  #person = ''
  #token = ''
  #hookToken = ''
  #calls = 0

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
  }

  async start(definition: object & { readonly id: string }, more: Variables = {}): Promise<void> {
    const environment = {
      HOME: this.home,
      STATEWRIGHT_LOG_LEVEL: 'silent',
      STATEWRIGHT_WORKFLOW: definition.id,
      SW_SERVE_BUILT_DASHBOARD: '1',
      ...more,
    }
    const started = await startServer({ port: 0, data: this.data }, environment, this.project)
    if (!started.ok) throw new Error(started.error.message)
    this.#running = started.value
    this.#person = await started.value.serving.mintTestPerson()
    const { tokens } = started.value.serving.auth
    const made = { name: 'client', createdBy: 'test' }
    const agent = await tokens.mint({ ...made, kind: 'agent' })
    const hook = await tokens.mint({ ...made, kind: 'hook', pairOf: agent.row.tokenId })
    this.#token = agent.secret
    this.#hookToken = hook.secret
    const path = `/api/workflows/${definition.id}`
    const saved = await this.ask('PUT', path, this.#person, definition)
    if (saved.status >= 300) throw new Error(JSON.stringify(saved.body))
  }

  get running(): Running {
    if (this.#running === undefined) throw new Error('not started')
    return this.#running
  }

  get token(): string {
    return this.#token
  }

  get hookToken(): string {
    return this.#hookToken
  }

  get person(): string {
    return this.#person
  }

  async close(): Promise<void> {
    await this.#running?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async ask(method: string, path: string, token: string, body?: object) {
    const answer = await fetch(new URL(path, this.running.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return { status: answer.status, body: (await answer.json()) as any }
  }

  newCallId(): string {
    this.#calls += 1
    return `toolu_${this.#calls}`
  }

  /** Asks as Claude Code does before a tool runs. */
  before(tool: string, input: object, callId = this.newCallId()): Promise<ToolAnswer> {
    return this.#before({ tool, input, callId }, this.#hookToken)
  }

  /** The same, asked by the agent with the token that it has. */
  pretend(tool: string, input: object): Promise<ToolAnswer> {
    return this.#before({ tool, input, callId: this.newCallId() }, this.#token)
  }

  async #before(call: { tool: string; input: object; callId: string }, token: string) {
    const { body } = await this.#hook('PreToolUse', call, token)
    const out = body.hookSpecificOutput ?? {}
    return {
      ...(out.permissionDecision === 'deny' ? { denied: out.permissionDecisionReason } : {}),
      ...(out.updatedInput === undefined ? {} : { command: out.updatedInput.command }),
      answer: body,
    }
  }

  async after(tool: string, input: object, callId: string, isFailure = false, more: object = {}) {
    const event = isFailure ? 'PostToolUseFailure' : 'PostToolUse'
    const response = { stdout: '', stderr: '', ...more }
    return this.#hook(event, { tool, input, callId, response })
  }

  /** The same words, sent by the agent with the token that it has. */
  async claim(tool: string, input: object, callId: string) {
    const response = { stdout: '', stderr: '' }
    return this.#hook('PostToolUse', { tool, input, callId, response }, this.#token)
  }

  /** What becomes of a shell call, from the hook before it to the hook after. */
  async shell(command: string, environment: Variables = {}): Promise<ChildResult & ToolAnswer> {
    const callId = this.newCallId()
    const request = await this.before('Bash', { command }, callId)
    if (request.denied !== undefined) return { ...request, code: null, stdout: '', stderr: '' }
    const ran = await this.run(request.command ?? command, environment)
    await this.after('Bash', { command: request.command ?? command }, callId, ran.code !== 0)
    return { ...request, ...ran }
  }

  run(command: string, environment: Variables = {}): Promise<ChildResult> {
    return runProgram('/bin/bash', ['--norc', '-c', command], {
      cwd: this.project,
      environment: { PATH: process.env.PATH ?? '', HOME: this.home, ...environment },
    })
  }

  async transition(event: string): Promise<{ status: number; code?: string }> {
    const path = '/api/runs/session:s1/transition'
    const { status, body } = await this.ask('POST', path, this.#token, { event })
    return { status, code: body.code }
  }

  async history(): Promise<readonly { entry: { type: string; call_id?: string } }[]> {
    const list = await this.ask('GET', '/api/runs', this.#person)
    const run = list.body.runs[0].run_id
    return (await this.ask('GET', `/api/runs/${run}/export`, this.#person)).body.entries
  }

  /** The outputs that are kept beside the history, in the order of their calls. */
  async outputs(): Promise<unknown[]> {
    const list = await this.ask('GET', '/api/runs', this.#person)
    const run = list.body.runs[0].run_id
    const ids = (await this.history()).flatMap(({ entry }) =>
      entry.type === 'call_finished' ? [entry.call_id] : [],
    )
    const paths = ids.map((id) => `/api/runs/${run}/calls/${id}`)
    const calls = paths.map((path) => this.ask('GET', path, this.#person))
    return (await Promise.all(calls)).map(({ body }) => body.output)
  }

  #hook(
    hook_event_name: string,
    call: { tool: string; input: object; callId: string; response?: object },
    token = this.#hookToken,
  ) {
    return this.ask('POST', '/hooks/claude-code', token, {
      hook_event_name,
      session_id: 's1',
      cwd: this.project,
      tool_name: call.tool,
      tool_input: call.input,
      tool_use_id: call.callId,
      ...(call.response === undefined ? {} : { tool_response: call.response }),
    })
  }
}
