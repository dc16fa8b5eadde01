import { analyzeShell, judgeShell, type ShellFindings } from '@statewright/core/internal'
import { openRules } from './rules.ts'
import type { Outcome } from './runner.ts'

/** What the analysis let through although bash did more than it told. */
export interface Failure {
  readonly line: string
  readonly kind: 'program_missed' | 'file_written'
  readonly details: readonly string[]
}

/** How one line came out: a failure, or figures that show that the run could have failed. */
export interface Checked {
  readonly failure: Failure | null
  /** Every program that bash started is told, and rules that list them do not deny the line. */
  readonly isReportedAndAllowed: boolean
  readonly isReadOnlyAllowed: boolean
  /** Bash started something that is not told, but the line is denied. */
  readonly isMissedButDenied: boolean
}

/** Holds what bash did against what the analysis says of the same line. */
export function checkOutcome(outcome: Outcome): Checked {
  const { line } = outcome
  const findings = analyzeShell(line)
  const reported = reportedNames(findings)
  const ran = programsOf(outcome)
  // A script that the line has just written is a script by name: writing it is what is judged.
  const isOwnScript = outcome.files.length > 0 && scriptRunners.some((name) => reported.has(name))
  const isReported = (name: string): boolean =>
    isScriptOf(findings, name) ||
    reported.has(lastPart(name)) ||
    isOwnScript ||
    (name === 'sh' && reported.has('flock')) ||
    (lastPart(name) === 'home' && reported.has('~')) ||
    // `. ls` reads the recorder of that name, which then takes itself for the shell.
    (name === 'bash' && (reported.has('.') || reported.has('source')))
  const missed = [...new Set(ran.filter((name) => !isReported(name)))]
  // Exactly what is told is allowed, so whatever is not told would have been let through.
  const allowedCommands = findings.commands.flatMap(({ words: [name] }) => (name ? [[name]] : []))
  const byNames = judgeShell(findings, { ...openRules, allowedCommands }).decision
  const byReading = judgeShell(findings, { ...openRules, readOnly: true }).decision
  const isAllowed = byNames === 'allow' || byReading === 'allow'
  const failure = failureOf(outcome, missed, { isAllowed, isReadOnly: byReading === 'allow' })
  return {
    failure,
    isReportedAndAllowed: ran.length > 0 && missed.length === 0 && byNames !== 'deny',
    isReadOnlyAllowed: ran.length > 0 && byReading !== 'deny',
    isMissedButDenied: missed.length > 0 && !isAllowed,
  }
}

/** `sh ls` reads the file ls as a script, which here is the recorder of that name. */
function isScriptOf(findings: ShellFindings, name: string): boolean {
  return findings.commands.some(({ words: [shell, ...words] }) => {
    if (!/^(?:ba|da|rba)?sh$/.test(shell ?? '')) return false
    const front = words.slice(0, words.indexOf(name))
    return (
      words.includes(name) &&
      !front.some((word) => /^[-+]\w*c|^\w/.test(word ?? '') && word !== 'pipefail')
    )
  })
}

const scriptRunners = ['bash', 'sh', 'dash', 'source', '.']

function failureOf(
  { line, files }: Outcome,
  missed: readonly string[],
  { isAllowed, isReadOnly }: { isAllowed: boolean; isReadOnly: boolean },
): Failure | null {
  if (missed.length > 0 && isAllowed) return { line, kind: 'program_missed', details: missed }
  if (files.length > 0 && isReadOnly) return { line, kind: 'file_written', details: files }
  return null
}

function reportedNames(findings: ShellFindings): Set<string> {
  return new Set(findings.commands.flatMap(({ words: [name] }) => (name ? [lastPart(name)] : [])))
}

/** Programs that were recorded, and those that bash or a wrapper says it did not find. */
function programsOf({ programs, stderr }: Outcome): string[] {
  const unfound = [...stderr.matchAll(notFound)].map((match) =>
    (match[1] ?? match[2] ?? '').replaceAll('\\\\', '\\'),
  )
  return [...programs, ...unfound].filter((name) => isName(name))
}

/** Messages show control characters as escapes, which are not compared. */
function isName(name: string): boolean {
  return name !== '' && !isOwnAffair.has(name) && !/\\[a-z0-7]/.test(name)
}

/**
 * Names that appear without being written as a command, and do no harm: xargs without a command
 * starts echo, sh reads `time -p` as the program of that name, and bash 5.2 reads `$(coproc x)`
 * as a coprocess that runs a program called COPROC. A terminal that is not there is no program.
 */
const isOwnAffair: ReadonlySet<string> = new Set(['echo', 'time', 'COPROC', '/dev/tty'])

const notFound = new RegExp(
  [
    '^[^\\n]*?: exec: ([^\\n:]+): not found$',
    '^/sys/(?:env|nice|nohup|timeout|setsid|xargs|ionice): (?:failed to run command )?' +
      "[‘']?([^\\n‘’': ]+)[’']?: No such file or directory$",
  ].join('|'),
  'gm',
)

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
