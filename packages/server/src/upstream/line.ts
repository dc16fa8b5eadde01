import type { JsonParams } from './pending-calls.ts'

/** One request to a server that is under way, past the protocol's library. */
export interface PendingAnswer {
  /** The message that answers it, as it came. */
  readonly answer: Promise<unknown>
  /** Nobody waits for it any more. */
  cancel(): void
}

/** The request that a line carries, with everything that its era wants to stand in it. */
export interface LineRequest {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: 'tools/call'
  readonly params: JsonParams
}

/** The connection to a server, for requests that the protocol's library does not have to see. */
export interface Line {
  /** Whether a server must be told that nobody waits; else it sees so by the end of a request. */
  readonly needsCancelling: boolean
  ask(request: LineRequest): PendingAnswer
}
