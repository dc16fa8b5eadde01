import type { ReplayReport } from '@statewright/core/internal'
import { printJson } from '../command.ts'
import { markdownReport } from './markdown-report.ts'
import type { ReplayRules } from './rules.ts'
import { sarifReport } from './sarif-report.ts'
import { terminalReport } from './terminal-report.ts'

export type ReportFormat = 'terminal' | 'json' | 'markdown' | 'sarif'

/** What a report is about. */
export interface ReportTitle {
  readonly rules: Pick<ReplayRules, 'name' | 'file' | 'lineOf'>
  /** What was replayed, such as a client. */
  readonly source: string
  readonly folders?: readonly string[]
  readonly since: number
  /** What one run of it is called. */
  readonly unit: 'session' | 'run'
  /** So many of them were not looked at, since somebody stopped the replay. */
  readonly left: number
  /** What the reader has to know of such a replay. */
  readonly foot: readonly string[]
}

export function printReport(report: ReplayReport, format: ReportFormat, title: ReportTitle): void {
  if (format === 'json') printJson(jsonReport(report, title))
  else process.stdout.write(texts[format](report, title))
}

const texts = { terminal: terminalReport, markdown: markdownReport, sarif: sarifReport } as const

function jsonReport(report: ReplayReport, { rules, source, since, left }: ReportTitle): object {
  const from = since === 0 ? null : new Date(since).toISOString()
  return { under: rules.name, source, since: from, partial: left > 0, left, ...report }
}
