import type { JsonObject } from '../base/json.ts'
import type { Phrase, Words } from '../base/text/phrase.ts'
import type { CompiledGlob } from '../call/glob.ts'
import type { ToolList } from '../call/tool-pattern.ts'
import type { Condition } from '../condition/condition.ts'
import type { CallRule, MachineFact, MachineMark } from '../condition/rules.ts'
import type { FieldGuard, Meta, SandboxMode } from '../definition/workflow-schema.ts'
import type { CapabilityPattern } from '../policy/capability.ts'
import type { CompiledPolicy } from '../policy/compile-policy.ts'
import type { BudgetTake } from '../policy/usage.ts'
import type { AnswerAction, EmailConfig } from '../process/process-schema.ts'
import type { ShellRules } from '../shell/rules.ts'

/**
 * A definition compiled once, so that deciding a call looks things up and computes nothing twice.
 * Workflows and processes become the same kind of machine (PR-2).
 */
export interface Machine {
  readonly kind: 'workflow' | 'process'
  readonly id: string
  readonly initial: string
  readonly states: ReadonlyMap<string, MachineState>
  readonly context: JsonObject
  readonly interrupts: readonly MachineInterrupt[]
  readonly evidence: ReadonlyMap<string, MachineEvidence>
  /** What results teach, what calls do for good, and what calls need (FC-1). */
  readonly facts: readonly MachineFact[]
  readonly marks: readonly MachineMark[]
  readonly calls: readonly CallRule[]
  readonly policy: CompiledPolicy | null
  /** What holds after the end of a run, where the author says so (WF-15a). */
  readonly afterEnd: 'policy' | 'closed' | null
  readonly output: readonly string[]
  /** Whether `requires_approval` parks the run (`approval_mode: "ui"`) or is only advice. */
  readonly approvalsWait: boolean
  readonly meta: Meta
  readonly initialPrompt: string | null
  /** What all its runs of a session may cost together (PR-9). */
  readonly sessionBudget: BudgetTake | null
  /** Capabilities that stay closed until a process is completed (PR-5a). */
  readonly gate: readonly CapabilityPattern[]
  readonly email: EmailConfig | null
  /** Tools of `/mcp/process` as the process names them; null for all (PR-7). */
  readonly routineTools: readonly string[] | null
}

export interface MachineState {
  readonly name: string
  readonly isFinal: boolean
  /** What reaching it means, for a final state. */
  readonly succeeds: boolean
  /** Null when the definition lists no tools: then any tool passes (WF-5). */
  readonly tools: ToolList | null
  /** The entries of `allowed_tools` as written, for people and agents. */
  readonly toolNames: readonly string[] | null
  readonly shell: ShellRules
  /** Reading may be done through a shell although the state allows none (SH-10). */
  readonly mayRead: boolean
  /** Files may be changed here, so shell writes count as edits (SH-7). */
  readonly mayWrite: boolean
  readonly instructions: string | null
  /** Model and effort for agents that we run ourselves (SE-12); null leaves it to the session. */
  readonly model: string | null
  readonly thinkingLevel: string | null
  readonly maxIterations: number
  readonly maxEditLines: number
  readonly maxFiles: number
  readonly contextBudgetBytes: number
  readonly safeNext: string | null
  readonly envOverrides: Readonly<Record<string, string>>
  /** Whether its shell calls need our sandbox; null leaves it to the configuration (SH-14). */
  readonly sandbox: SandboxMode | null
  /** What calls need here, besides what they need everywhere. */
  readonly calls: readonly CallRule[]
  readonly transitions: ReadonlyMap<string, MachineTransition>
  /** Whether some transition leads to `$return`: leaving such states keeps an interrupt (WF-29). */
  readonly offersReturn: boolean
  /** The checkpoint's question, in a process. */
  readonly question: string | null
}

export type MachineTransition = MoveTransition | InvokeMove | ForkMove | AnswerMove

export interface MoveTransition {
  readonly kind: 'move'
  readonly path: string
  /** A list of candidates was written, so that no match is `no_candidate`. */
  readonly isList: boolean
  readonly candidates: readonly MachineCandidate[]
}

export interface MachineCandidate {
  readonly path: string
  readonly target: string
  readonly guards: readonly MachineGuard[]
  readonly approval: { readonly message: Words; readonly timeoutMs: number | null } | null
}

export interface InvokeMove {
  readonly kind: 'invoke'
  readonly path: string
  readonly machine: string
  readonly onComplete: string
  readonly onFail: string | null
  readonly input: JsonObject
}

export interface ForkMove {
  readonly kind: 'fork'
  readonly path: string
  readonly join: 'all' | 'any'
  readonly branches: readonly MachineBranch[]
  readonly onComplete: string
  readonly onFail: string | null
}

export interface MachineBranch {
  readonly name: string
  readonly initial: string
  readonly terminal: string
}

export interface AnswerMove {
  readonly kind: 'answer'
  readonly path: string
  readonly next: string | null
  readonly action: AnswerAction | null
}

export type MachineGuard =
  | {
      readonly kind: 'field'
      readonly name: string
      readonly path: string
      readonly segments: readonly string[]
      readonly rule: FieldGuard
      /** What would make it pass, in words. */
      readonly wants: Phrase
    }
  | {
      readonly kind: 'evidence'
      readonly name: string
      readonly path: string
      readonly evidence: string
    }
  | {
      readonly kind: 'condition'
      readonly name: string
      readonly path: string
      readonly condition: Condition
    }
  /** The name leads nowhere. Checks refuse such a definition; should one slip in, it fails. */
  | { readonly kind: 'undefined'; readonly name: string; readonly path: string }

export interface MachineInterrupt {
  readonly name: string
  readonly path: string
  /** Files whose change fires it; null where calls alone do. */
  readonly pattern: string | null
  readonly matches: CompiledGlob | null
  readonly shell: boolean
  /** Tools whose calls fire it; null where files alone do. */
  readonly tools: ToolList | null
  readonly when: Condition | null
  readonly target: string
}

export interface MachineEvidence {
  readonly name: string
  readonly path: string
  readonly tool: string
  readonly capability: string
  /** The one simple command that proves it, in words; null when any call of the tool does. */
  readonly command: readonly string[] | null
  readonly wantsSuccess: boolean
  readonly staleAfter: readonly CompiledGlob[]
  readonly definedBy: readonly CompiledGlob[]
  /** Which files are looked at, in words: digests of evidence with the same ones are alike. */
  readonly files: string
  /** Both as they are written, for anyone who asks which files there can be. */
  readonly patterns: { readonly stale: readonly string[]; readonly defining: readonly string[] }
  /** Whether files of a known test runner count too; anyone who looks at files knows which. */
  readonly takesRunnerFiles: boolean
  readonly trustsReports: boolean
}

/** A definition with everything it invokes: what a run is bound to (WF-4). */
export interface Program {
  /** Of the root and everything that it invokes. */
  readonly hash: string
  /** Of the root alone, as saving it answers. */
  readonly rootHash: string
  readonly root: Machine
  readonly machines: ReadonlyMap<string, Machine>
}

export const returnTarget = '$return'
