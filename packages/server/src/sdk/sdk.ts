// The front door for programs: guarded runs embedded or on a server, and tools of the AI SDK.

export { createStatewright, type EmbeddedOptions, type EmbeddedStatewright } from './embedded.ts'
export { type GuardedTools, type GuardOptions, guardTools, ToolDenied } from './guard-tools.ts'
export { connectPeople, connectStatewright } from './remote.ts'
export type { RemoteOptions } from './remote-ask.ts'
export {
  type ApprovalStatus,
  type GuardedRun,
  type MoveResult,
  type People,
  type RunStanding,
  type StartOptions,
  type Statewright,
  StatewrightError,
  type ToolDecision,
  type ToolOutcome,
  type ToolRequest,
  type WaitingApproval,
  type WaitOptions,
} from './statewright.ts'
