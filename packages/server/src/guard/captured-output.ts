import { limits } from '@statewright/core/internal'
import { redactText } from '../base/redact.ts'
import { sha256 } from '../runtime/dispatch.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Blob } from '../store/store.ts'

/** The output of a call as it is kept beside the history, where its workflow wants it (WF-32). */
export function capturedOutput(
  { program }: LiveRun,
  callId: string,
  output: string | undefined,
): Blob | undefined {
  if (output === undefined || program.root.meta.capture_output !== true) return undefined
  const text = bothEnds(redactText(output))
  return { hash: sha256(text), callId, what: 'output', text: JSON.stringify(text) }
}

/** The beginning says what it was, the end how it came out. */
export function bothEnds(text: string, max: number = limits.toolResultLength): string {
  if (text.length <= max) return text
  const half = Math.floor(max / 2)
  const left = text.length - 2 * half
  const [head, tail] = [text.slice(0, half), text.slice(-half)]
  return `${head.toWellFormed()}\n[${left} characters left out]\n${tail.toWellFormed()}`
}
