import type { ReplayReport } from '@statewright/core/internal'
import { wireReport } from '../../replays/wire-report.ts'
import { printJson } from '../command.ts'
import { markdownReport } from './markdown-report.ts'
import type { ReportTitle } from './report-title.ts'
import { sarifReport } from './sarif-report.ts'
import { terminalReport } from './terminal-report.ts'

export type ReportFormat = 'terminal' | 'json' | 'markdown' | 'sarif'

export function printReport(report: ReplayReport, format: ReportFormat, title: ReportTitle): void {
  if (format === 'json') printJson(jsonReport(report, title))
  else process.stdout.write(texts[format](report, title))
}

const texts = { terminal: terminalReport, markdown: markdownReport, sarif: sarifReport } as const

function jsonReport(report: ReplayReport, { rules, source, since, stopped }: ReportTitle): object {
  const from = since === 0 ? null : new Date(since).toISOString()
  const partial = stopped !== undefined
  return { under: rules.name, source, since: from, partial, ...wireReport(report) }
}
