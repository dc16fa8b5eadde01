import { defined, type Entry } from '@statewright/core/internal'
import type { Guard } from '../guard/guard.ts'
import type { HookOptions } from '../hooks/client-hook.ts'
import { ToolUses } from '../hooks/tool-uses.ts'
import type { ToolWatch } from '../upstream/tool-watch.ts'
import type { UpstreamSpecs } from '../upstream/upstreams.ts'
import { Upstreams } from '../upstream/upstreams.ts'
import type { ApprovalPage } from './front/ask-by-url.ts'
import { Front, type FrontOptions } from './front/front.ts'
import { guardedToolNames } from './guarded/guarded-tool.ts'
import { guardedTools } from './guarded/guarded-tools.ts'
import { lazyEndpoint } from './lazy-endpoint.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'
import type { McpOptions } from './mcp-options.ts'

/** What the configuration says of the gateway; read again for each call. */
export interface GatewaySettings extends FrontOptions {
  readonly upstreams: UpstreamSpecs
  /** Whether we offer file and shell tools of our own. */
  readonly tools: boolean
  /** How long a call may wait for a person; 0 to refuse at once. */
  readonly askWaitMs: number
}

export const defaultGateway: GatewaySettings = {
  upstreams: {},
  names: 'collision',
  list: 'allowed',
  tools: false,
  askWaitMs: 5 * 60_000,
}

export interface GatewayOptions {
  readonly guard: Guard
  readonly version: string
  readonly settings: () => GatewaySettings
  /** Calls back when they may have changed. */
  readonly onSettings?: (listener: () => void) => void
  /** Told when files of a program are not those that a person accepted, or are so again. */
  readonly onAcceptance?: () => Promise<unknown>
  /** Compares the tools of servers with those that a person knows (SH-18c). */
  readonly toolWatch?: ToolWatch
  /** Servers that stay off until a person accepts them (SH-18b). */
  readonly unaccepted?: () => readonly string[]
  /** The project: where upstream servers start and our own tools work. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where people answer what waits for them. */
  readonly approvalPage?: ApprovalPage
  readonly onFault: (fault: unknown) => void
  readonly onNote: (text: string, facts: object) => void
}

/** The doors of coding clients and MCP clients, and the servers behind them. */
export interface Gateway {
  readonly mcp: McpEndpoint
  /** The door for routines (PR-7). */
  readonly routines: McpEndpoint
  readonly hooks: HookOptions
  readonly upstreams: Upstreams
  /** Told of what was committed: anyone who waits for it wakes up. */
  published(runId: string, entries: readonly Entry[]): void
  close(): Promise<void>
}

export function createGateway(options: GatewayOptions): Gateway {
  const { guard, settings, onFault } = options
  const { runtime } = guard
  const toolUses = new ToolUses(() => runtime.clock.now(), runtime.store.nodes.shared)
  const upstreams = connectUpstreams(options, {
    forget: () => front.forget(),
    endpoint: () => endpoint,
  })
  const front = new Front(upstreams, settings, guardedToolNames)
  const mcp = mcpOptions(options, { toolUses, upstreams, front })
  const endpoint = endpointFor(mcp)
  const hidden = { front: undefined, guardedTools: undefined }
  const routines = endpointFor({ ...mcp, isRoutine: true, ...hidden })
  runtime.servers.tools = () => (upstreams.list().length === 0 ? [] : front.serverTools)
  const keepUp = followUpstreams(options, upstreams, front)
  options.onSettings?.(() => {
    keepUp()
    // A tool that a person accepted may be shown again.
    front.forget()
    endpoint.toolsChanged()
  })
  const isFronted = (tool: string) => {
    keepUp()
    return isToolOf(mcp, tool)
  }
  return {
    mcp: {
      ...endpoint,
      answer(request, caller, more) {
        keepUp()
        return endpoint.answer(request, caller, more)
      },
    },
    routines,
    hooks: { guard, toolUses, isFronted, onFault },
    upstreams,
    published(runId, entries) {
      if (!entries.some(movesRun)) return
      runtime.live
        .get(runId)
        // A person's run may hold the sessions of any agent.
        .then((live) => {
          const owner = live?.row.agent ?? ownerOf(live?.row.owner)
          routines.toolsChanged(owner)
          if (settings().list !== 'all') endpoint.toolsChanged(owner)
        })
        .catch(onFault)
    },
    async close() {
      await endpoint.close()
      await routines.close()
      await upstreams.close()
    },
  }
}

