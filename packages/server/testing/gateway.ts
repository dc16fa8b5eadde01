import { fileURLToPath } from 'node:url'
import type { GuardOptions } from '../src/guard/guard.ts'
import {
  createGateway,
  defaultGateway,
  type Gateway,
  type GatewaySettings,
} from '../src/mcp/gateway.ts'
import type { RuntimeSettings } from '../src/runtime/settings.ts'
import { type Connect, mcpClients } from './mcp-clients.ts'
import { openRuntime, type RuntimeWorld } from './runtime.ts'

export const hostile = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./peers/hostile-server.ts', import.meta.url))],
}

/** A gateway with real servers behind it, on a real store, and real clients before it. */
export interface FrontWorld extends RuntimeWorld {
  readonly gateway: Gateway
  readonly faults: unknown[]
  readonly notes: string[]
  readonly connect: Connect
}

export async function openFrontWorld(
  settings: Partial<GatewaySettings>,
  runtime: Partial<RuntimeSettings> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
  more: Omit<GuardOptions, 'runtime' | 'onFault'> = {},
): Promise<FrontWorld> {
  const faults: unknown[] = []
  const notes: string[] = []
  let reported: Gateway | undefined
  const world = await openRuntime({
    settings: runtime,
    onPublished: (runId, entries) => reported?.published(runId, entries),
    guard: { ...more, onFault: (fault) => faults.push(fault) },
  })
  const held = { ...defaultGateway, ...settings }
  const gateway = createGateway({
    guard: world.guard,
    version: '0.0.0',
    settings: () => held,
    folder: world.folder,
    environment,
    approvalPage: (id) => `http://localhost:4747/?approval=${id}`,
    onFault: (fault) => faults.push(fault),
    onNote: (text) => notes.push(text),
  })
  reported = gateway
  await gateway.upstreams.settled()
  const clients = mcpClients((request, caller) => gateway.mcp.answer(request, caller), {
    elicitation: {},
  })
  return {
    ...world,
    gateway,
    faults,
    notes,
    connect: clients.connect,
    async close() {
      await clients.close()
      await gateway.close()
      await world.close()
    },
  }
}
