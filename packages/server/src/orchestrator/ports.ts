import type {
  AgentMessage,
  HookConfig,
  Json,
  JsonObject,
  StreamEventType,
  ToolRunRecord,
} from '@statewright/core/internal'
import type { OpenCall } from '../guard/guarded-call.ts'

/**
 * The small interfaces between the broker and those who do a session's work. The broker alone
 * changes a session; anyone who implements these only does what is asked and tells what came of it.
 */

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
}

/** One piece of an answer. The broker adds the envelope of SE-13. */
export interface HarnessPart {
  readonly type: StreamEventType
  /**
   * `text_delta`, `thinking_delta`: `{text}`. `tool_call_completed`: `{callId, name, arguments}`,
   * and from an agent with tools of its own also `status`, `isError`, `error`, `output`, and
   * `changedNothing` where it was not let through; such an agent tells the beginning of a call by
   * `tool_call_delta` with `{callId, name, arguments?, status?}`. `completed`:
   * `{finishReason?, inputTokens?, outputTokens?, costUsd?, model?, raw?}`, where `raw` comes back
   * with the assistant's message in later requests. `error`: `{code, message, retryable?}`.
   * `metadata`: usage since the last one, as in `completed`. `status`: `{message}`.
   */
  readonly payload: Readonly<Record<string, Json>>
  /** Place in the stream, from 1 on, where the source counts; else the order of coming counts. */
  readonly seq?: number
}

/** One request to a model: everything that was said so far, and all tools. */
export interface TurnRequest {
  readonly streamId: string
  readonly requestId: string
  readonly attempt: number
  /** What holds for the whole session: where it works, what the project says to agents. */
  readonly system: string | null
  /** The brief of the bound run, for the system prompt; agents of their own get it as text. */
  readonly brief: string | null
  readonly messages: readonly AgentMessage[]
  /** Answers in the whole conversation, of which the messages may hold only the end. */
  readonly answers: number
  /** The answer is a summary of the conversation, which is not part of it. */
  readonly isSummary: boolean
  /** Empty for a harness that runs tools of its own. */
  readonly tools: readonly ToolDefinition[]
  /** What the state of the bound run asks for, else what the session was started with. */
  readonly model: string | null
  readonly thinkingLevel: string | null
  /** How long nothing may come, before the first word and between two. */
  readonly silenceMs: number
  /** Resolves when what was said so far is stored; nothing while there is room for more. */
  readonly room?: () => Promise<void> | undefined
}

/** Where an agent that we start finds our server, with keys that live as long as it does. */
export interface AgentConnection {
  readonly url: string
  /** For our own tools over MCP. */
  readonly token: string
  /** For its client hooks: what comes with it was seen by the client, not told by the agent. */
  readonly hookToken: string
  /** Our hook command: the program and its script. */
  readonly hookCommand: readonly [string, string]
  /** Whether a call came by its client hook and was let through; answers once for each call. */
  takeAllowed(callId: string): boolean
  /** Its keys count no longer. */
  close(): void
}

/** How the calls of an agent are guarded that asks us about each of them (SE-11). */
export interface AgentCallGuard {
  /** A denial says why. */
  judge(call: {
    readonly callId: string
    readonly name: string
    readonly arguments: Json
  }): Promise<{ readonly isAllowed: boolean; readonly message: string }>
  /** A call that was let through has ended; answers with what the model should hear of it. */
  finished(result: {
    readonly callId: string
    readonly bytes: number
    /** Null where the agent does not say: such a result proves nothing (WF-31). */
    readonly exit: 'success' | 'failure' | null
    readonly durationMs?: number
    /** What the model reads of it, as far as the agent says. */
    readonly output?: string
  }): Promise<readonly string[]>
}

export interface HarnessContext {
  readonly sessionId: string
  readonly projectPath: string
  /** What the person gave at the start: model, base URL, script file, command. */
  readonly options: JsonObject
  /** The run that the session is bound to, for hooks and gateway of an agent with own tools. */
  readonly runId: string | null
  /** For an agent that asks us about each call of its own tools. */
  readonly calls: AgentCallGuard
  /** For an agent that asks by client hooks, or takes our own tools over MCP. */
  connect(): AgentConnection
  /** Aborted when nobody waits for its start any more: what was begun for it ends. */
  readonly unwanted: AbortSignal
  /** The readiness signal; a harness without one never calls it. */
  ready(): void
  /** It ended by itself, in or between requests. Not to be called after `stop` or `kill`. */
  exited(code: number | null, message?: string): void
}

