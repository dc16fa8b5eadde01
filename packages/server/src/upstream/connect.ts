import { resolve } from 'node:path'
import {
  Client,
  type ClientCapabilities,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { boundedFetch } from './bounded-fetch.ts'
import { ChildTransport } from './child-transport.ts'
import { DirectCalls } from './direct-calls.ts'
import { childEnvironment, expand } from './environment.ts'
import { httpLine } from './http-line.ts'
import { plainFetch } from './plain-fetch.ts'
import { UnacceptedProgram } from './problem.ts'
import { changedFiles, programFiles } from './program-files.ts'
import { announced } from './questions.ts'
import { type HttpSpec, isStdio, type UpstreamSpec, upstreamLimits } from './spec.ts'
import type { ToolWatch } from './tool-watch.ts'

export interface ConnectOptions {
  /** Where relative paths of an entry start. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** Compares what is listed with what people know of it; nothing is compared when left out. */
  readonly toolWatch?: ToolWatch
}

export interface ConnectHandlers {
  readonly onListChanged: (part: 'tools' | 'resources' | 'prompts') => void
  readonly onErrorText: (text: string) => void
  readonly onFault: (fault: unknown) => void
  /** Puts the handlers for what the server asks and tells onto a client that is not connected. */
  readonly prepare: (client: Client) => void
  /** Anyone who ends the gateway does not wait for a server that does not answer. */
  readonly signal: AbortSignal
}

export interface Connected {
  readonly client: Client
  /** Missing where only the library knows how to call. */
  readonly direct: DirectCalls | undefined
}

/** What the clients before us may be able to do; each call says what its own client really can. */
const capabilities: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: false },
}

/** Connects in the newest words the server knows. Who fails in the new era is asked in the old. */
export async function connect(
  spec: UpstreamSpec,
  options: ConnectOptions,
  handlers: ConnectHandlers,
): Promise<Connected> {
  try {
    return await connectOnce(spec, options, handlers, 'auto')
  } catch (fault) {
    // Servers of the old era may end at a request they do not know.
    if (!isStdio(spec) || handlers.signal.aborted) throw fault
    if (fault instanceof UnacceptedProgram) throw fault
    return connectOnce(spec, options, handlers, 'legacy')
  }
}

async function connectOnce(
  spec: UpstreamSpec,
  options: ConnectOptions,
  handlers: ConnectHandlers,
  mode: 'auto' | 'legacy',
): Promise<Connected> {
  const changed = (part: 'tools' | 'resources' | 'prompts') => ({
    autoRefresh: false,
    debounceMs: 50,
    onChanged: () => handlers.onListChanged(part),
  })
  const client = new Client(
    { name: 'statewright', version: options.version },
    {
      capabilities: announced(spec, capabilities),
      versionNegotiation: { mode, probe: { timeoutMs: upstreamLimits.probeMs } },
      // The client before us answers what is asked, not this one.
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: changed('tools'),
        resources: changed('resources'),
        prompts: changed('prompts'),
      },
    },
  )
  client.onerror = handlers.onFault
  handlers.prepare(client)
  const transport = transportOf(spec, options, handlers)
  const direct = directCalls(spec, options, transport)
  const onAbort = () => void transport.close().catch(() => {})
  handlers.signal.addEventListener('abort', onAbort)
  try {
    await client.connect(transport, { timeout: upstreamLimits.connectMs })
  } catch (fault) {
    await client.close().catch(() => {})
    // A child that was started for a connection that never was is not closed with it.
    await transport.close().catch(() => {})
    throw fault
  } finally {
    handlers.signal.removeEventListener('abort', onAbort)
  }
  // Over HTTP the old era has sessions and streams that outlive a request.
  const isDirect = isStdio(spec) || client.getProtocolEra() === 'modern'
  return isDirect ? { client, direct } : { client, direct: undefined }
}

/** Headers that say what a request is; where the configuration has one, the library joins both. */
const ownHeaders = /^(?:accept|content-|mcp-|transfer-encoding$)/i

function directCalls(
  spec: UpstreamSpec,
  { environment }: ConnectOptions,
  transport: Transport,
): DirectCalls | undefined {
  if (transport instanceof ChildTransport) return new DirectCalls(transport, transport)
  if (isStdio(spec)) return undefined
  const headers = Object.entries(expandedHeaders(spec, environment))
  if (headers.some(([name]) => ownHeaders.test(name))) return undefined
  const line = httpLine({
    url: new URL(expand(spec.url, environment)),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    onMessage: (message) => transport.onmessage?.(parseJSONRPCMessage(message)),
  })
  return new DirectCalls(transport, line)
}

function expandedHeaders(
  spec: HttpSpec,
  environment: ConnectOptions['environment'],
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    headers[name] = expand(value, environment)
  }
  return headers
}

function transportOf(
  spec: UpstreamSpec,
  { folder, environment }: ConnectOptions,
  { onErrorText }: ConnectHandlers,
): Transport {
  if (isStdio(spec)) {
    const changed =
      spec.files === undefined
        ? []
        : changedFiles(spec.files, programFiles(spec, { folder, environment }))
    if (changed.length > 0) throw new UnacceptedProgram(changed)
    return new ChildTransport({
      command: expand(spec.command, environment),
      args: (spec.args ?? []).map((word) => expand(word, environment)),
      env: childEnvironment(environment, spec.env),
      cwd: resolve(folder, spec.cwd ?? '.'),
      onErrorText,
    })
  }
  const headers = expandedHeaders(spec, environment)
  return new StreamableHTTPClientTransport(new URL(expand(spec.url, environment)), {
    requestInit: { headers },
    fetch: boundedFetch(plainFetch),
  })
}
