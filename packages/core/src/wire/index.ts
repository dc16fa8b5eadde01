// What crosses the wire: one shape for each thing, one row for each endpoint.

export { Activity, ActivitySlot } from './activity.ts'
export { Approval, ApprovalDetails, approvalStatuses, CommandMark, Used } from './approval.ts'
export { Archive } from './archive.ts'
export { countIn, Data, Id, listOf, Note, Path, SessionId } from './basics.ts'
export { ClientFinding, ClientReport, ExaminedClient, SeenClient } from './client.ts'
export { Config, ConfigChange } from './config.ts'
export { CallCheck, CallReport, Decision, Reason, Way } from './decision.ts'
export { DefinitionKind, DefinitionLine, Graph } from './definition.ts'
export {
  type AnswerFor,
  type AnswerOf,
  type BodyFor,
  type BodyOf,
  type Constant,
  type Endpoint,
  endpoint,
  type Method,
  type ParamsOf,
  type QueryFor,
  type QueryOf,
  type StatusOf,
  type Verb,
  verbs,
  type Who,
} from './endpoint.ts'
export { endpoints } from './endpoints.ts'
export { Entry, EntryLine, isKnown, NewerEntry } from './entry.ts'
export type { ExecPlan, ExecReport } from './exec.ts'
export { FeedEntry, FeedPlace } from './feed.ts'
export { CommandLineLogin, DeviceLogin } from './login.ts'
export { KeptText, Memory, MemoryKey, MemoryLine, Tags } from './memory.ts'
export { HeldMode, Mode, ModeNow, StoppedCall } from './mode.ts'
export { ownPath } from './own-path.ts'
export {
  CredentialCreation,
  CredentialRequest,
  NewCredential,
  Passkey,
  UsedCredential,
} from './passkey.ts'
export { AttachedPolicy, DefinedPolicy, ExplainedPolicies, MatchedRule } from './policy.ts'
export { Finding, ProblemAnswer } from './problem.ts'
export { Process } from './process.ts'
export { Factor, Pin, Proof, ProofTicket, pinLength } from './proof.ts'
export { Replay, ReplayReport } from './replay.ts'
export { readAnswer, requestFor, type Sent, type SentTo, type WireRequest } from './request.ts'
export { Fork, Reading, Run, RunLine, runStatuses, StuckRun } from './run.ts'
export { Move, MoveStatus } from './run-endpoints.ts'
export { ServerFacts } from './server.ts'
export { readUpdate, Session, SessionEventId, SessionLine } from './session.ts'
export { shapes } from './shapes.ts'
export { Priority, Task, TaskId, TaskLine, TaskStatus, TaskTitle } from './task.ts'
export { Template } from './template.ts'
export { Me, Token } from './token.ts'
export { NewSessions, Trust, UnjudgedCalls } from './trust.ts'
export { RuleUsage, SpendSlot, Usage } from './usage.ts'
export { Workflow } from './workflow.ts'
