import type {
  AgentStateEvent,
  HookConfig,
  Json,
  JsonObject,
  SessionLimits,
  StreamEvent,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { Guard } from '../../guard/guard.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AgentConnection, Harness, HookRunner, ToolDefinition, ToolRunner } from '../ports.ts'
import type { LeaseTimes } from './node-lease.ts'
import type { Timers } from './timers.ts'

/** What the broker works with. */
export interface BrokerOptions {
  readonly guard: Guard
  readonly runtime: Runtime
  readonly harnesses: ReadonlyMap<string, Harness>
  readonly tools: ToolRunner
  readonly hookRunner: HookRunner
  /** The configuration of post-tool hooks, read when a session starts (SE-15). */
  readonly hooks: () => HookSetup
  /** Tools of ours that a bound session is offered; they belong to another room. */
  readonly ownTools: OwnTools
  /** A way to our server for an agent that a session starts. */
  readonly connect: (caller: Caller) => AgentConnection
  /** Name of this process: a session is at work in one of them at a time (SE-18). */
  readonly node: string
  /** By which the children of this server are known, also to anyone who takes its sessions over. */
  readonly mark: string
  readonly endChildren: (mark: string) => void
  readonly hasFolder: (path: string) => boolean
  readonly leaseTimes: LeaseTimes
  readonly observer: SessionObserver
  readonly limits: BrokerLimits
  readonly timers: Timers
}

export interface HookSetup {
  readonly hooks: readonly HookConfig[]
  /** Why there are none, where the file could not be read. */
  readonly problem: string | null
}

export interface OwnTools {
  readonly definitions: readonly ToolDefinition[]
  call(
    from: { readonly caller: Caller; readonly session: string; readonly project: string },
    name: string,
    args: Json,
  ): Promise<{ readonly output: string; readonly isError: boolean }>
}

export interface StartedSession {
  readonly sessionId: string
  readonly harness: string
  readonly projectPath: string
  readonly runId: string | null
  readonly by: string
  /** What the person had started, where the harness takes a command; it may be any program. */
  readonly command: Json | null
}

/** Told of everything after it was stored: logs, metrics and traces are made from it. */
export interface SessionObserver {
  /** A person started a session, and with it the program that they named, if they did. */
  started(session: StartedSession): void
  onEvent(event: AgentStateEvent): void
  /** What a model says that an answer took: tokens, and which model it was. */
  onUsage(sessionId: string, event: StreamEvent): void
  /** Something came too late or twice and was dropped. */
  dropped(sessionId: string, what: string, id: string): void
  /** A tool is about to run; its arguments are for debugging only. */
  toolRuns(sessionId: string, runId: string, name: string, args: Json): void
  hookOutput(sessionId: string, runId: string, output: string): void
  fault(sessionId: string, fault: unknown): void
}

export interface BrokerLimits {
  /** Sessions that have not stopped. */
  readonly sessions: number
  /** Events that wait in the queue of one session. */
  readonly queue: number
  /** Events of one commit. */
  readonly batch: number
  /** Characters of one conversation. */
  readonly conversation: number
  readonly input: number
}

export const brokerLimits: BrokerLimits = {
  sessions: 1000,
  queue: 10_000,
  batch: 256,
  conversation: 8_000_000,
  input: 200_000,
}

export interface SpawnRequest {
  readonly harness: string
  readonly projectPath: string
  readonly options: JsonObject
  readonly workflow?: string
  readonly process?: string
  readonly context?: JsonObject
  readonly limits?: SessionLimits
}
