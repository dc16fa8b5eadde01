import { WorkflowDefinition } from '../definition/workflow-schema.ts'
import { Policy, PolicyRule } from '../policy/policy-schema.ts'
import { ProcessDefinition } from '../process/process-schema.ts'
import { Allowance } from '../run/verdict.ts'
import { Approval, Used } from './approval.ts'
import { ExaminedClient } from './client.ts'
import { Config } from './config.ts'
import { Decision, Reason, Way } from './decision.ts'
import { DefinitionLine, Graph } from './definition.ts'
import { Entry } from './entry.ts'
import { Memory } from './memory.ts'
import { HeldMode, ModeNow } from './mode.ts'
import { CredentialCreation } from './passkey.ts'
import { AttachedPolicy, MatchedRule } from './policy.ts'
import { Finding } from './problem.ts'
import { Process, ProcessText, SavedProcess } from './process.ts'
import { Proof } from './proof.ts'
import { Replay, ReplayedCall } from './replay.ts'
import { Fork, Reading, Run, RunLine } from './run.ts'
import { Session, SessionLine } from './session.ts'
import { Task } from './task.ts'
import { Token } from './token.ts'

/** Shapes that are part of several answers: a description names them once and refers to them. */
export const shapes = {
  Allowance,
  Approval,
  AttachedPolicy,
  Config,
  CredentialCreation,
  Decision,
  DefinitionLine,
  Entry,
  ExaminedClient,
  Finding,
  Fork,
  Graph,
  HeldMode,
  MatchedRule,
  Memory,
  ModeNow,
  Policy,
  PolicyRule,
  Replay,
  ReplayedCall,
  Process,
  ProcessStates: ProcessDefinition.shape.states,
  ProcessText,
  Proof,
  Reading,
  Reason,
  Run,
  RunLine,
  SavedProcess,
  Session,
  SessionLine,
  Task,
  Token,
  Used,
  Way,
  WorkflowDefinition,
}
