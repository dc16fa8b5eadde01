import {
  type Client,
  isSpecType,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  type Tool,
} from '@modelcontextprotocol/client'
import { AnyResult, type Catalog, type CatalogPart, emptyCatalog, readPart } from './catalog.ts'
import { type ConnectParts, connect } from './connect.ts'
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
import { lookAtTools } from './tool-watch.ts'

export type JsonParams = Record<string, unknown>

/** A call that is under way, and what its client can be told and asked meanwhile. */
export interface Listener {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: JsonParams) => void
  readonly onLog?: (message: JsonParams) => void
  /** Puts a question of the server to the client; missing when its era has no such way. */
  readonly ask?: (method: string, params: JsonParams) => Promise<JsonParams>
  readonly timeoutMs?: number
}

export interface UpstreamEvents {
  readonly onChanged: (name: string, part: CatalogPart) => void
  readonly onResourceUpdated: (name: string, params: JsonParams) => void
  /** Files of its program are not those that a person accepted, or are so again. */
  readonly onAcceptance?: () => void
  readonly onNote: (name: string, text: string, fault?: unknown) => void
}

interface Subscribed {
  count: number
  stop: () => Promise<unknown>
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
  readonly #parts: ConnectParts
  readonly #events: UpstreamEvents
  readonly #listeners = new Set<Listener>()
  readonly #subscribed = new Map<string, Subscribed>()
  #client: Client | undefined
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

  constructor(name: string, spec: UpstreamSpec, parts: ConnectParts, events: UpstreamEvents) {
    this.name = name
    this.spec = spec
    this.#parts = parts
    this.#events = events
    this.#connecting = this.#connect()
  }

  get catalog(): Catalog {
    return this.#catalog
  }

  /** Tools that are neither shown nor called until a person has looked at them. */
  get changedTools(): ReadonlySet<string> {
    return this.#parts.toolWatch?.changed(this.name) ?? new Set()
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
    const client = await this.#usable()
    if (this.#listeners.size >= upstreamLimits.pendingRequests) throw tooBusy(this.name)
    const timeoutMs = listener.timeoutMs ?? this.spec.timeoutMs ?? upstreamLimits.requestMs
    const { signal, onProgress } = listener
    this.#listeners.add(listener)
    try {
      return await this.#send(client, method, params, {
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
      })
    } catch (fault) {
      throw this.#translated(fault, timeoutMs, signal)
    } finally {
      this.#listeners.delete(listener)
    }
  }

  /** Counts who wants to hear of a resource; the server is told once. */
  async subscribe(uri: string): Promise<void> {
    const known = this.#subscribed.get(uri)
    if (known !== undefined) {
      known.count += 1
      return
    }
    if (this.#subscribed.size >= upstreamLimits.listed) throw tooBusy(this.name)
    this.#subscribed.set(uri, { count: 1, stop: await this.#listen(uri) })
  }

  async unsubscribe(uri: string): Promise<void> {
    const known = this.#subscribed.get(uri)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#subscribed.delete(uri)
    await known.stop()
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
    throw unavailable(this.name, this.#problem ?? 'it is being started again')
  }

  async #send(
    client: Client,
    method: string,
    params: JsonParams,
    options: RequestOptions,
  ): Promise<JsonParams> {
    const tool = method === 'tools/call' ? this.#mirroredTool(params.name) : undefined
    if (tool === undefined) return client.request({ method, params }, AnyResult, options)
    const { name, ...rest } = params
    return client.callTool({ ...rest, name: String(name) }, { ...options, toolDefinition: tool })
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
      const client = await connect(this.spec, this.#parts, {
        onListChanged: (part) =>
          void this.#refresh(part).catch((fault) =>
            this.#events.onNote(this.name, 'its list could not be read again', fault),
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
      this.#state = 'ready'
      this.#problem = null
      this.#noteAcceptance(true)
      if (this.#noted !== undefined) {
        this.#noted = undefined
        this.#events.onNote(this.name, `The MCP server ${this.name} is connected.`)
      }
      this.#readyAt = Date.now()
      for (const [uri, known] of this.#subscribed) {
        known.stop = await this.#listen(uri).catch(() => async () => {})
      }
      for (const part of parts) this.#events.onChanged(this.name, part)
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

  #watch({ tools }: Catalog): Promise<void> {
    const { name, spec } = this
    const onNote = (text: string) => this.#events.onNote(name, text)
    return lookAtTools(this.#parts.toolWatch, { name, spec, tools }, onNote)
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

  async #readCatalog(client: Client): Promise<Catalog> {
    const read = (part: CatalogPart) =>
      readPart(client, part, (what) =>
        this.#events.onNote(this.name, `left out of its ${part}: ${what}`),
      ).catch((fault) => {
        this.#events.onNote(this.name, `its ${part} could not be listed`, fault)
        return []
      })
    const [tools, resources, templates, prompts] = await Promise.all(parts.map(read))
    return {
      tools: (tools ?? []).filter(isSpecType.Tool),
      resources: (resources ?? []).filter(isSpecType.Resource),
      templates: (templates ?? []).filter(isSpecType.ResourceTemplate),
      prompts: (prompts ?? []).filter(isSpecType.Prompt),
    }
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
    client.setNotificationHandler('notifications/message', ({ params }) => {
      this.#only()?.onLog?.({ ...params })
    })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.#events.onResourceUpdated(this.name, { ...params })
    })
    client.setRequestHandler(
      'elicitation/create',
      { params: AnyResult, result: AnyResult },
      (params) => this.#ask('elicitation/create', params),
    )
    client.setRequestHandler(
      'sampling/createMessage',
      { params: AnyResult, result: AnyResult },
      (params) => this.#ask('sampling/createMessage', params),
    )
    client.setRequestHandler('roots/list', { params: AnyResult, result: AnyResult }, (params) =>
      this.#ask('roots/list', params),
    )
  }

  /** What a server asks in between says not whose call it is for; between two it is not guessed. */
  async #ask(method: string, params: JsonParams): Promise<JsonParams> {
    const ask = this.#only()?.ask
    if (ask === undefined) {
      throw new ProtocolError(-32_601, `${method} cannot be put to one client for certain`)
    }
    return ask(method, params)
  }

  #only(): Listener | undefined {
    const [only] = this.#listeners
    return this.#listeners.size === 1 ? only : undefined
  }

  #onLost(why: string): void {
    const client = this.#client
    if (client === undefined) return
    this.#client = undefined
    this.#problem = why
    client.close().catch(() => {})
    if (this.#isClosed()) return
    this.#events.onNote(this.name, `The MCP server ${this.name} is lost: ${why}. Trying again.`)
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

const parts = ['tools', 'resources', 'templates', 'prompts'] as const
