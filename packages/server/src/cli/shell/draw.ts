import {
  type ShellFindings,
  type ShellJudgement,
  type Span,
  textOf,
  type Words,
} from '@statewright/core/internal'
import { printable } from '../output/report.ts'
import { wrapText } from '../output/wrap-text.ts'

interface Remark extends Span {
  readonly text: string
  readonly isReason: boolean
}

/** What it is drawn on. */
export interface Paper {
  readonly colour: boolean
  /** Infinity where nobody says: a pipe keeps each remark on one line. */
  readonly columns: number
}

/**
 * Draws what was found under the command: each part is underlined and named, reasons to deny
 * first. Parts of one line of the command stand below that line.
 */
export function drawFindings(
  findings: ShellFindings,
  judgement: ShellJudgement,
  paper: Paper,
): string {
  const remarks = [...reasonRemarks(judgement), ...findingRemarks(findings, judgement)]
  const lines: string[] = []
  let offset = 0
  for (const line of findings.command.split('\n')) {
    const end = offset + line.length
    lines.push(`  ${shown(line)}`)
    for (const remark of remarks) {
      const isHere = remark.start >= offset && remark.start <= end
      if (isHere) lines.push(...drawRemark(remark, offset, line, paper))
    }
    offset = end + 1
  }
  const verdict = verdicts[judgement.decision]
  return `${lines.join('\n')}\n\n${verdict}\n`
}

/** The answer in a word. */
export const verdicts = { allow: 'allowed', contain: 'contained', deny: 'denied' } as const

function drawRemark(remark: Remark, offset: number, line: string, paper: Paper): string[] {
  const from = remark.start - offset
  const to = Math.max(from + 1, Math.min(remark.end - offset, line.length))
  const mark = (remark.isReason ? '^' : '~').repeat(width(line.slice(from, to)) || 1)
  const pad = ' '.repeat(width(line.slice(0, from)) + 2)
  const text = printable(remark.text)
  const fits = pad.length + mark.length + 1 + text.length <= paper.columns
  const lines = fits
    ? [`${pad}${mark} ${text}`]
    : [`${pad}${mark}`, ...wrapText(text, paper.columns, textIndent)]
  return remark.isReason && paper.colour ? lines.map(red) : lines
}

const textIndent = '    '

function red(line: string): string {
  return `\u001b[31m${line}\u001b[0m`
}

function reasonRemarks({ reasons }: ShellJudgement): Remark[] {
  return reasons.map(({ start, end, code, message }) => ({
    start,
    end,
    text: `${code}: ${textOf(message)}`,
    isReason: true,
  }))
}

/** What was found besides the reasons, so that an allowed command can be understood as well. */
function findingRemarks(findings: ShellFindings, { reasons }: ShellJudgement): Remark[] {
  const remarks: Remark[] = []
  const add = (span: Span, words: Words) => {
    const text = textOf(words)
    const hasReason = reasons.some((one) => one.start === span.start && one.end === span.end)
    if (!hasReason) remarks.push({ start: span.start, end: span.end, text, isReason: false })
  }
  for (const one of findings.commands) add(one, `runs ${one.words[0] ?? 'a computed command'}`)
  for (const one of findings.writes) add(one, one.message)
  for (const one of findings.reads) add(one, `reads ${one.path ?? 'a computed file'}`)
  for (const one of findings.environment) add(one, one.message)
  for (const one of findings.background) add(one, one.message)
  for (const one of findings.unproven ?? []) add(one, one.message)
  for (const one of findings.reach ?? []) add(one, one.message)
  for (const one of findings.unknowns) add(one, one.message)
  return remarks
}

function shown(line: string): string {
  return printable(line.replaceAll('\t', ' '))
}

/** Columns as they are shown, since control characters are spelled out. */
function width(text: string): number {
  return shown(text).length
}
