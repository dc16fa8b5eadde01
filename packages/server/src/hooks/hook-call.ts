import type { Caller } from '../base/caller.ts'
import type { ClientCall, CodingClient } from '../clients/client.ts'
import type { ExecTickets } from '../guard/exec/exec-tickets.ts'
import type { Guard } from '../guard/guard.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ToolUses } from './tool-uses.ts'

/** One call of a client hook, with who sent it and all it is answered from. */
export interface HookCall {
  readonly guard: Guard
  readonly runtime: Runtime
  readonly toolUses: ToolUses
  readonly client: CodingClient
  readonly caller: Caller
  readonly call: ClientCall
  /** What the client sent, for what only its adapter can read. */
  readonly body: unknown
  /** Where shell calls get tickets; undefined where no command can come back to us. */
  readonly exec?: ExecTickets | undefined
  /** Told of what went wrong beside the answer, which is given all the same. */
  readonly onFault?: ((fault: unknown) => void) | undefined
  readonly onUnjudged?: ((runId: string, text: string) => void) | undefined
  /** The client's process, where the kernel shows it. */
  readonly process?: string | undefined
  /** The home that the client has, where its hook tells one. */
  readonly home?: string | undefined
  /** Aborted when the client asks no longer. */
  readonly signal?: AbortSignal | undefined
}
