import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Guard } from '../guard/guard.ts'
import { endOwned } from '../sandbox/end-tree.ts'
import { planCage } from '../sandbox/plan-cage.ts'
import { childRunner, type RunChild } from '../tools/run-child.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import {
  type BrokerOptions,
  brokerLimits,
  type HookSetup,
  type OwnTools,
} from './broker/broker-options.ts'
import { leaseTimes } from './broker/node-lease.ts'
import { SessionBroker } from './broker/session-broker.ts'
import { systemTimers } from './broker/timers.ts'
import { callCommands } from './children/call-commands.ts'
import { acpHarness } from './harness/acp.ts'
import { claudeCodeHarness } from './harness/claude-code.ts'
import { modelHarness } from './harness/model.ts'
import { scriptedHarness } from './harness/scripted.ts'
import { createHookRunner } from './hooks/hook-runner.ts'
import { readHooks } from './hooks/read-hooks.ts'
import type { Harness } from './ports.ts'
import { mcpTools } from './tools/mcp-tools.ts'
import { createToolRunner } from './tools/tool-runner.ts'

export interface SessionsOptions {
  readonly guard: Guard
  readonly connect: BrokerOptions['connect']
  /** Our own tools, for a model that works in a session bound to a run. */
  readonly ownTools: OwnTools
  readonly observer: BrokerOptions['observer']
  /** Told when programs of an earlier server were still running. */
  readonly onOutlived: (programs: number) => void
  readonly node: string
  /** Where `hooks.json` lies; without it there are no post-tool hooks. */
  readonly data?: string
  readonly limits?: Partial<BrokerOptions['limits']>
  /** MCP servers of the project, whose tools sessions are offered as well. */
  readonly upstreams?: Upstreams
}

/** Puts agent sessions together: broker, harnesses, tools and hooks. */
export function createSessions(options: SessionsOptions): SessionBroker {
  const { guard, node, data, upstreams } = options
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
    hooks: () => (data === undefined ? { hooks: [], problem: null } : hookSetup(data)),
    ownTools: options.ownTools,
    // Of its own for each process: one that was killed and its successor are not the same.
    node: `${node}/${randomUUID().slice(0, 8)}`,
    mark: owner,
    endChildren: (mark) => reportOutlived(options, mark),
    hasFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    leaseTimes,
    observer: options.observer,
    limits: { ...brokerLimits, ...options.limits },
    timers: systemTimers,
  })
}

/**
 * The name under which this server, over its restarts, marks what its sessions start. What one
 * that was killed has left running is ended: nobody reads its results, and nobody holds it.
 */
function takeOver({ data, node, onOutlived }: SessionsOptions): string {
  if (data === undefined) return randomUUID()
  const owner = hash('sha256', `${resolve(data)}\n${node}`).slice(0, 24)
  reportOutlived({ onOutlived }, owner)
  return owner
}

function reportOutlived({ onOutlived }: Pick<SessionsOptions, 'onOutlived'>, mark: string): void {
  const ended = endOwned(mark)
  if (ended > 0) onOutlived(ended)
}

/** Hooks are a person's own commands, but see neither our data nor our keys all the same. */
function hookChildren({ guard: { runtime, sandbox } }: SessionsOptions, owner: string): RunChild {
  return childRunner({
    sandbox,
    owner,
    planCage: (cwd) => {
      const { sandbox: mode, sandboxNetwork, protectedPaths, protectedFiles } = runtime.settings
      return planCage(mode ?? 'auto', sandbox, {
        workspace: cwd,
        mayWrite: true,
        network: sandboxNetwork,
        hide: protectedPaths,
        keep: protectedFiles,
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
