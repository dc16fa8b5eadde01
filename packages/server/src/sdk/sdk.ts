// The front door for programs: guarded runs embedded or on a server, and tools of the AI SDK.

export { createStatewright, type EmbeddedOptions, type EmbeddedStatewright } from './embedded.ts'
export { type GuardOptions, guardTools, ToolDenied } from './guard-tools.ts'
export { connectPeople, connectStatewright } from './remote.ts'
export type { RemoteOptions } from './remote-ask.ts'
export {
  type GuardedRun,
  type Moved,
  type People,
  type RunStanding,
  type StartOptions,
  type Statewright,
  StatewrightError,
  type ToolDecision,
  type ToolOutcome,
  type ToolRequest,
  type WaitingApproval,
} from './statewright.ts'
