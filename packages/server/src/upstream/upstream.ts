import {
  type Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  type Tool,
} from '@modelcontextprotocol/client'
import {
  AnyResult,
  type Catalog,
  type CatalogPart,
  catalogKinds,
  emptyCatalog,
  readCatalog,
} from './catalog.ts'
import { type ConnectOptions, connect } from './connect.ts'
import type { DirectCalls } from './direct-calls.ts'
import { Redirected } from './http-line.ts'
import { type JsonParams, type Listener, PendingCalls } from './pending-calls.ts'
import {
  lost,
  tooBusy,
  tooSlow,
  UnacceptedProgram,
  type UpstreamFault,
  UpstreamRefusal,
  unavailable,
  whyNotConnected,
} from './problem.ts'
import { isStdio, type UpstreamSpec, upstreamLimits } from './spec.ts'
import { Subscriptions } from './subscriptions.ts'
import { lookAtTools, watchedIn } from './tool-watch.ts'

export type { JsonParams, Listener } from './pending-calls.ts'
export { isPlainResult } from './plain-result.ts'

export interface UpstreamEvents {
  readonly onChanged: (name: string, part: CatalogPart) => void
  readonly onResourceUpdated: (name: string, params: JsonParams) => void
  /** Files of its program are not those that a person accepted, or are so again. */
  readonly onAcceptance?: () => void
  readonly onNote: (name: string, text: string, fault?: unknown) => void
}

export interface UpstreamStatus {
  readonly name: string
  readonly state: 'starting' | 'ready' | 'waiting' | 'down' | 'closed'
  readonly era: string | null
  readonly restarts: number
  readonly problem: string | null
}

/** One server that the gateway fronts: kept connected, asked, and started again when it dies. */
export class Upstream {
  readonly name: string
  readonly spec: UpstreamSpec
  readonly #options: ConnectOptions
  readonly #events: UpstreamEvents
  readonly #calls = new PendingCalls()
  readonly #subscriptions: Subscriptions
  #client: Client | undefined
  #direct: DirectCalls | undefined
  #catalog: Catalog = emptyCatalog
  #mirrored: ReadonlyMap<unknown, Tool> = new Map()
  #connecting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #state: UpstreamStatus['state'] = 'starting'
  #readyAt = 0
  #failures = 0
  #restarts = 0
  #problem: string | null = null
  #errorText = ''
  #isAccepted = true
  /** The reason that was noted last; the same one again is no news. */
  #noted: string | undefined
  readonly #closing = new AbortController()

  constructor(name: string, spec: UpstreamSpec, options: ConnectOptions, events: UpstreamEvents) {
    this.name = name
    this.spec = spec
    this.#options = options
    this.#events = events
    this.#subscriptions = new Subscriptions(name, (uri) => this.#listen(uri))
    this.#connecting = this.#connect()
  }

  get catalog(): Catalog {
    return this.#catalog
  }

  /** What is neither shown nor called until a person has looked at it. */
  get changedTools(): ReadonlySet<string> {
    return this.#options.toolWatch?.changed(this.name) ?? new Set()
  }

  get status(): UpstreamStatus {
    const era = this.#client?.getNegotiatedProtocolVersion() ?? null
    const { name } = this
    return { name, state: this.#state, era, restarts: this.#restarts, problem: this.#problem }
  }

  has(capability: 'resources' | 'prompts' | 'completions' | 'logging' | 'tools'): boolean {
    return this.#client?.getServerCapabilities()?.[capability] !== undefined
  }

  get isModern(): boolean {
    return this.#client?.getProtocolEra() === 'modern'
  }

  /** Waits for the first connection, whatever comes of it. */
  async settled(): Promise<void> {
    await this.#connecting
  }

  /** Sends a request on, and gives back exactly what the server answered. */
  async request(method: string, params: JsonParams, listener: Listener = {}): Promise<JsonParams> {
    const client = this.#client ?? (await this.#usable())
    if (this.#calls.size >= upstreamLimits.pendingRequests) throw tooBusy(this.name)
    const timeoutMs = listener.timeoutMs ?? this.spec.timeoutMs ?? upstreamLimits.requestMs
    const { signal } = listener
    try {
      return await this.#calls.during(listener, () =>
        this.#send(client, method, params, { ...listener, timeoutMs }),
      )
    } catch (fault) {
      throw this.#translated(fault, timeoutMs, signal)
    }
  }

  async #send(
    client: Client,
    method: string,
    params: JsonParams,
    listener: Listener & { readonly timeoutMs: number },
  ): Promise<JsonParams> {
    const direct = this.#directFor(client, method, params, listener)
    if (direct === undefined) return this.#sendByLibrary(client, method, params, listener)
    try {
      return await direct.call(client, params, listener)
    } catch (fault) {
      if (!(fault instanceof Redirected)) throw fault
      this.#direct = undefined
      return this.#sendByLibrary(client, method, params, listener)
    }
  }

