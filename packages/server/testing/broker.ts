import {
  type AgentStateKind,
  type AgentUpdate,
  emptyAgentView,
  foldAgentUpdate,
  type HookConfig,
  isMutatingCall,
} from '@statewright/core/internal'
import type { Caller } from '../src/base/caller.ts'
import { type Clock, systemClock } from '../src/base/clock.ts'
import {
  type BrokerLimits,
  type BrokerOptions,
  brokerLimits,
  type OwnTools,
  type SessionObserver,
} from '../src/orchestrator/broker/broker-options.ts'
import { leaseTimes } from '../src/orchestrator/broker/node-lease.ts'
import { SessionBroker } from '../src/orchestrator/broker/session-broker.ts'
import type { Timers } from '../src/orchestrator/broker/timers.ts'
import type {
  Harness,
  HarnessPart,
  HookOutcome,
  HookRunner,
  ToolOutcome,
  ToolRunner,
  ToolRunRequest,
  TurnRequest,
} from '../src/orchestrator/ports.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { ann, openRuntime } from './runtime.ts'

export const eve: Caller = { tokenId: 'agent_eve', kind: 'agent', role: 'agent', name: 'eve' }

const noOwnTools: OwnTools = {
  definitions: [],
  call: async (_from, name) => ({ output: `There is no tool ${name}.`, isError: true }),
}

const silentObserver: SessionObserver = {
  started: () => {},
  onEvent: () => {},
  onUsage: () => {},
  dropped: () => {},
  toolRuns: () => {},
  hookOutput: () => {},
  fault: () => {},
}

/** What the harness of a test answers to its requests, one after the other. */
export type Answering = (request: TurnRequest, signal: AbortSignal) => AsyncIterable<HarnessPart>

export const text = (words: string): HarnessPart => ({
  type: 'text_delta',
  payload: { text: words },
})
export const call = (name: string, callId: string, args: object = {}): HarnessPart => ({
  type: 'tool_call_completed',
  // A literal of the test.
  payload: { callId, name, arguments: args as Record<string, string> },
})
export const completed: HarnessPart = { type: 'completed', payload: { costUsd: 0.01 } }

export interface World {
  readonly runtime: Runtime
  readonly folder: string
  readonly requests: TurnRequest[]
  readonly toolRuns: ToolRunRequest[]
  readonly hookRuns: string[]
  broker: SessionBroker
  /** Ends this broker as a crash would, and starts another on the same store. */
  crash(): Promise<void>
  /** Resolves when the session has this kind, or one of these. */
  until(sessionId: string, ...kinds: AgentStateKind[]): Promise<void>
  updates(sessionId: string): Promise<AgentUpdate[]>
  close(): Promise<void>
}

export interface WorldOptions {
  /** One answer per request; the last one is given again. */
  readonly answers: readonly (readonly HarnessPart[] | Answering)[]
  /** Arguments of tools that are paths, by the tool's name. */
  readonly writes?: Readonly<Record<string, readonly string[]>>
  readonly tool?: (request: ToolRunRequest) => Promise<ToolOutcome>
  readonly hook?: (name: string, signal: AbortSignal) => Promise<HookOutcome>
  readonly hooks?: readonly HookConfig[]
  readonly hookProblem?: string
  readonly limits?: Partial<BrokerLimits>
  readonly ownTools?: OwnTools
  readonly harness?: Partial<Harness>
  readonly observer?: BrokerOptions['observer']
  readonly stop?: () => Promise<number | null>
}