/** The servers behind us. What they announce is passed on to anyone who is connected to us. */
function connectUpstreams(
  { folder, environment, version, toolWatch, onAcceptance, onFault, onNote }: GatewayOptions,
  { forget, endpoint }: { forget: () => void; endpoint: () => McpEndpoint },
): Upstreams {
  return new Upstreams(
    { folder, environment, version, ...defined({ toolWatch }) },
    {
      onChanged(_name, part) {
        forget()
        if (part === 'tools') endpoint().toolsChanged()
        else if (part === 'prompts') endpoint().promptsChanged()
        else endpoint().resourcesChanged()
      },
      onResourceUpdated: (_name, { uri }) => {
        if (typeof uri === 'string') endpoint().resourceUpdated(uri)
      },
      onAcceptance: () => void onAcceptance?.().catch(onFault),
      onNote: (server, text, fault) => onNote(text, { server, ...(fault ? { err: fault } : {}) }),
    },
  )
}

function mcpOptions(
  options: GatewayOptions,
  behind: { readonly toolUses: ToolUses; readonly upstreams: Upstreams; readonly front: Front },
): McpOptions {
  const { guard, version, settings, folder, onFault, onNote } = options
  const { toolUses, upstreams, front } = behind
  const ownGuarded = guardedTools(guard)
  return {
    ...{ guard, toolUses, version },
    askWaitMs: () => settings().askWaitMs,
    approvalPage: options.approvalPage ?? (() => undefined),
    workspace: folder,
    unaccepted: options.unaccepted ?? (() => []),
    get front() {
      return upstreams.list().length === 0 ? undefined : front
    },
    get guardedTools() {
      return settings().tools ? ownGuarded : undefined
    },
    onRejected: (fault) => onNote('a request was turned away', { why: String(fault) }),
    onFault,
  }
}

function endpointFor(options: McpOptions): McpEndpoint {
  return lazyEndpoint(async () => (await import('./mcp-endpoint.ts')).createMcpEndpoint(options))
}

/** A change of the configuration that a person accepted is in force for the very next request. */
function followUpstreams(
  { settings, onFault }: GatewayOptions,
  upstreams: Upstreams,
  front: Front,
): () => void {
  let applied: UpstreamSpecs | undefined
  const keepUp = () => {
    const requested = settings().upstreams
    if (requested === applied) return
    applied = requested
    upstreams.apply(requested).catch(onFault)
    front.forget()
  }
  keepUp()
  return keepUp
}

/** Whether a tool is one that we offer for others, under its name or as clients spell it. */
function isToolOf({ guardedTools, front }: McpOptions, tool: string): boolean {
  if (guardedTools?.has(tool) === true) return true
  return [...(front?.tools.keys() ?? [])].some((name) => name === tool || plainly(name) === tool)
}

/** Clients spell so what they cannot show to a model as it is. */
function plainly(tool: string): string {
  return tool.replace(/[^\w-]/g, '_')
}

function ownerOf(owner: string | undefined): string | undefined {
  return owner?.startsWith('person') === true ? undefined : owner
}

/** After these the tools that a state allows may be others. */
function movesRun({ type }: Entry): boolean {
  return moving.has(type)
}

const moving: ReadonlySet<Entry['type']> = new Set<Entry['type']>([
  'run_started',
  'transitioned',
  'interrupted',
  'returned',
  'forked',
  'branch_ended',
  'joined',
  'invoked',
  'invoke_ended',
  'forced',
  'paused',
  'resumed',
  'run_ended',
])
