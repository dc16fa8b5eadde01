import { hash } from 'node:crypto'
import { stableText } from '@statewright/core/internal'
import type { Store } from '../store/store.ts'
import type { ListedTool, ToolWatch } from '../upstream/tool-watch.ts'

/** A tool as it is kept: a hash over all that a model or we read, and texts for people. */
export interface ToolDefinition {
  readonly hash: string
  readonly description: string
  readonly schema: string
}

/** A tool that is another than when its server was accepted. */
export interface ToolDrift {
  readonly server: string
  readonly tool: string
  /** Null where so many tools are known that no more are kept. */
  readonly from: ToolDefinition | null
  readonly to: ToolDefinition
}

/** The tools of servers behind the gateway as they were first seen, or accepted later (SH-18c). */
export interface ToolPins extends ToolWatch {
  drift(): readonly ToolDrift[]
  accept(drift: readonly ToolDrift[]): Promise<void>
  /** Takes over what another node on the same store has accepted. */
  follow(): Promise<void>
}

interface ServerTools {
  /** Which entry of the configuration offered them: with another one a server begins again. */
  readonly program: string
  readonly tools: ReadonlyMap<string, ToolDefinition>
}

const limits = { kept: 4000, description: 2000, schema: 4000 } as const
const none: ReadonlySet<string> = new Set()

export function createToolPins(store: Pick<Store, 'settings'>): ToolPins {
  const seen = new Map<string, ServerTools>()
  const drifts = new Map<string, readonly ToolDrift[]>()
  const changed = new Map<string, ReadonlySet<string>>()

  /** What is new is kept; what is another than before drifts. */
  async function compare(server: string): Promise<void> {
    const kept = await readPinnedTools(store, server)
    const now = seen.get(server)
    if (now === undefined) return
    const isSame = kept?.program === now.program
    const known = new Map(isSame ? kept.tools : [])
    const drift: ToolDrift[] = []
    const before = known.size
    for (const [tool, to] of now.tools) {
      const from = known.get(tool)
      if (from === undefined && known.size < limits.kept) known.set(tool, to)
      else if (from?.hash !== to.hash) drift.push({ server, tool, from: from ?? null, to })
    }
    if (!isSame || known.size > before) {
      await writePinnedTools(store, server, { program: now.program, tools: known })
    }
    drifts.set(server, drift)
    changed.set(server, new Set(drift.map(({ tool }) => tool)))
  }

  return {
    async look(server, spec, listed) {
      const tools = new Map<string, ToolDefinition>()
      // A server that lists one name twice is heard once.
      for (const tool of listed) {
        if (!tools.has(tool.name)) tools.set(tool.name, definitionOf(tool))
      }
      seen.set(server, { program: hash('sha256', stableText(spec)), tools })
      await compare(server)
    },
    changed: (server) => changed.get(server) ?? none,
    drift: () => [...drifts.values()].flat(),
    async accept(drift) {
      for (const server of new Set(drift.map((one) => one.server))) {
        const kept = await readPinnedTools(store, server)
        if (kept === undefined) continue
        const own = drift.filter((one) => one.server === server)
        const tools = new Map([...kept.tools, ...own.map(({ tool, to }) => [tool, to] as const)])
        await writePinnedTools(store, server, { ...kept, tools })
        await compare(server)
      }
    },
    async follow() {
      for (const [server, drift] of drifts) if (drift.length > 0) await compare(server)
    },
  }
}

function definitionOf(tool: ListedTool): ToolDefinition {
  const { name: _, ...all } = tool
  const { description = '', inputSchema } = all
  return {
    hash: hash('sha256', stableText({ ...all, description })),
    description: description.slice(0, limits.description),
    schema: (inputSchema === undefined ? '' : stableText(inputSchema)).slice(0, limits.schema),
  }
}

function keyOf(server: string): string {
  return `upstream.tools.${server}`
}

async function readPinnedTools(
  store: Pick<Store, 'settings'>,
  server: string,
): Promise<ServerTools | undefined> {
  const text = await store.settings.get(keyOf(server))
  if (text === undefined) return undefined
  const { program, tools } = JSON.parse(text) // Only ever written below.
  return { program, tools: new Map(tools) }
}

async function writePinnedTools(
  store: Pick<Store, 'settings'>,
  server: string,
  { program, tools }: ServerTools,
): Promise<void> {
  await store.settings.set(keyOf(server), JSON.stringify({ program, tools: [...tools] }))
}
