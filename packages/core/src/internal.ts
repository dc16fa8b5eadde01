// What our own packages need of core, and nobody else: any of it may change in any version.
// Programs of others use '@statewright/core'. Rooms in alphabetical order; nothing in this package
// imports this file.

export type { AgentAction, ToolToRun } from './agent/actions.ts'
export { contextMessages, summaryRequest } from './agent/compact.ts'
export { AgentMessage, messageSize } from './agent/conversation.ts'
export { agentError } from './agent/errors.ts'
export type { AgentEvent, FreshIds } from './agent/events.ts'
export { foldAgentUpdate } from './agent/fold-view.ts'
export { HookConfig, HooksFile } from './agent/hook-config.ts'
export { freshIds } from './agent/ids.ts'
export { type AgentStateKind, hasRunEnded, type StreamEventType } from './agent/kinds.ts'
export { isMutatingCall } from './agent/mutating.ts'
export { possibleRetries } from './agent/possible-retries.ts'
export {
  AgentError,
  AgentToolCall,
  type ContextUse,
  type RetryTarget,
  SessionLimits,
  ToolRunRecord,
} from './agent/records.ts'
export { recovery } from './agent/recover.ts'
export { reduceAgent } from './agent/reduce-agent.ts'
export { sessionTimeouts } from './agent/retry.ts'
export {
  type AgentSettings,
  type AgentState,
  type AgentStateSnapshot,
  agentSnapshot,
  initialAgentState,
  readAgentState,
} from './agent/state.ts'
export { AgentStateEvent } from './agent/state-event.ts'
export type { AgentStep } from './agent/step.ts'
export {
  contextTooLongCode,
  type OutputEvent,
  payloadNumber,
  payloadText,
  StreamEvent,
} from './agent/stream-event.ts'
export {
  closeStreamGap,
  gapWake,
  newStreamOrder,
  type Ordered,
  type StreamOrder,
  takeStreamEvent,
} from './agent/stream-order.ts'
export { brokenStream, dueEvent, nextWake } from './agent/timers.ts'
export {
  type AgentUpdate,
  type AgentView,
  type AgentViewItem,
  emptyAgentView,
  type LiveOutput,
} from './agent/view.ts'
export { BoundedMap } from './base/bounded-map.ts'
export { cut, oneLine } from './base/cut.ts'
export { defined } from './base/defined.ts'
export { unreachable } from './base/invariant.ts'
export { isJsonObject, type Json, type JsonObject } from './base/json.ts'
export { limits } from './base/limits.ts'
export { nearestNames } from './base/nearest.ts'
export { own } from './base/own.ts'
export {
  type Code,
  codes,
  type Problem,
  type Reason,
  type ReasonFacts,
  shownReason,
} from './base/problem.ts'
export { err, ok, type Result } from './base/result.ts'
export { escapeHidden, spellHidden, spelt } from './base/spell-hidden.ts'
export { stableText } from './base/stable-text.ts'
export { type Phrase, phrase, textOf, type Words } from './base/text/phrase.ts'
export { type CompiledGlob, compileGlob } from './call/glob.ts'
export { ownToolNames } from './call/own-tools.ts'
export { parsePatch } from './call/patch-edits.ts'
export { isUnreadable, type PatchFile } from './call/patch-file.ts'
export { runnerFiles } from './call/test-runners.ts'
export {
  canonicalTool,
  isClientTool,
  judgedTool,
  type ToolRef,
  toolAliases,
  toolRef,
} from './call/tool-names.ts'
export {
  allowsTool,
  compileToolList,
  shellPatterns,
  type ToolList,
  toolEntryFault,
} from './call/tool-pattern.ts'
export type { InvokedDefinition, ServerTools } from './check/check-context.ts'
export {
  checkDefinition,
  type ParsedDefinition,
  parseDefinition,
} from './check/check-definition.ts'
export { checkPolicyText } from './check/check-policy-text.ts'
export type { Sealing } from './condition/bounds.ts'
export { conditionFunctions } from './condition/functions.ts'
export { languageFunctions, macroFunctions } from './condition/language-functions.ts'
export { durationMs } from './condition/rules.ts'
export { type Scope, type Variable, variables } from './condition/variables.ts'
export { isPathInside, isPlainCommand } from './decide/allowed-before.ts'
export { type CallNeeds, callNeeds } from './decide/call-needs.ts'
export { type CallShape, isFreeCall, shapeOf } from './decide/call-shape.ts'
export { decideToolCall } from './decide/decide-tool-call.ts'
export { describeCall, describeFor, namedRef, type WorkspaceFacts } from './decide/describe-call.ts'
export { askPolicy } from './decide/judge-policies.ts'
export { budgetsOfRun, sessionBudgets } from './decide/session-budget.ts'
export { shellInput } from './decide/shell-input.ts'
export type { EventName, GuardName, StateName } from './definition/define-workflow.ts'
export { type Finding, finding, findingCodes, hasErrors, type Path } from './definition/finding.ts'
export { definitionHash, hashText } from './definition/hash.ts'
export { publishedSchema, workflowJsonSchema } from './definition/json-schema.ts'
export { explainIssue, parseStrict } from './definition/parse/parse-strict.ts'
export { parseWorkflow } from './definition/parse/parse-workflow.ts'
export {
  readDefinitionText,
  type TextFormat,
  tooLargeFinding,
} from './definition/text/read-text.ts'
export { WorkflowDefinition } from './definition/workflow-schema.ts'
export { toDot } from './graph/dot.ts'
export { type Graph, processGraph, workflowGraph } from './graph/edges.ts'
export { toMermaid } from './graph/mermaid.ts'
export { brokenLink, type ChainedEntry, chainEntries, chainStart } from './history/chain.ts'
export { playStep } from './history/play-step.ts'
export { replay } from './history/replay.ts'
export {
  filesChanged,
  type Simulated,
  type SimulatedMove,
  simulatedAgent,
  simulatedOutcome,
  simulateMove,
  simulateStart,
} from './history/simulation.ts'
export type { RecordedStep } from './history/steps.ts'
export { takeUp } from './history/take-up.ts'
export { type Verified, verify } from './history/verify.ts'
export { definitionIn } from './library/compile.ts'
export { compileWorkflow } from './machine/compile-workflow.ts'
export type { Machine, MachineEvidence, Program } from './machine/machine.ts'
export { compileProgram, type Definition } from './machine/program.ts'
export {
  type BudgetCounter,
  budgetUsage,
  chargeBudget,
  emptyBudget,
  reserveBudget,
  settleBudget,
} from './policy/budgets.ts'
export { modelCapability } from './policy/capability.ts'
export {
  type CompiledPolicy,
  compilePolicy,
  type MatchedRule,
  type PolicyAnswer,
  policyOwner,
} from './policy/compile-policy.ts'
export {
  type CounterScope,
  callKeyOf,
  counterKey,
  defaultReservationMs,
} from './policy/counter-keys.ts'
export {
  type CallCapabilities,
  countersFor,
  limitedRules,
} from './policy/evaluate-policy.ts'
export { joinAnswers } from './policy/join.ts'
export { toMicros } from './policy/money.ts'
export { Policy } from './policy/policy-schema.ts'
export type { BudgetTake, CounterTake, CounterUsage, Period, UsageFacts } from './policy/usage.ts'
export { processJsonSchema } from './process/json-schema.ts'
export { parseProcess } from './process/parse-process.ts'
export { ProcessDefinition } from './process/process-schema.ts'
export type { ProofAnswer } from './prove/answer.ts'
export type { StandingAnswer } from './prove/answer-standing.ts'
export { Claim, claimText } from './prove/claim.ts'
export type { Counterexample } from './prove/counterexample.ts'
export { type Move as ProofMove, playMove } from './prove/moves.ts'
export { type Prover, proverOf } from './prove/prove.ts'
export { standingClaims } from './prove/standing.ts'
export { durationText } from './prove/waiting.ts'
export { provableFacts } from './reduce/evidence.ts'
export { marksSetBy } from './reduce/note-call.ts'
export { reduceRun } from './reduce/reduce-run.ts'
export { startRun } from './reduce/start.ts'
export { readsTask } from './reduce/task.ts'
export { lineOf, programOf } from './replay/call-line.ts'
export type { ReplayGroup } from './replay/groups.ts'
export { redacted, type StoredTexts } from './replay/known-call.ts'
export { ObedientAgent, type TranscribedCall } from './replay/obedient.ts'
export { type PlayedStep, RulesOfRuns, RunPlayer } from './replay/play-run.ts'
export type { ChangedRules } from './replay/readings.ts'
export { type CountedRun, Recount } from './replay/recount.ts'
export type { DifferenceKind, ReplayedCall } from './replay/replayed-call.ts'
export {
  type Divergence,
  openReport,
  outcomeOfReport,
  type ReplayNote,
  type ReplayReport,
  type ReportCounter,
} from './replay/report.ts'
export {
  isInVisit,
  machineOfCaller,
  machinesFor,
  stateOfCaller,
} from './run/choose-lane.ts'
export { type ConditionFacts, callFacts } from './run/condition-values.ts'
export type { Decision } from './run/decision.ts'
export { engine, engineOf } from './run/engine.ts'
export type { Entry, GuardReading, ShownReading } from './run/entries.ts'
export type { Actor, DigestFacts, RunEvent, RunStarted } from './run/events.ts'
export { lanesOf } from './run/lanes.ts'
export { type ObservedResult, readResult } from './run/read-result.ts'
export { routineToolNames, routineTools } from './run/routine-tools.ts'
export { asItIs, isAsItIs, type RunnerFacts, type RunPlan } from './run/run-plan.ts'
export {
  type FileDigests,
  hasEnded,
  isUnfinishedStatus,
  isUnguarded,
  type Lane,
  type RunSnapshot,
  type RunStatus,
  unfinishedStatuses,
} from './run/snapshot.ts'
export type { Answer, Refusal, Step, WayOn } from './run/step.ts'
export type { ExternalAnswer, ToolCall } from './run/tool-call.ts'
export type { Allowance, Verdict } from './run/verdict.ts'
export { analyzeArgv, analyzeShell } from './shell/analyze.ts'
export { splitCommandWords } from './shell/command-words.ts'
export { programTable, ShellConfig } from './shell/configured.ts'
export type { ShellFindings, Span } from './shell/findings.ts'
export { judgeShell, type ShellJudgement, type ShellReason } from './shell/judge.ts'
export { readShellPolicy } from './shell/policy.ts'
export type { ProgramEntry } from './shell/programs/entry.ts'
export type { ProgramTable } from './shell/programs/table.ts'
export { isOnlyReading } from './shell/questions.ts'
export type { ShellRules } from './shell/rules.ts'
export { brief } from './view/brief.ts'
export { consequences } from './view/consequences.ts'
export { explainCall } from './view/explain.ts'
export { type RunView, runView } from './view/run-view.ts'
export { type ShownEntry, shownEntry } from './view/shown-entry.ts'
export { stuckOn } from './view/stuck.ts'
