import { type JsonOption, refuse } from '../command.ts'
import type { ReportFormat } from './print-report.ts'

export interface ReplayOptions extends JsonOption {
  readonly claudeCode?: true
  readonly codex?: true
  readonly gemini?: true
  readonly opencode?: true
  readonly transcripts?: string
  readonly since?: string
  readonly here?: true
  readonly limit?: string
  readonly template?: string
  readonly definition?: string
  readonly policy?: string
  readonly as?: string
  readonly runs?: string
  readonly reanalyse?: true
  readonly markdown?: true
  readonly sarif?: true
}

export const replayExits = { same: 0, different: 3, undecided: 5 } as const
export const stoppedExit = 130

export function formatOf({ json, markdown, sarif }: ReplayOptions): ReportFormat {
  const chosen = [json && 'json', markdown && 'markdown', sarif && 'sarif'] as const
  const [format = 'terminal', second] = chosen.filter((one) => one !== undefined)
  if (second === undefined) return format
  return refuse({
    code: 'usage',
    message: 'A report has one format.',
    where: `--${second}`,
    next: 'leave out all but one of --json, --markdown and --sarif.',
  })
}

/** The first Ctrl-C ends the reading and shows what was seen; the second one ends us. */
export function stopSign(): { isStopped(): boolean; close(): void } {
  let isStopped = false
  const onStop = () => {
    isStopped = true
  }
  process.once('SIGINT', onStop)
  return { isStopped: () => isStopped, close: () => process.removeListener('SIGINT', onStop) }
}
