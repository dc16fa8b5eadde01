import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Caller } from '../src/base/caller.ts'
import type { Guard, GuardOptions } from '../src/guard/guard.ts'
import {
  createGateway,
  defaultGateway,
  type Gateway,
  type GatewaySettings,
} from '../src/mcp/gateway.ts'
import type { GuardedTool } from '../src/mcp/guarded/guarded-tool.ts'
import type { RuntimeSettings } from '../src/runtime/settings.ts'
import { openWorld, type World } from './runtime.ts'

export const hostile = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./peers/hostile-server.ts', import.meta.url))],
}

/** A gateway with real servers behind it, on a real store, and real clients before it. */
export interface FrontWorld extends World {
  readonly gateway: Gateway
  readonly faults: unknown[]
  readonly notes: string[]
  connect(caller: Caller, era?: 'auto' | 'legacy', headers?: object): Promise<Client>
}

export async function openFrontWorld(
  settings: Partial<GatewaySettings>,
  runtime: Partial<RuntimeSettings> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
  tools?: (guard: Guard) => ReadonlyMap<string, GuardedTool>,
  more: Omit<GuardOptions, 'runtime' | 'onFault'> = {},
): Promise<FrontWorld> {
  const faults: unknown[] = []
  const notes: string[] = []
  let told: Gateway | undefined
  const world = await openWorld(runtime, (runId, entries) => told?.published(runId, entries), {
    ...more,
    onFault: (fault) => faults.push(fault),
  })
  const held = { ...defaultGateway, ...settings }
  const gateway = createGateway({
    guard: world.guard,
    version: '0.0.0',
    settings: () => held,
    folder: world.folder,
    environment,
    ...(tools === undefined ? {} : { guardedTools: tools(world.guard) }),
    onFault: (fault) => faults.push(fault),
    onNote: (text) => notes.push(text),
  })
  told = gateway
  await gateway.upstreams.settled()
  const open: Client[] = []
  return {
    ...world,
    gateway,
    faults,
    notes,
    async connect(caller, era = 'auto', headers = {}) {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: era }, capabilities: { elicitation: {} } },
      )
      const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), {
        requestInit: { headers: { ...headers } },
        fetch: (url, init) => gateway.mcp.fetch(new Request(url, init), caller),
      })
      await client.connect(transport)
      open.push(client)
      return client
    },
    async close() {
      for (const client of open) await client.close()
      await gateway.close()
      await world.close()
    },
  }
}
