import type { CodingClientName } from './clients.ts'

/** One session of a client as it wrote it down, sub-agents included. */
export interface TranscriptFile {
  readonly client: CodingClientName
  readonly path: string
  /** The client's own id of it. */
  readonly session: string
  /** What its sub-agents wrote into files of their own. */
  readonly agents?: readonly { readonly path: string; readonly agent: string }[]
  readonly startedAt?: number
  /** When something was last written to it. */
  readonly modifiedAt: number
  readonly bytes: number
  readonly cwd?: string
}

/** What a transcript tells, in words that all clients share. */
export type TranscriptEvent =
  | { readonly kind: 'prompt'; readonly at: number; readonly text: string }
  | TranscriptCall
  | TranscriptResult
  | { readonly kind: 'unreadable'; readonly line: number; readonly why: UnreadableWhy }

export interface TranscriptCall {
  readonly kind: 'call'
  readonly at: number
  readonly id: string
  readonly tool: string
  readonly server?: string
  readonly input: unknown
  readonly cwd?: string
  /** The sub-agent that made it. */
  readonly agent?: string
}

export interface TranscriptResult {
  readonly kind: 'result'
  readonly at: number
  readonly id: string
  /** Null where the transcript does not say. */
  readonly exit: 'success' | 'failure' | null
  readonly bytes: number
  /** Left out where it is too long to be kept. */
  readonly output?: string
  /** What a file held before the call, where the client wrote that down; null where it was new. */
  readonly before?: { readonly path: string; readonly text: string | null }
}

export type UnreadableWhy = 'not JSON' | 'too long' | 'cut off' | 'nested too deeply'

/** A file that is none of what a client writes, and why it was left alone. */
export interface SkippedFile {
  readonly path: string
  readonly why: 'a link' | 'not a file' | 'unreadable' | 'too many files'
}

export type FoundTranscript = { readonly file: TranscriptFile } | { readonly skipped: SkippedFile }

/** How one client's transcripts are found and read; nothing of them is changed. */
export interface TranscriptReader {
  readonly client: CodingClientName
  /** Where the client writes them. */
  folder(environment: Environment): string
  /** Those that were written to since then. */
  find(folder: string, since: number): AsyncIterable<FoundTranscript>
  read(file: TranscriptFile): AsyncIterable<TranscriptEvent>
}

export interface Environment {
  readonly home: string
  readonly variables: Readonly<Record<string, string | undefined>>
}
