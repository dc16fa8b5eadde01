import { existsSync } from 'node:fs'
import type { ReplayedCall, ReplayGroup, ReplayReport } from '@statewright/core/internal'
import { printable, usesColour } from '../output/report.ts'
import { shortPath } from '../output/short-path.ts'
import { terminalWidth } from '../output/table.ts'
import { dateTime } from '../output/times.ts'
import { wrapText } from '../output/wrap-text.ts'
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

/** An empty answer says how to get another one. */
const hint = ['Try another client, an earlier --since, or leave out --here and --limit.']
const shownInFull = 3
const maxRows = 12

/** As a person reads it: how much, of what, three calls in full, and what is left out. */
export function terminalReport(report: ReplayReport, title: ReportTitle): string {
  const pen = penFor(usesColour(process.stdout))
  // Longer lines are hard to read, however wide the terminal is.
  const width = Math.min(100, terminalWidth() ?? 100)
  const sections = [
    headOf(report, title, pen),
    totalsOf(report, pen),
    ...kinds.map((kind) => {
      const groups = report.rules.filter((group) => group.kind === kind)
      return groupsOf(`Would be ${differenceWords[kind]}, by rule`, groups, pen, width)
    }),
    tellingOf(report, pen, width),
    movesOf(report, title, pen),
    groupsOf('Undecided, by what is missing', report.missing, pen, width),
    notesOf(report, title, pen, width),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

interface Pen {
  bold(text: string): string
  red(text: string): string
  yellow(text: string): string
  green(text: string): string
  dim(text: string): string
}

function penFor(paints: boolean): Pen {
  const pen = (code: number) => (text: string) =>
    paints ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bold: pen(1), red: pen(31), yellow: pen(33), green: pen(32), dim: pen(2) }
}

function headOf({ runs, decisions }: ReplayReport, title: ReportTitle, pen: Pen): string[] {
  const { rules, source, since, unit, stopped } = title
  const from = since === 0 ? '' : ` since ${day(since)}`
  const what = `${counted(decisions, 'call')} in ${counted(runs, unit)} of ${source}${from}`
  const head = pen.bold(printable(`${rules.name}: ${what}`))
  return stopped === undefined ? [head] : [head, pen.yellow(stoppedWords(stopped.left, unit))]
}

function totalsOf(report: ReplayReport, pen: Pen): string[] {
  const { differences, same, undecided, decisions } = report
  if (decisions === 0) return ['Nothing was found to replay.', ...hint]
  const rows: [number, string, (text: string) => string][] = [
    [same, 'would go as they went', pen.green],
    [differences.newly_denied, 'would be denied', pen.red],
    [differences.newly_asked, 'would wait for a person', pen.yellow],
    [differences.newly_allowed, 'were denied and would be allowed', pen.yellow],
    [differences.no_longer_asked, 'would no longer wait for a person', pen.yellow],
    [undecided, 'cannot be decided', pen.dim],
  ]
  const shown = rows.filter(([count], index) => count > 0 || index < 2)
  const width = Math.max(...shown.map(([count]) => figure(count).length))
  return shown.map(([count, words, paint]) => {
    const text = `  ${figure(count).padStart(width)}  ${words}`
    return count === 0 ? text : paint(text)
  })
}

function groupsOf(
  title: string,
  groups: readonly ReplayGroup[],
  pen: Pen,
  width: number,
): string[] {
  if (groups.length === 0) return []
  const shown = groups.slice(0, maxRows)
  const counts = Math.max(...shown.map(({ count }) => figure(count).length))
  const names = Math.min(48, Math.max(...shown.map((group) => nameOf(group).length)))
  const rows = shown.map((group) => {
    const head = `  ${figure(group.count).padStart(counts)}  ${nameOf(group).padEnd(names)}  `
    return `${head}${programsOf(group)}`.slice(0, width).trimEnd()
  })
  const rest = groups.slice(maxRows).reduce((sum, { count }) => sum + count, 0)
  const more =
    rest === 0 ? [] : [`  ${figure(rest).padStart(counts)}  by ${groups.length - maxRows} more`]
  return [pen.bold(title), ...rows, ...more]
}

function nameOf({ name }: ReplayGroup): string {
  return printable(name ?? 'all others')
}

function tellingOf({ telling }: ReplayReport, pen: Pen, width: number): string[] {
  if (telling.length === 0) return []
  const shown = telling.slice(0, shownInFull)
  const title = shown.length === 1 ? 'The call' : `The ${words[shown.length]} most telling calls`
  return [
    pen.bold(title),
    ...shown.flatMap((call, index) => callLines(call, index + 1, pen, width)),
  ]
}

const words = ['', '', 'two', 'three']

function callLines(call: ReplayedCall, number: number, pen: Pen, width: number): string[] {
  const { shown, at, state, code, link, index } = call
  const inState = state === undefined ? '' : `, in ${state}`
  const where = link === undefined ? call.run : shortPath(link)
  const wrapped = (text: string) => wrapText(printable(text), width, '     ')
  return [
    `  ${number}. ${pen.red(printable(shown))}`,
    ...wrapped(`${code ?? 'undecided'}: ${reasonOf(call)}`),
    ...wrapped(`${dateTime(at)}${inState} · call ${index} of ${where}`).map(pen.dim),
  ]
}

function movesOf({ divergences }: ReplayReport, { unit }: ReportTitle, pen: Pen): string[] {
  const { total, notCompared, first } = divergences
  if (total === 0) return []
  const rows = first
    .slice(0, shownInFull)
    .map(({ run, index, expected, instead }) =>
      printable(`  ${run}, entry ${index}: ${expected}, now ${instead}`),
    )
  const rest = `  ${counted(notCompared, 'entry').replace('entrys', 'entries')} after not compared`
  return [pen.bold(`${counted(total, unit)} would take another path`), ...rows, rest]
}

function notesOf(
  { notes, decisions }: ReplayReport,
  { foot, folders = [] }: ReportTitle,
  pen: Pen,
  width: number,
): string[] {
  const counts = notes.map(({ text, count }) => `${text}: ${figure(count)}.`)
  const paths = [...new Set(folders)]
  const there = paths.filter((folder) => existsSync(folder))
  const gone = paths.filter((folder) => !existsSync(folder))
  const read = there.length === 0 ? [] : [`Read from ${there.map(shortPath).join(', ')}.`]
  const missing = gone.map((folder) => `${shortPath(folder)} does not exist.`)
  // Where nothing was replayed there is nothing to explain.
  const explained = decisions === 0 ? '' : foot.join(' ')
  const lines = [
    ...counts,
    explained,
    ...read,
    ...missing,
    'Nothing was executed, changed or sent.',
  ]
  return lines
    .filter((line) => line !== '')
    .flatMap((line) => wrapText(printable(line), width, '  '))
    .map(pen.dim)
}
