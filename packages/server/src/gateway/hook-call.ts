import type { ClientCall, CodingClient } from '../clients/client.ts'
import type { Caller } from '../runtime/caller.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { ExecDesk } from './exec/exec-desk.ts'
import type { ToolUses } from './tool-uses.ts'

/** One call of a client hook, with who sent it and all it is answered from. */
export interface HookCall {
  readonly parts: RuntimeParts
  readonly toolUses: ToolUses
  readonly client: CodingClient
  readonly caller: Caller
  readonly call: ClientCall
  /** What the client sent, for what only its adapter can read. */
  readonly body: unknown
  /** Where shell calls get tickets; undefined where no command can come back to us. */
  readonly exec?: ExecDesk | undefined
  /** Told of what went wrong beside the answer, which is given all the same. */
  readonly onFault?: ((fault: unknown) => void) | undefined
  readonly onUnjudged?: ((runId: string, text: string) => void) | undefined
  /** The client's process, where the kernel shows it. */
  readonly process?: string | undefined
}
