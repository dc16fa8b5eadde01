import { hash } from 'node:crypto'
import type { ReplayedCall, ReplayGroup, ReplayReport } from '@statewright/core/internal'
import { printable } from '../output/report.ts'
import { type SarifResult, type SarifRule, sarifText } from '../report/sarif.ts'
import type { ReportTitle } from './report-title.ts'
import { differenceWords, reasonOf } from './report-words.ts'

/** Each rule that would speak, with its first calls; what is undecided is only noted. */
export function sarifReport(
  report: ReplayReport,
  { rules: { file, lineOf } }: ReportTitle,
): string {
  const groups = [...report.rules, ...report.missing]
  const rules = new Map<string, SarifRule>()
  for (const group of groups) rules.set(idOf(group), { id: idOf(group), text: textOf(group) })
  const results = groups.flatMap((group) =>
    group.samples.map((call): SarifResult => {
      const line = call.path === undefined ? undefined : lineOf(call.path)
      return {
        ...{ rule: idOf(group), level: group.kind === undefined ? 'note' : 'warning' },
        message: messageOf(call),
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(call.path === undefined ? {} : { path: call.path }),
        fingerprint: hash('sha256', `${idOf(group)}\n${call.run}\n${call.index}`),
      }
    }),
  )
  return sarifText([...rules.values()], results)
}

function idOf({ name, kind }: ReplayGroup): string {
  return `${kind ?? 'undecided'}/${printable(name ?? 'others')}`
}

function textOf({ name, kind, count }: ReplayGroup): string {
  const calls = `${count} ${count === 1 ? 'call' : 'calls'}`
  if (kind === undefined) return `${calls} cannot be decided: ${printable(name ?? 'others')}`
  return `${calls} would be ${differenceWords[kind]} by ${printable(name ?? 'other rules')}`
}

function messageOf(call: ReplayedCall): string {
  const why = reasonOf(call)
  return printable(`${call.shown}${why === '' ? '' : `: ${why}`}`)
}
