import type { JsonObject } from '../base/json.ts'
import type { DecisionKind, ReasonFacts } from '../base/problem.ts'
import type { Phrase } from '../base/text/phrase.ts'
import type { FileEdit } from '../call/edit-facts.ts'
import type { Resembles } from '../call/tool-names.ts'
import type { CounterTake } from '../policy/usage.ts'
import type { MailFacts } from '../process/mail.ts'
import type { ShellFindings } from '../shell/findings.ts'

/**
 * A tool call as it may be stored: its name, what it would do, and the hash of its arguments.
 * The raw input lies beside the history, so that redacting it never breaks replay (WF-34).
 */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  /** The MCP server it goes to, where it is known. */
  readonly server?: string
  /** The name under which our gateway lists it: rules may call it so (WF-6c). */
  readonly listed?: string
  /** It goes to our own server; only then are our tool names ours (WF-7). */
  readonly toUs?: boolean
  readonly argsHash: string
  /** Of a shell call that a person is asked about: a digest of the scripts that it names. */
  readonly scripts?: string
  /** Arguments that some condition names, without secrets (FC-3); null where none are known. */
  readonly args?: JsonObject | null
  /** Keyed hashes of texts among them, where a private fact is compared with them (FC-7). */
  readonly seals?: Readonly<Record<string, string>>
  /** Files that it reads, where a condition wants to know; null where the input does not tell. */
  readonly reads?: readonly string[] | null
  readonly edits?: readonly FileEdit[]
  /** What a shell call would do. A shell call without it is denied. */
  readonly shell?: ShellFindings
  /** Files that the command visibly changes, as real paths; else its own words for them count. */
  readonly shellFiles?: readonly string[]
  /** Files that it may read, where a condition wants to know; null where the text does not tell. */
  readonly shellReads?: readonly string[] | null
  /** The command runs in another directory than the root of the workspace. */
  readonly elsewhere?: boolean
  /** The client was told to run it in the background. */
  readonly background?: boolean
  /** The input of an edit, shell or mail tool could not be understood. */
  readonly unreadable?: Phrase
  readonly mail?: MailFacts
  /** No client is known to have a tool of this name, and its arguments are like these (WF-6e). */
  readonly resembles?: Resembles
  /** The client has no tools of its own for reading, so that a shell may serve (SH-10). */
  readonly readsByShell?: boolean
}

/** What a judge outside the run said of the call, with its reasons. */
export interface ExternalAnswer {
  readonly source: string
  /** Which version of the policy spoke, where it has versions (PO-1e). */
  readonly version?: number
  readonly kind: DecisionKind
  readonly reasons: readonly ReasonFacts[]
  /** For an ask: the rule, by a key that stays the same over versions of the policy. */
  readonly rule?: string
  /** Marks of its own that the call sets when it is let through (FC-8). */
  readonly marks?: readonly string[]
  /** Rates and budgets of its own that the call uses when it is let through. */
  readonly takes?: readonly CounterTake[]
}
