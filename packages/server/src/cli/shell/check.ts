import { createInterface } from 'node:readline'
import {
  analyzeShell,
  judgeShell,
  type ProgramTable,
  readShellPolicy,
  type ShellJudgement,
  type ShellReason,
  type ShellRules,
  textOf,
} from '@statewright/core/internal'
import { configuredPrograms } from '../../config/configured-programs.ts'
import { printable, reportProblem, usesColour } from '../output/report.ts'
import { drawFindings, type Paper, verdicts } from './draw.ts'

export interface ShellCheckOptions {
  readonly policy: string
  readonly explain?: true
  readonly json?: true
}

/** `statewright shell check COMMAND` */
export function checkCommand(command: string, options: ShellCheckOptions): void {
  const rules = rulesFrom(options.policy)
  if (typeof rules === 'string') {
    process.exitCode = reportProblem({
      code: 'usage',
      message: rules,
      where: '--policy',
      next: 'run "statewright shell check --help" to see what a policy may contain.',
    })
    return
  }
  const programs = configuredPrograms(process.cwd(), process.env)
  if (!programs.ok) {
    process.exitCode = reportProblem(programs.error)
    return
  }
  const findings = analyzeShell(command, { programs: programs.value })
  const judgement = judgeShell(findings, rules)
  if (options.json === true) {
    const answer = { ...answerOf(judgement), ...(options.explain ? { findings } : {}) }
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  } else if (options.explain === true) {
    process.stdout.write(drawFindings(findings, judgement, paper()))
  } else {
    process.stdout.write(`${plainAnswer(judgement)}\n`)
  }
  process.exitCode = judgement.decision === 'allow' ? 0 : 3
}

function paper(): Paper {
  const { columns = Number.POSITIVE_INFINITY } = process.stdout
  return { colour: usesColour(process.stdout), columns }
}

/** `statewright shell check` with JSON lines on stdin. A bad line is answered, not skipped. */
export async function checkLines(options: ShellCheckOptions): Promise<void> {
  const programs = configuredPrograms(process.cwd(), process.env)
  if (!programs.ok) {
    process.exitCode = reportProblem(programs.error)
    return
  }
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    process.stdout.write(`${JSON.stringify(answerLine(line, options, programs.value))}\n`)
  }
}

function answerLine(line: string, options: ShellCheckOptions, programs: ProgramTable): object {
  const read = parseLine(line)
  if (typeof read === 'string') return badLine(null, read)
  const { id = null, command, policy } = read
  if (typeof command !== 'string') return badLine(id, 'The line has no command.')
  const rules = policy === undefined ? rulesFrom(options.policy) : rulesOf(policy)
  if (typeof rules === 'string') return badLine(id, rules)
  return { id, ...answerOf(judgeShell(analyzeShell(command, { programs }), rules)) }
}

/** A line that cannot be read must not look like leave: it is denied, and the exit code says so. */
function badLine(id: unknown, message: string): object {
  process.exitCode = 2
  return { id, decision: 'deny', code: 'usage', reasons: [{ code: 'usage', message }] }
}

interface Line {
  readonly id?: unknown
  readonly command?: unknown
  readonly policy?: unknown
}

function parseLine(line: string): Line | string {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : 'The line is not a JSON object.'
  } catch {
    return 'The line is not JSON.'
  }
}

function rulesFrom(text: string): ShellRules | string {
  try {
    return rulesOf(JSON.parse(text))
  } catch {
    return 'The policy is not JSON.'
  }
}

function rulesOf(policy: unknown): ShellRules | string {
  const read = readShellPolicy(policy)
  return read.ok ? read.value : read.error
}

function answerOf({ decision, reasons }: ShellJudgement) {
  const code = reasons[0]?.code ?? null
  return { decision, code, reasons: reasons.map(shown) }
}

function shown(reason: ShellReason) {
  return { ...reason, message: textOf(reason.message) }
}

function plainAnswer({ decision, reasons }: ShellJudgement): string {
  if (decision === 'allow') return 'allowed'
  const lines = reasons.map(({ code, part, message }) => `  ${code}  ${part}  ${textOf(message)}`)
  return [verdicts[decision], ...lines.map(printable)].join('\n')
}
