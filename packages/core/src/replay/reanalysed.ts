import type { ToolRequested } from '../run/events.ts'
import { analyzeShell } from '../shell/analyze.ts'
import { redacted } from './known-call.ts'

/** The same call with its command read again; one that lost a secret stays as it was read. */
export function reanalysed(event: ToolRequested, workspace: string): ToolRequested {
  const { shell } = event.call
  if (shell === undefined || shell.command.includes(redacted)) return event
  const read = analyzeShell(shell.command, { workspace: { roots: [workspace], cwd: workspace } })
  return { ...event, call: { ...event.call, shell: read } }
}
