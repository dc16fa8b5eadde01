import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { sessionHooks } from '../../client-settings/claude-install.ts'
import { ourServerName } from '../../clients/claude-tools.ts'
import { AgentProcess } from '../children/agent-process.ts'
import { agentVariables, type Variables } from '../children/environment.ts'
import type {
  AgentConnection,
  Harness,
  HarnessContext,
  HarnessPart,
  HarnessSession,
  TurnRequest,
} from '../ports.ts'
import { greetClaude } from './claude-greeting.ts'
import { ClaudeStream } from './claude-stream.ts'
import { optionsFault } from './harness-options.ts'
import { promptForTurn } from './prompt-text.ts'

export interface ClaudeCodeSettings {
  readonly variables: Variables
  /** The client's program where it is not simply `claude`; never from whoever starts a session. */
  readonly program?: string
  /** Where files with the key of a session lie: no guarded call may read them there. */
  readonly folder?: string
  /** Who ends the client when we are killed meanwhile. */
  readonly owner?: string
  readonly turnMs?: number
}

const Options = z.object({
  model: z.string().min(1).max(200).optional(),
  permission_mode: z.enum(['default', 'acceptEdits', 'plan']).optional(),
  allowed_tools: z.array(z.string().min(1).max(200)).max(200).optional(),
})

/** Every call of these is judged by us; without this the client would deny them, asking nobody. */
const usualTools = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Read', 'Grep', 'Glob']
const usualTurnMs = 3_600_000
/** A person may have to be asked; the session's own patience ends before this. */
const personsPatienceMs = 24 * 3_600_000

/** Runs Claude Code with the same client hooks as `install` enters, for this session (SE-12). */
export function claudeCodeHarness(settings: ClaudeCodeSettings): Harness {
  return {
    name: 'claude-code',
    provider: 'anthropic',
    hasReadiness: false,
    runsOwnTools: true,
    llmTimeoutMs: settings.turnMs ?? usualTurnMs,
    async check({ options }) {
      return optionsFault(Options, options)
    },
    async start(context) {
      const session = new ClaudeSession(settings, context)
      await session.open()
      return session
    },
  }
}

/** One conversation. The client is started again, and takes it up, when it was ended in between. */
class ClaudeSession implements HarnessSession {
  readonly #settings: ClaudeCodeSettings
  readonly #context: HarnessContext
  readonly #folder: string
  #stream: ClaudeStream
  readonly #server: AgentConnection
  #process: AgentProcess | undefined
  #listener: ((line: string) => void) | undefined
  #hasSpoken = false
  #isLeaving = false

  constructor(settings: ClaudeCodeSettings, context: HarnessContext) {
    this.#settings = settings
    this.#context = context
    this.#folder = mkdtempSync(join(settings.folder ?? tmpdir(), 'statewright-claude-'))
    // Last, since nobody gives the keys back when something fails here.
    this.#server = context.connect()
    this.#stream = this.#newStream()
  }

  async open(): Promise<void> {
    try {
      await this.#start(false)
    } catch (fault) {
      this.#close()
      throw fault
    }
  }

