import type { Problem, Result } from '@statewright/core/internal'

/**
 * A coding client that calls us: how its client hooks are read and how it wants to be answered.
 * An adapter is pure in both directions, and the vendor's words stop at its file.
 */
export interface CodingClient {
  readonly name: string
  /** The program that a person starts, and folders that it leaves in a home or a project. */
  readonly program: string
  readonly folders: readonly string[]
  /** What the kernel calls its process: children of it are the agent, not the person. */
  readonly processNames: readonly string[]
  /** The events of its hooks; left out where a plugin of ours calls us instead. */
  readonly hookEvents?: HookEvents
  /** It has no search tools of its own, so that a reading shell call may serve (SH-10). */
  readonly readsByShell: boolean
  /** Its hooks name the sub-agent that acts: each can be bound to a branch of a fork (WF-25). */
  readonly namesAgents?: boolean
  /** False when its hooks give calls no id: results are then joined by what was asked. */
  readonly namesCalls?: boolean
  /** It takes another input for calls of our own tools, into which we put the id of the call. */
  readonly marksOwnCalls?: boolean
  /** It has no event for a whole batch, so that the brief stands beside each result (WF-13). */
  readonly briefsAfterEachTool?: boolean
  /**
   * Whether it takes another input for a call: as it is, or only together with an allow, which
   * waives its own prompt (SH-15). Left out: it does not.
   */
  readonly rewrites?: 'freely' | 'with_allow'
  parse(body: unknown, origin?: HookOrigin): Result<ClientCall, Problem>
  /** The answer in the client's dialect. `body` is what was asked, for its kind of event. */
  render(body: unknown, answer: ClientAnswer): object
  /** For one whose hooks name no call: what the call's result will come under with this input. */
  callIdWith?(body: unknown, input: unknown): string | undefined
  /** Where and how it writes down what its models used; left out where it does not. */
  readonly transcripts?: Transcripts
  /** Where an MCP call names the tool use that its client hook has announced. */
  toolUseOf(meta: Readonly<Record<string, unknown>>): string | undefined
  /** A write that the canary's workflow forbids, as the client asks for it. */
  canary(call: CanaryCall): object
}

export interface HookEvents {
  /** Those that ask whether something may happen. */
  readonly asks: readonly string[]
  /** Those that only tell something: nothing is held back when we do not answer. */
  readonly reports: readonly string[]
}

export interface CanaryCall {
  readonly id: string
  readonly session: string
  readonly folder: string
  /** What it wants to write. */
  readonly file: string
}

/** The transcripts of a client: files with a line for each thing that happened. */
export interface Transcripts {
  /** Of the client in a home, and of transcripts in that. */
  readonly homeFolder: string
  readonly folder: string
  /** What a line tells of the use of a model, if it does. */
  use(line: string): ModelUse | undefined
}

/** What an answer of a model used, as far as it is told yet. */
export interface ModelUse {
  /** The same for all lines of one answer. */
  readonly id: string
  readonly model: string
  readonly at?: number
  readonly used: ModelTokens
}

/** The counts do not overlap: `input` is what no cache served. */
export interface ModelTokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteLong: number
}

/** What is known of a hook beside its body. */
export interface HookOrigin {
  /** The command by which `install` entered our MCP server, as the hook command says it. */
  readonly gateway?: readonly string[] | undefined
  /** Whether our gateway offers a tool of this name, besides our own, right now. */
  readonly isFronted?: ((tool: string) => boolean) | undefined
  /** We started the client, with our MCP server and no other. */
  readonly hasOnlyOurServer?: boolean
}

/** What a client told us, in our own words. */
export interface ClientCall {
  /** The client's own id of its conversation. */
  readonly session: string
  /** The sub-agent that acts, where the client names one. */
  readonly agentId?: string
  /** Where the client works. */
  readonly cwd?: string
  /** Files in which the client says it writes down what happens. */
  readonly transcriptPaths?: readonly string[]
  readonly event: ClientEvent
}

export type ClientEvent =
  | {
      readonly type: 'tool_requested'
      readonly callId: string
      readonly tool: string
      readonly server?: string
      readonly input: unknown
      /** It goes to our own MCP server, which judges it there. */
      readonly toUs: boolean
    }
  | {
      readonly type: 'tool_finished'
      readonly callId: string
      readonly tool: string
      readonly toUs: boolean
      readonly bytes: number
      /** What the model reads of it, as far as the hook shows it. */
      readonly output?: string
      /** Null where the client does not say: such a result proves nothing (WF-31). */
      readonly exit: 'success' | 'failure' | null
      readonly durationMs?: number
      /** What the result itself says it cost. */
      readonly costUsd?: number
    }
  | { readonly type: 'batch_finished'; readonly calls: readonly SeenCall[] }
  /** A person wrote to the agent; what, where the client tells. */
  | { readonly type: 'prompt_given'; readonly text?: string }
  | { readonly type: 'session_started' }
  | { readonly type: 'session_ended' }
  | { readonly type: 'turn_ended' }
  | { readonly type: 'agent_ended' }
  | { readonly type: 'settings_changed'; readonly file: string }
  /** Nothing that we listen for. */
  | { readonly type: 'other' }

/** A call that the client says its model has made. */
export interface SeenCall {
  readonly callId: string
  readonly tool: string
  readonly toUs: boolean
  /** False for a call that the client itself turned away before any tool ran. */
  readonly ran: boolean
}

export type ClientAnswer =
  /** Silence: the client's own permission prompts still hold (invariant 9). */
  | { readonly kind: 'nothing' }
  /** The rules said no to a tool call or to a change of settings. */
  | { readonly kind: 'deny'; readonly text: string }
  /** Words for the model, beside whatever happens. */
  | { readonly kind: 'tell'; readonly text: string }
  /** It may run, but with this input instead: a shell call through our sandbox (SH-15). */
  | { readonly kind: 'rewrite'; readonly input: unknown; readonly text?: string }
  /** We could not check. What guards is denied; elsewhere the model is told. */
  | { readonly kind: 'fault'; readonly text: string }