  /** Past the library goes a call of a tool of whose progress nobody wants to hear. */
  #directFor(
    client: Client,
    method: string,
    { name }: JsonParams,
    { onProgress }: Listener,
  ): DirectCalls | undefined {
    if (method !== 'tools/call' || onProgress !== undefined) return undefined
    if (client !== this.#client || this.#mirroredTool(name) !== undefined) return undefined
    return this.#direct?.isReady(client) === true ? this.#direct : undefined
  }

  async #sendByLibrary(
    client: Client,
    method: string,
    params: JsonParams,
    { timeoutMs, signal, onProgress }: Listener & { readonly timeoutMs: number },
  ): Promise<JsonParams> {
    const options: RequestOptions = {
      timeout: timeoutMs,
      allowInputRequired: true,
      ...(signal === undefined ? {} : { signal }),
      // A server that shows progress is alive, but not for ever.
      ...(onProgress === undefined
        ? {}
        : {
            onprogress: (progress) => onProgress({ ...progress }),
            resetTimeoutOnProgress: true,
            maxTotalTimeout: timeoutMs * 10,
          }),
    }
    const tool = method === 'tools/call' ? this.#mirroredTool(params.name) : undefined
    if (tool === undefined) return client.request({ method, params }, AnyResult, options)
    const { name, ...rest } = params
    return client.callTool({ ...rest, name: String(name) }, { ...options, toolDefinition: tool })
  }

  subscribe(uri: string): Promise<void> {
    return this.#subscriptions.add(uri)
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#subscriptions.remove(uri)
  }

  async #listen(uri: string): Promise<() => Promise<unknown>> {
    const client = await this.#usable()
    if (client.getProtocolEra() !== 'modern') {
      await this.request('resources/subscribe', { uri })
      return () => this.request('resources/unsubscribe', { uri })
    }
    const open = await client.listen({ resourceSubscriptions: [uri] })
    return () => open.close()
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#connecting?.catch(() => {})
    const client = this.#client
    this.#client = undefined
    await client?.close().catch(() => {})
  }

  async #usable(): Promise<Client> {
    if (this.#state === 'starting') await this.#connecting
    if (this.#client !== undefined) return this.#client
    throw unavailable(this.name, this.#problem ?? 'it is restarting')
  }

  /** Over HTTP the new era wants some arguments beside the call, as the schema marks them. */
  #mirroredTool(name: unknown): Tool | undefined {
    if (isStdio(this.spec) || !this.isModern) return undefined
    return this.#mirrored.get(name)
  }

  #translated(
    fault: unknown,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): UpstreamFault | UpstreamRefusal {
    if (fault instanceof ProtocolError) {
      return new UpstreamRefusal(fault.code, fault.message, fault.data)
    }
    if (signal?.aborted === true) return lost(this.name, 'the call was cancelled')
    if (fault instanceof SdkError && fault.code === SdkErrorCode.RequestTimeout) {
      return tooSlow(this.name, timeoutMs)
    }
    const why = fault instanceof Error ? fault.message.slice(0, 300) : String(fault).slice(0, 300)
    // Over HTTP nothing tells that a server has gone but a request that fails.
    if (!isStdio(this.spec)) this.#onLost(why)
    return lost(this.name, why)
  }

  async #connect(): Promise<void> {
    this.#state = 'starting'
    this.#errorText = ''
    try {
      const { client, direct } = await connect(this.spec, this.#options, {
        onListChanged: (part) =>
          void this.#refresh(part).catch((fault) =>
            this.#events.onNote(this.name, 'its list could not be reloaded', fault),
          ),
        onErrorText: (text) => {
          this.#errorText = (this.#errorText + text).slice(-upstreamLimits.errorText)
        },
        onFault: (fault) => this.#events.onNote(this.name, 'a message could not be read', fault),
        prepare: (client) => this.#prepare(client),
        signal: this.#closing.signal,
      })
      if (this.#isClosed()) {
        await client.close().catch(() => {})
        return
      }
      client.onclose = () => {
        if (this.#client === client) this.#onLost('it has ended')
      }
      const catalog = await this.#readCatalog(client)
      await this.#watch(catalog).catch(async (fault) => {
        await client.close().catch(() => {})
        throw fault
      })
      this.#keep(catalog)
      this.#client = client
      this.#direct = direct
      this.#state = 'ready'
      this.#problem = null
      this.#noteAcceptance(true)
      if (this.#noted !== undefined) {
        this.#noted = undefined
        this.#events.onNote(this.name, `The MCP server ${this.name} is connected.`)
      }
      this.#readyAt = Date.now()
      await this.#subscriptions.renew()
      for (const part of catalogKinds) this.#events.onChanged(this.name, part)
    } catch (fault) {
      this.#problem = whyNotConnected(this.spec, fault, this.#errorText)
      this.#startLater()
      this.#noteAcceptance(!(fault instanceof UnacceptedProgram))
      if (this.#isClosed() || this.#noted === this.#problem) return
      this.#noted = this.#problem
      const text = `The MCP server ${this.name} is not connected: ${this.#problem}. Trying again.`
      this.#events.onNote(this.name, text)
    }
  }

  #noteAcceptance(isAccepted: boolean): void {
    if (!isAccepted && !this.#isClosed()) this.#state = 'waiting'
    if (isAccepted === this.#isAccepted) return
    this.#isAccepted = isAccepted
    this.#events.onAcceptance?.()
  }

  #watch(catalog: Catalog): Promise<void> {
    const { name, spec } = this
    const tools = watchedIn(catalog)
    const onNote = (text: string) => this.#events.onNote(name, text)
    return lookAtTools(this.#options.toolWatch, { name, spec, tools }, onNote)
  }

  #keep(catalog: Catalog): void {
    this.#catalog = catalog
    const marked = catalog.tools.filter(({ inputSchema }) =>
      JSON.stringify(inputSchema).includes('x-mcp-header'),
    )
    this.#mirrored = new Map(
      marked.map(({ outputSchema: _unchecked, ...tool }) => [tool.name, tool]),
    )
  }

  #readCatalog(client: Client): Promise<Catalog> {
    return readCatalog(client, (text, fault) => this.#events.onNote(this.name, text, fault))
  }

  async #refresh(part: 'tools' | 'resources' | 'prompts'): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    const catalog = await this.#readCatalog(client)
    if (this.#client !== client) return
    await this.#watch(catalog)
    this.#keep(catalog)
    this.#events.onChanged(this.name, part)
  }

  #prepare(client: Client): void {
    this.#calls.hear(client, this.spec)
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.#events.onResourceUpdated(this.name, { ...params })
    })
  }

  #onLost(why: string): void {
    const client = this.#client
    if (client === undefined) return
    this.#client = undefined
    this.#problem = why
    client.close().catch(() => {})
    if (this.#isClosed()) return
    this.#events.onNote(
      this.name,
      `The connection to the MCP server ${this.name} was lost: ${why}. Trying again.`,
    )
    if (Date.now() - this.#readyAt > upstreamLimits.steadyMs) this.#failures = 0
    this.#startLater()
  }

  #startLater(): void {
    if (this.#isClosed()) return
    this.#state = 'down'
    const pause = Math.min(
      upstreamLimits.firstPauseMs * 2 ** this.#failures,
      upstreamLimits.longestPauseMs,
    )
    this.#failures = Math.min(this.#failures + 1, 20)
    this.#timer = setTimeout(() => {
      this.#restarts += 1
      this.#connecting = this.#connect()
    }, pause)
    this.#timer.unref()
  }

  #isClosed(): boolean {
    return this.#state === 'closed'
  }
}