  async send(
    request: TurnRequest,
    emit: (part: HarnessPart) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const isFollowing = request.messages.some(({ role }) => role === 'assistant')
    if (this.#process === undefined) await this.#start(this.#hasSpoken || isFollowing)
    const running = this.#process
    if (running === undefined || signal.aborted) return
    const text = promptForTurn(request)
    await new Promise<void>((resolve) => {
      const listen = (line: string) => {
        if (this.#take(line, running, emit)) end()
      }
      const end = () => {
        // By then the next turn may listen already.
        if (this.#listener === listen) this.#listener = undefined
        signal.removeEventListener('abort', leave)
        resolve()
      }
      // A turn that nobody wants any more is ended with all it started; the next one resumes.
      const leave = () => {
        this.#process = undefined
        running.kill()
        end()
      }
      signal.addEventListener('abort', leave, { once: true })
      void running.gone.then(end)
      this.#listener = listen
      const content = [{ type: 'text', text }]
      const message = { type: 'user', message: { role: 'user', content } }
      running.child.stdin?.write(`${JSON.stringify(message)}\n`)
    })
  }

  async stop(): Promise<number | null> {
    this.#isLeaving = true
    const code = (await this.#process?.stop()) ?? 0
    this.#close()
    return code
  }

  async kill(): Promise<void> {
    this.#isLeaving = true
    this.#process?.kill()
    await this.#process?.gone
    this.#close()
  }

  #newStream(): ClaudeStream {
    return new ClaudeStream((callId) => this.#server.takeAllowed(callId))
  }

  /** Passes the pieces of a line on; true when the turn is over. */
  #take(line: string, running: AgentProcess, emit: (part: HarnessPart) => void): boolean {
    this.#hasSpoken = true
    const { parts, hasUnjudged } = this.#stream.read(line)
    if (hasUnjudged) {
      // The hooks are off, no matter who did it: nothing more may run.
      const message = 'A tool ran without being checked, so the agent was ended.'
      emit({ type: 'error', payload: { code: 'unjudged_call', message, retryable: false } })
      // Its end is no failure of its own, after which it would be tried again.
      this.#process = undefined
      running.kill()
      return true
    }
    for (const part of parts) emit(part)
    return parts.some(({ type }) => type === 'completed' || type === 'error')
  }

  async #start(resume: boolean): Promise<void> {
    const { program = 'claude', variables, owner } = this.#settings
    const options = Options.parse(this.#context.options)
    const settingsFile = this.#file('settings.json', this.#hooks())
    const tools = options.allowed_tools ?? usualTools
    const id = this.#context.sessionId.replace(/^sess_/, '')
    const started = await AgentProcess.start({
      argv: [
        program,
        ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'],
        ...['--verbose', '--include-partial-messages'],
        // Settings of the project could switch all hooks off.
        ...['--setting-sources', 'user', '--settings', settingsFile],
        ...['--mcp-config', this.#file('mcp.json', this.#servers()), '--strict-mcp-config'],
        ...['--permission-mode', options.permission_mode ?? 'acceptEdits'],
        ...['--allowedTools', [...tools, `mcp__${ourServerName}`].join(',')],
        ...(options.model === undefined ? [] : ['--model', options.model]),
        ...(resume ? ['--resume', id] : ['--session-id', id]),
      ],
      cwd: this.#context.projectPath,
      unwanted: this.#context.unwanted,
      owner,
      environment: {
        ...agentVariables(variables, ['ANTHROPIC_', 'CLAUDE_', 'AWS_', 'DISABLE_']),
        DISABLE_AUTOUPDATER: '1',
      },
    })
    await started.greeted(greetClaude(started.child))
    this.#process = started
    // A client that was started again counts its cost again.
    this.#stream = this.#newStream()
    if (started.child.stdout !== null) {
      createInterface({ input: started.child.stdout }).on('line', (line) => this.#listener?.(line))
    }
    void started.gone.then((code) => {
      if (this.#process !== started) return
      this.#process = undefined
      if (!this.#isLeaving) this.#context.exited(code, started.complaints.slice(-500))
    })
  }

  /** The settings that make the client ask us, and block when it hears nothing. */
  #hooks(): object {
    const { url, hookToken, hookCommand } = this.#server
    const [node, hookFile] = hookCommand
    const key = { url, hook_token: hookToken, wait_ms: personsPatienceMs }
    const keyFile = this.#file('key.json', key)
    const facts = { node, hookFile, keyFile }
    return { hooks: sessionHooks(facts, personsPatienceMs), disableAllHooks: false }
  }

  /** Our own server and no other: servers of the client would pass by unseen. */
  #servers(): object {
    const { url, token } = this.#server
    // Our own tools are for a session that a run judges.
    if (this.#context.runId === null) return { mcpServers: {} }
    // The token was lent by this server, and is worth nothing at another.
    const headers = { Authorization: `Bearer ${token}` }
    const ours = { type: 'http', url: `${url}/mcp`, headers, alwaysLoad: true }
    return { mcpServers: { [ourServerName]: ours } }
  }

  #file(name: string, value: object): string {
    const path = join(this.#folder, name)
    writeFileSync(path, JSON.stringify(value), { mode: 0o600 })
    return path
  }

  #close(): void {
    this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