/** Short waits, those of retries, are over at once: the clock jumps instead. */
function jumpingTime(): { clock: Clock; timers: Timers } {
  let jumped = 0
  return {
    clock: { ...systemClock, now: () => systemClock.now() + jumped },
    timers: {
      set(work, ms) {
        const isShort = ms <= 1000
        const timer = setTimeout(
          () => {
            if (isShort) jumped += Math.max(0, ms)
            work()
          },
          isShort ? 0 : ms,
        )
        return () => clearTimeout(timer)
      },
    },
  }
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const { clock, timers } = jumpingTime()
  const requests: TurnRequest[] = []
  const toolRuns: ToolRunRequest[] = []
  const hookRuns: string[] = []
  const inner = await openRuntime({ clock })
  const { runtime, guard, store, folder } = inner
  const harness = answeringHarness(options, requests)
  const tools: ToolRunner = {
    definitions: async () => [
      { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
    ],
    isMutating: (name, args) => isMutatingCall(name, args),
    writes: (name) => options.writes?.[name],
    timeoutMs: () => 10_000,
    run: async (request) => {
      toolRuns.push(request)
      const run =
        options.tool ?? (async () => ({ status: 'succeeded', output: 'ok', isError: false }))
      return run(request)
    },
    close: async () => {},
  }
  const hookRunner: HookRunner = {
    run: async ({ hook, signal }) => {
      hookRuns.push(hook.name)
      return options.hook?.(hook.name, signal) ?? { status: 'succeeded', output: '' }
    },
    close: async () => {},
  }
  const open = () =>
    new SessionBroker({
      guard,
      runtime,
      connect: () => {
        throw new Error('no agent of these tests connects')
      },
      harnesses: new Map([['scripted', harness]]),
      tools,
      hookRunner,
      hooks: () => ({ hooks: options.hooks ?? [], problem: options.hookProblem ?? null }),
      ownTools: options.ownTools ?? noOwnTools,
      node: 'local',
      mark: 'mark',
      endChildren: () => {},
      hasFolder: () => true,
      leaseTimes,
      observer: options.observer ?? silentObserver,
      limits: { ...brokerLimits, ...options.limits },
      timers,
    })
  const world: World = {
    runtime,
    folder,
    requests,
    toolRuns,
    hookRuns,
    broker: open(),
    async crash() {
      await world.broker.close()
      world.broker = open()
      await world.broker.recover()
    },
    async until(sessionId, ...kinds) {
      await new Promise<void>((resolve, reject) => {
        const look = async () => {
          const row = await store.sessions.load(sessionId)
          if (row === undefined || !kinds.includes(row.kind)) return
          leave()
          resolve()
        }
        const leave = world.broker.watch(sessionId, () => void look().catch(reject))
        void look().catch(reject)
      })
    },
    async updates(sessionId) {
      const stored = await store.sessions.events(sessionId, { after: 0, limit: 10_000 })
      return stored.map(({ channel, body }) => ({ channel, event: JSON.parse(body) }))
    },
    async close() {
      await world.broker.close()
      await inner.close()
    },
  }
  return world
}

function answeringHarness(options: WorldOptions, requests: TurnRequest[]): Harness {
  return {
    name: 'scripted',
    hasReadiness: false,
    runsOwnTools: false,
    async start() {
      return {
        async send(request, emit, signal) {
          const answer =
            options.answers[Math.min(requests.length, options.answers.length - 1)] ?? []
          requests.push(request)
          if (typeof answer !== 'function') {
            for (const part of answer) emit(part)
            return
          }
          for await (const part of answer(request, signal)) emit(part)
        },
        stop: options.stop ?? (async () => 0),
        kill: async () => {},
      }
    },
    ...options.harness,
  }
}

export async function spawn(
  world: World,
  more: { workflow?: string; process?: string; caller?: Caller } = {},
): Promise<string> {
  const { caller = ann, ...rest } = more
  const spawned = await world.broker.spawn(caller, {
    harness: 'scripted',
    projectPath: world.folder,
    options: {},
    ...rest,
  })
  if (!spawned.ok) throw new Error(JSON.stringify(spawned.error))
  const { sessionId } = spawned.value.row
  await world.until(sessionId, 'ready', 'error')
  return sessionId
}

export async function say(world: World, sessionId: string, words = 'go'): Promise<void> {
  const done = await world.broker.input(ann, sessionId, { text: words })
  if (!done.ok) throw new Error(JSON.stringify(done.error))
}

/** Lines that tell a session shortly, in the order in which they were told. */
export function story(updates: readonly AgentUpdate[]): string[] {
  return updates.flatMap(({ channel, event }) => {
    if (channel === 'agent:stream_event') return [`stream ${event.type}`]
    if (event.type === 'state_changed') return [`${event.from} -> ${event.to} (${event.reason})`]
    if (event.type === 'tool_lifecycle') return [`tool ${event.toolName} ${event.status}`]
    if (event.type === 'hook_lifecycle') return [`hook ${event.hookName} ${event.status}`]
    if (event.type === 'compacted') return [`compacted ${event.how}`]
    if (event.type === 'input_queued') return [`queued ${event.text}`]
    return [`error ${event.code}`]
  })
}

export function viewOf(sessionId: string, updates: readonly AgentUpdate[]) {
  return updates.reduce(foldAgentUpdate, emptyAgentView(sessionId))
}

/** Something that never ends by itself. */
export function forever(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
