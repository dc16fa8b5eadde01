import type { ReplayGroup, ReplayReport } from '@statewright/core/internal'
import { printable } from '../output/report.ts'
import { dateTime } from '../output/times.ts'
import type { ReportTitle } from './report-title.ts'
import {
  counted,
  day,
  differenceWords,
  figure,
  kinds,
  programsOf,
  reasonOf,
  stoppedWords,
} from './report-words.ts'

const maxRows = 20

/** For the text of a pull request. */
export function markdownReport(report: ReplayReport, title: ReportTitle): string {
  const { rules, source, since, unit, stopped, foot } = title
  const { runs, decisions, same, differences, undecided, divergences } = report
  const from = since === 0 ? '' : ` since ${day(since)}`
  const rows = kinds
    .filter((kind) => differences[kind] > 0)
    .map((kind) => `| would be ${differenceWords[kind]} | ${figure(differences[kind])} |`)
  const moves =
    divergences.total === 0
      ? []
      : [`| ${unit}s that would take another path | ${figure(divergences.total)} |`]
  const partial = stopped === undefined ? [] : [`**${stoppedWords(stopped.left, unit)}**`, '']
  return `${[
    `### Replay of \`${code(rules.name)}\``,
    '',
    `${counted(decisions, 'call')} in ${counted(runs, unit)} of ${text(source)}${from}.`,
    '',
    ...partial,
    '| calls | |',
    '|---|---:|',
    `| would go as they went | ${figure(same)} |`,
    ...rows,
    ...(undecided === 0 ? [] : [`| cannot be decided | ${figure(undecided)} |`]),
    ...moves,
    ...tableOf('Rule', report.rules),
    ...tableOf('Missing', report.missing),
    ...tellingOf(report),
    '',
    '<sub>',
    ...report.notes.map((note) => `${text(note.text)}: ${figure(note.count)}.`),
    ...foot,
    '</sub>',
  ].join('\n')}\n`
}

function tableOf(title: string, groups: readonly ReplayGroup[]): string[] {
  if (groups.length === 0) return []
  const rows = groups.slice(0, maxRows).map((group) => {
    const kind = group.kind === undefined ? '' : differenceWords[group.kind]
    const name = group.name === null ? 'all others' : `\`${code(group.name)}\``
    return `| ${name} | ${kind} | ${figure(group.count)} | ${text(programsOf(group))} |`
  })
  return ['', `| ${title} | | calls | programs |`, '|---|---|---:|---|', ...rows]
}

function tellingOf({ telling }: ReplayReport): string[] {
  if (telling.length === 0) return []
  const rows = telling.map((call) => {
    const inState = call.state === undefined ? '' : `, in \`${code(call.state)}\``
    const why = `${call.code ?? 'undecided'}, ${text(reasonOf(call))}`
    return `- \`${code(call.shown)}\` (${dateTime(call.at)}${inState}): ${why}`
  })
  return ['', '<details><summary>The most telling calls</summary>', '', ...rows, '', '</details>']
}

/** Within backquotes nothing but these has a meaning; a table would end at a bar. */
function code(words: string): string {
  return printable(words).replaceAll('`', 'ˋ').replaceAll('|', '\\|')
}

/** Words of others, so that none of them is taken for markup. */
function text(words: string): string {
  return printable(words).replaceAll(/[\\`*_{}[\]<>|#@~]/g, (mark) => `\\${mark}`)
}
