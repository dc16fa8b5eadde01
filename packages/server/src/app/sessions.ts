import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Json } from '@statewright/core/internal'
import type { Guard } from '../guard/guard.ts'
import { ownTools, toolByName } from '../mcp/tools/all.ts'
import type { Log } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { sessionObserver } from '../observe/session-observer.ts'
import {
  type BrokerParts,
  brokerLimits,
  type HookSetup,
  type OwnTools,
  systemTimers,
} from '../orchestrator/broker/parts.ts'
import { SessionBroker } from '../orchestrator/broker/session-broker.ts'
import { callCommands } from '../orchestrator/children/call-commands.ts'
import { acpHarness } from '../orchestrator/harness/acp.ts'
import { claudeCodeHarness } from '../orchestrator/harness/claude-code.ts'
import { modelHarness } from '../orchestrator/harness/model.ts'
import { scriptedHarness } from '../orchestrator/harness/scripted.ts'
import { createHookRunner } from '../orchestrator/hooks/hook-runner.ts'
import { readHooks } from '../orchestrator/hooks/read-hooks.ts'
import type { Harness } from '../orchestrator/ports.ts'
import { mcpTools } from '../orchestrator/tools/mcp-tools.ts'
import { createToolRunner } from '../orchestrator/tools/tool-runner.ts'
import { endOwned } from '../sandbox/end-tree.ts'
import { planCage } from '../sandbox/plan-cage.ts'
import { childRunner, type RunChild } from '../tools/run-child.ts'
import type { Upstreams } from '../upstream/upstreams.ts'

export interface SessionDeskOptions {
  readonly guard: Guard
  readonly connect: BrokerParts['connect']
  readonly log: Log
  readonly metrics: Metrics
  readonly node: string
  /** Where `hooks.json` lies; without it there are no post-tool hooks. */
  readonly data?: string
  readonly limits?: Partial<BrokerParts['limits']>
  /** MCP servers of the project, whose tools sessions are offered as well. */
  readonly upstreams?: Upstreams
}

/** Puts agent sessions together: broker, harnesses, tools and hooks. */
export function createSessionDesk(options: SessionDeskOptions): SessionBroker {
  const { guard, log, metrics, node, data, upstreams } = options
  const { runtime, environment: variables } = guard
  const owner = takeOver(options)
  const harnesses: readonly Harness[] = [
    scriptedHarness(),
    // Looked up for each request: the configuration may have been read again.
    modelHarness({
      variables,
      get prices() {
        return runtime.settings.prices
      },
    }),
    claudeCodeHarness({ variables, owner, ...keyFolder(data) }),
    acpHarness({ variables, owner }),
  ]
  return new SessionBroker({
    guard,
    runtime,
    connect: options.connect,
    harnesses: new Map(harnesses.map((harness) => [harness.name, harness])),
    tools: createToolRunner({
      commandsFor: callCommands(guard, owner),
      sources: upstreams === undefined ? [] : [mcpTools(upstreams)],
    }),
    hookRunner: createHookRunner({ runChild: hookChildren(options, owner), variables }),
    hooks: data === undefined ? { hooks: [], problem: null } : hookSetup(data),
    ownTools: sessionTools(guard),
    node,
    observer: sessionObserver(log, metrics.sessions),
    limits: { ...brokerLimits, ...options.limits },
    timers: systemTimers,
  })
}

/**
 * The name under which this server, over its restarts, marks what its sessions start. What one
 * that was killed has left running is ended: nobody reads its results, and nobody holds it.
 */
function takeOver({ data, node, log }: SessionDeskOptions): string {
  if (data === undefined) return randomUUID()
  const owner = hash('sha256', `${resolve(data)}\n${node}`).slice(0, 24)
  const ended = endOwned(owner)
  if (ended > 0) log.warn({ ended }, 'programs of sessions had outlived the server and were ended')
  return owner
}

/** Hooks are a person's own commands, but see neither our data nor our keys all the same. */
function hookChildren(
  { guard: { runtime, sandbox } }: SessionDeskOptions,
  owner: string,
): RunChild {
  return childRunner({
    sandbox,
    owner,
    planCage: (cwd) => {
      const { sandbox: mode, sandboxNetwork, protectedPaths, keptFiles } = runtime.settings
      return planCage(mode ?? 'auto', sandbox, {
        workspace: cwd,
        mayWrite: true,
        network: sandboxNetwork,
        hide: protectedPaths,
        keep: keptFiles,
      })
    },
  })
}

/** A server that was killed has left its files behind; nobody uses them any more. */
function keyFolder(data: string | undefined): { readonly folder?: string } {
  if (data === undefined) return {}
  const folder = join(data, 'agents')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { folder }
}

function hookSetup(data: string): HookSetup {
  const read = readHooks(data)
  return read.ok ? { hooks: read.value, problem: null } : { hooks: [], problem: read.error }
}

/** Our own tools, for a model that works in a session bound to a run. */
function sessionTools(guard: Guard): OwnTools {
  const offered = ownTools.filter(({ isDebugging }) => !isDebugging)
  return {
    definitions: offered.map(({ name, description, inputSchema }) => ({
      name,
      description,
      // A published schema is plain JSON; its type only says that it may hold anything.
      inputSchema: JSON.parse(JSON.stringify(inputSchema)),
    })),
    async call({ caller, session, project }, name, args: Json) {
      const tool = toolByName.get(name)
      if (tool === undefined) return { output: `There is no tool ${name}.`, isError: true }
      const done = await tool.call({ guard, parts: guard.runtime, caller, session, project }, args)
      if (done.ok) return { output: JSON.stringify(done.value), isError: false }
      const { code, message, next } = done.error
      const output = `${code}: ${message}${next === undefined ? '' : ` Next: ${next}`}`
      return { output, isError: true }
    },
  }
}
