import { claudeCode } from './claude-code.ts'
import type { CodingClientName } from './clients.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import type { TranscriptReader } from './transcript.ts'

export const transcriptReaders: Readonly<Record<CodingClientName, TranscriptReader>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
}