/** A harness at work for one session. */
export interface HarnessSession {
  /**
   * Sends a request and emits the pieces of its answer as they come. The last one is `completed` or
   * `error`; a rejection counts as an `error` that can be retried. Aborting ends it silently.
   */
  send(request: TurnRequest, emit: (part: HarnessPart) => void, signal: AbortSignal): Promise<void>
  /** Asks it to end; resolves with its exit code when it has. Where nothing runs, 0 at once. */
  stop(): Promise<number | null>
  /** Ends it and everything it started, now. */
  kill(): Promise<void>
}

export interface Harness {
  readonly name: string
  readonly provider?: string
  /** Whether `ready` will be called; otherwise it is ready when `start` has resolved. */
  readonly hasReadiness: boolean
  /** It calls tools by itself: they are judged like all others, but not run by our runner. */
  readonly runsOwnTools: boolean
  /** Longest request; the usual 120 s where it says nothing. */
  readonly llmTimeoutMs?: number
  /** Who serves the model of a request, and what it is called there; else it is its own. */
  modelOf?(
    options: JsonObject,
    wished: string | null,
  ): { readonly provider?: string | undefined; readonly name?: string | undefined }
  /** What cannot work of what a person wants to start; told before anything is made. */
  check?(request: Pick<HarnessContext, 'options' | 'projectPath'>): Promise<string | undefined>
  /** A rejection means that it could not be started; its message is shown. */
  start(context: HarnessContext): Promise<HarnessSession>
}

export interface ToolRunRequest {
  readonly sessionId: string
  readonly runId: string
  readonly callId: string
  readonly name: string
  readonly arguments: Json
  readonly projectPath: string
  /** How long it may take; what the tool itself says where it is left out. */
  readonly timeoutMs?: number
  /** The call as it was let through, with the plan by which its commands run. */
  readonly open: OpenCall
  /** Aborted on stop and on timeouts of the broker: kill the whole process group. */
  readonly signal: AbortSignal
  /** Told of what its commands print while they run (SE-21). */
  readonly onOutput?: (chunk: Buffer) => void
}

/**
 * What came of a tool. Failed means that it could not be carried out (no start, timeout, crash); a
 * red test run or an unknown file is `succeeded` with `isError` (SE-4).
 */
export type ToolOutcome =
  | {
      readonly status: 'succeeded'
      readonly output: string
      readonly isError: boolean
      /** Refused before it began: no hook follows it (SE-6). */
      readonly changedNothing?: true
    }
  | { readonly status: 'failed'; readonly error: string }
  | { readonly status: 'canceled' }

export interface ToolRunner {
  /** What a model may call in this project, MCP servers included. */
  definitions(projectPath: string): Promise<readonly ToolDefinition[]>
  isMutating(name: string, args: Json): boolean
  /** Arguments that are known to be paths which it writes (WF-28a). */
  writes(name: string): readonly string[] | undefined
  /** How long it may take, once it runs. */
  timeoutMs(name: string, args: Json): number
  /** Carries it out. Never rejects for what a tool did; cancellation comes by the signal. */
  run(request: ToolRunRequest): Promise<ToolOutcome>
  close(): Promise<void>
}

export interface HookRunRequest {
  readonly sessionId: string
  readonly runId: string
  readonly hook: HookConfig
  readonly toolRuns: readonly HookedRun[]
  readonly projectPath: string
  readonly signal: AbortSignal
  readonly onOutput?: (chunk: Buffer) => void
}

/** A tool run as a hook reads it: with what the model asked for. */
export interface HookedRun extends ToolRunRecord {
  readonly arguments?: Json
}

export interface HookOutcome {
  readonly status: 'succeeded' | 'failed' | 'canceled'
  readonly error?: string
  readonly exitCode?: number
  /** Captured, bounded and without secrets, for people; never sent to the model. */
  readonly output: string
}

export interface HookRunner {
  run(request: HookRunRequest): Promise<HookOutcome>
  close(): Promise<void>
}
