import { randomBytes } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import {
  type ClientConnection,
  client,
  type McpServer,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { AgentProcess } from '../children/agent-process.ts'
import { agentVariables, type Variables } from '../children/environment.ts'
import type {
  AgentConnection,
  HarnessContext,
  HarnessPart,
  HarnessSession,
  TurnRequest,
} from '../ports.ts'
import type { AcpAgent } from './acp-agents.ts'
import { AcpCalls } from './acp-calls.ts'
import { promptForTurn, promptWithHistory } from './prompt-text.ts'

export interface AcpSettings {
  readonly variables: Variables
  /** Agents by name, besides those that we know. */
  readonly agents?: Readonly<Record<string, AcpAgent>>
  /** Who ends the agent when we are killed meanwhile. */
  readonly owner?: string
  readonly turnMs?: number
}

/** How long an agent may take to leave a turn that nobody wants any more. */
const cancelMs = 2000

interface Running {
  readonly process: AgentProcess
  readonly connection: ClientConnection
  readonly acpSession: string
}

/** One agent with which a session speaks the Agent Client Protocol. */
export class AcpSession implements HarnessSession {
  readonly #agent: AcpAgent
  readonly #settings: AcpSettings
  readonly #context: HarnessContext
  // Not a name that a project could give to a server of its own, to be taken for ours.
  readonly #serverName = `statewright_${randomBytes(6).toString('hex')}`
  #running: Running | undefined
  #emit: ((part: HarnessPart) => void) | undefined
  #calls: AcpCalls
  #ourServer: AgentConnection | undefined
  #isLeaving = false

  constructor(agent: AcpAgent, settings: AcpSettings, context: HarnessContext) {
    this.#agent = agent
    this.#settings = settings
    this.#context = context
    this.#calls = this.#newCalls()
  }

  async open(): Promise<void> {
    // Our own tools are for a session that a run judges.
    if (this.#context.runId !== null) this.#ourServer = this.#context.connect()
    try {
      this.#running = await this.#start()
    } catch (fault) {
      this.#ourServer?.close()
      throw fault
    }
  }

  #newCalls(): AcpCalls {
    const { calls: guard, runId } = this.#context
    return new AcpCalls({
      guard,
      onNotice: (message) => this.#emit?.({ type: 'status', payload: { message } }),
      ...(runId === null ? {} : { ourServer: this.#serverName }),
    })
  }

  async send(
    request: TurnRequest,
    emit: (part: HarnessPart) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const isNew = this.#running === undefined
    const running = this.#running ?? (await this.#start())
    this.#running = running
    if (signal.aborted) return
    this.#emit = emit
    this.#calls = this.#newCalls()
    const leave = () => void this.#leave(running)
    signal.addEventListener('abort', leave, { once: true })
    try {
      const text = isNew ? promptWithHistory(request) : promptForTurn(request)
      const { agent } = running.connection
      const prompt: PromptRequest = {
        sessionId: running.acpSession,
        prompt: [{ type: 'text', text }],
      }
      const answer = await agent.request(methods.agent.session.prompt, prompt)
      const unjudged = await this.#calls.firstDenied()
      if (signal.aborted) return
      if (unjudged !== undefined) return this.#endUnjudged(running, unjudged)
      emit({ type: 'completed', payload: { finishReason: answer.stopReason } })
    } catch (fault) {
      if (signal.aborted || this.#emit === undefined) return
      const message = fault instanceof Error ? fault.message : String(fault)
      emit({ type: 'error', payload: { code: 'agent_error', message: message.slice(0, 500) } })
    } finally {
      signal.removeEventListener('abort', leave)
      this.#emit = undefined
    }
  }

  async stop(): Promise<number | null> {
    this.#isLeaving = true
    const code = (await this.#running?.process.stop()) ?? 0
    this.#ourServer?.close()
    return code
  }

  async kill(): Promise<void> {
    this.#isLeaving = true
    this.#running?.process.kill()
    await this.#running?.process.gone
    this.#ourServer?.close()
  }

  async #start(): Promise<Running> {
    const { argv, variables: prefixes, environment = {} } = this.#agent
    const process = await AgentProcess.start({
      argv,
      cwd: this.#context.projectPath,
      unwanted: this.#context.unwanted,
      owner: this.#settings.owner,
      environment: { ...agentVariables(this.#settings.variables, prefixes), ...environment },
    })
    const { connection, acpSession } = await process.greeted(this.#shakeHands(process))
    const running = { process, connection, acpSession }
    void process.gone.then((code) => this.#gone(running, code))
    return running
  }

  async #shakeHands(
    process: AgentProcess,
  ): Promise<{ readonly connection: ClientConnection; readonly acpSession: string }> {
    const { stdin, stdout } = process.child
    if (stdin === null || stdout === null) throw new Error('the agent has no streams')
    // Node's own streams under the names of the web's: both carry bytes here.
    const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>
    const connection = client({ name: 'statewright' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#permit(params))
      .onNotification(methods.client.session.update, ({ params }) => this.#update(params.update))
      .connect(ndJsonStream(Writable.toWeb(stdin), input))
    const { agent } = connection
    const { agentCapabilities } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      // It gets no files and no terminals from us: those would be a way around the judge.
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
      },
    })
    const { projectPath: cwd } = this.#context
    const mcpServers = this.#servers(agentCapabilities?.mcpCapabilities?.http === true)
    const made = await agent.request(methods.agent.session.new, { cwd, mcpServers })
    return { connection, acpSession: made.sessionId }
  }

  /** Our own tools, for an agent that can reach a server over HTTP. */
  #servers(canReach: boolean): McpServer[] {
    const ours = this.#ourServer
    if (ours === undefined || !canReach) return []
    const headers = [{ name: 'Authorization', value: `Bearer ${ours.token}` }]
    return [{ type: 'http', name: this.#serverName, url: `${ours.url}/mcp`, headers }]
  }

  /** An agent's question whether it may: our decision function answers it. */
  async #permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { isAllowed, message } = await this.#calls.permit(request.toolCall)
    const wanted = isAllowed ? 'allow_once' : 'reject_once'
    const option = request.options.find(({ kind }) => kind === wanted)
    if (!isAllowed) this.#emit?.({ type: 'status', payload: { message } })
    // Without the option that we want no other one may be taken for it.
    if (option === undefined) return { outcome: { outcome: 'cancelled' } }
    return { outcome: { outcome: 'selected', optionId: option.optionId } }
  }

  #update(update: Parameters<AcpCalls['read']>[0]): void {
    for (const part of this.#calls.read(update)) this.#emit?.(part)
    const running = this.#running
    if (running === undefined) return
    void this.#calls.firstDenied().then((denied) => {
      if (denied !== undefined) this.#endUnjudged(running, denied)
    })
  }

  /** A call ran that nobody asked us about and that the rules forbid: nothing more may run. */
  #endUnjudged(running: Running, message: string): void {
    const emit = this.#emit
    this.#emit = undefined
    emit?.({ type: 'error', payload: { code: 'unjudged_call', message, retryable: false } })
    this.#running = undefined
    running.process.kill()
  }

  async #leave({ process, connection, acpSession }: Running): Promise<void> {
    const timer = setTimeout(() => {
      this.#running = undefined
      process.kill()
    }, cancelMs)
    void process.gone.then(() => clearTimeout(timer))
    await connection.agent
      .notify(methods.agent.session.cancel, { sessionId: acpSession })
      .catch(() => {})
  }

  #gone(running: Running, code: number | null): void {
    if (this.#running !== running) return
    this.#running = undefined
    if (!this.#isLeaving) this.#context.exited(code, running.process.complaints.slice(-500))
  }
}
