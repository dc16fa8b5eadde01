import type { ProgramFile } from './program-files.ts'
import type { QuestionRules } from './questions.ts'

/** A server that is started as a child and spoken to over its standard input and output. */
export interface StdioSpec extends QuestionRules {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Files of the project as a person accepted them: with others it is not started. */
  readonly files?: readonly ProgramFile[] | undefined
  readonly timeoutMs?: number | undefined
  readonly writes?: readonly WrittenPath[] | undefined
}

/** An argument of a tool that is a path which it writes. */
export interface WrittenPath {
  readonly tool: string
  readonly path: string
}

/** A server that is reached over Streamable HTTP. */
export interface HttpSpec extends QuestionRules {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs?: number | undefined
  readonly writes?: readonly WrittenPath[] | undefined
}

export type UpstreamSpec = StdioSpec | HttpSpec

export function isStdio(spec: UpstreamSpec): spec is StdioSpec {
  return 'command' in spec
}

/** Every bound on what an upstream server may cost us. */
export const upstreamLimits = {
  /** One message; a larger one ends the connection, since nothing after it can be trusted. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages at once, and how many more each second; beyond both it is taken for a flood. */
  messagesInARow: 5000,
  messagesPerSecond: 500,
  pendingRequests: 64,
  listPages: 64,
  /** Tools, resources or prompts of one server; the rest are not shown. */
  listed: 2000,
  /** JSON of one listed thing; a larger one is not shown. */
  listedBytes: 256 * 1024,
  connectMs: 20_000,
  /** How long a silent server is asked in the words of the new era before the old are tried. */
  probeMs: 5000,
  requestMs: 120_000,
  /** Standard error kept for a person who looks why a server does not start. */
  errorText: 4000,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
  /** A server that lived this long has started well: the next pause is short again. */
  steadyMs: 30_000,
  /** A child that was asked to end gets this long before it is killed. */
  graceMs: 2000,
} as const
