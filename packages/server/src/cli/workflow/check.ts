import { hash } from 'node:crypto'
import {
  checkDefinition,
  compileWorkflow,
  type Finding,
  hasErrors,
  type InvokedDefinition,
  type ParsedDefinition,
  parseDefinition,
} from '@statewright/core/internal'
import { type DefinedFact, definedFacts } from '../../evidence/defining-files.ts'
import { isInside, projectRoot, realOf } from '../../home/folders.ts'
import { sourceFiles } from '../../templates/source-files.ts'
import { type DefinitionFile, readDefinitionFile } from '../definition/file.ts'
import { definedFactText } from '../output/defined-fact-text.ts'
import { forTerminal, printable, reportProblem, usesColour } from '../output/report.ts'
import { type SarifResult, sarifText } from '../report/sarif.ts'
import { historyContents } from './history-contents.ts'
import { isScenarioFile } from './scenario/read.ts'

interface CheckedFile {
  readonly file: string
  readonly kind?: 'workflow' | 'process'
  readonly name?: string
  readonly findings: readonly Finding[]
  /** Where the definition lies in the project in which it is checked (WF-31c). */
  readonly evidence?: readonly DefinedFact[]
  /** What its conditions put into the history of runs, where it was asked for (FC-16). */
  readonly history?: readonly string[]
}

interface CheckOptions {
  readonly strict?: true
  readonly json?: true
  readonly sarif?: true
  readonly verbose?: true
}

/** `statewright workflow check FILE…` */
export function checkFiles(paths: readonly string[], options: CheckOptions): void {
  const { files, exit } = withoutScenarios(readFiles(paths))
  const known = knownAmong(files)
  const checked = files.map((file) => checkFile(file, known, options.verbose === true))
  const findings = checked.flatMap((file) => file.findings)
  const isRefused = hasErrors(findings) || (options.strict === true && findings.length > 0)
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ ok: exit === 0 && !isRefused, files: checked })}\n`)
  } else if (options.sarif === true) {
    process.stdout.write(sarifOf(checked))
  } else {
    for (const file of checked) printFindings(file)
    for (const file of checked) printEvidence(file)
    for (const file of checked) printHistory(file)
    if (checked.length > 0) process.stderr.write(`${summary(checked)}\n`)
  }
  process.exitCode = exit !== 0 ? exit : isRefused ? 3 : 0
}

interface ReadFiles {
  readonly files: readonly DefinitionFile[]
  readonly exit: number
}

/** One file that cannot be read does not keep the others from being checked. */
function readFiles(paths: readonly string[]): ReadFiles {
  const files: DefinitionFile[] = []
  let exit = 0
  for (const path of paths) {
    const read = readDefinitionFile(path)
    if (read.ok) files.push(read.value)
    else exit = reportProblem(read.error)
  }
  return { files, exit }
}

/** Whoever writes *.yaml means the definitions; what lies beside them is played by `test`. */
function withoutScenarios({ files, exit }: ReadFiles): ReadFiles {
  const isPlayed = (file: DefinitionFile) => 'text' in file && isScenarioFile(file)
  const played = files.filter(isPlayed)
  const others = files.filter((file) => !isPlayed(file))
  let worst = exit
  for (const { file } of played) {
    if (others.length > 0) {
      const line = printable(`${file}: scenarios, which "statewright workflow test" plays.`)
      process.stderr.write(`${forTerminal(line)}\n`)
    } else {
      worst = reportProblem({
        code: 'definition_invalid',
        message: 'This is a scenario file; it is played, not checked.',
        where: file,
        next: `run "statewright workflow test ${file}".`,
      })
    }
  }
  return { files: others, exit: worst }
}

type FindDefinition = (name: string) => InvokedDefinition | undefined

/** Files that are checked together know each other's definitions. */
function knownAmong(files: readonly DefinitionFile[]): FindDefinition {
  const known = new Map<string, InvokedDefinition>()
  if (files.length > 1) {
    for (const file of files) {
      if (!('text' in file)) continue
      const parsed = parseDefinition(file.text, file)
      const name = nameOf(parsed)
      if (name === undefined) continue
      known.set(name, parsed.kind === 'workflow' ? { output: parsed.definition?.output } : {})
    }
  }
  return (name) => known.get(name)
}

/** The project that a definition lies in: elsewhere its patterns would be held against ours. */
function projectAround(file: string): string | undefined {
  const project = projectRoot(process.cwd())
  return isInside(realOf(file), project) ? project : undefined
}

function checkFile(file: DefinitionFile, known: FindDefinition, isVerbose: boolean): CheckedFile {
  if (!('text' in file)) return { file: file.file, findings: [file.fault] }
  const { format } = file
  const project = projectAround(file.file)
  const parsed = checkDefinition(file.text, {
    known,
    files: project === undefined ? [] : sourceFiles(project),
    ...(format === undefined ? {} : { format }),
  })
  const name = nameOf(parsed)
  const { kind, findings } = parsed
  const evidence = project === undefined ? [] : evidenceOf(parsed, project)
  return {
    file: file.file,
    kind,
    ...(name === undefined ? {} : { name }),
    findings,
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(isVerbose ? { history: historyOf(parsed) } : {}),
  }
}

function historyOf(parsed: ParsedDefinition): readonly string[] {
  if (parsed.kind !== 'workflow' || parsed.definition === undefined) return []
  return historyContents(parsed.definition)
}

/** Which files say what the commands of its evidence do, those of known runners included. */
function evidenceOf(parsed: ParsedDefinition, project: string): DefinedFact[] {
  if (parsed.kind !== 'workflow' || parsed.definition === undefined) return []
  return definedFacts(compileWorkflow(parsed.definition).evidence.values(), project)
}

function nameOf(parsed: ParsedDefinition): string | undefined {
  return parsed.kind === 'workflow' ? parsed.definition?.id : parsed.definition?.name
}

/** Each finding beside its line, as services that review code show it. */
function sarifOf(checked: readonly CheckedFile[]): string {
  const results = checked.flatMap(({ file, findings }) =>
    findings.map(({ code, severity, message, path, line = 1, column = 1 }): SarifResult => {
      const where = path.join('.')
      const fingerprint = hash('sha256', `${file}\n${code}\n${where}\n${message}`)
      const position = { file, line, column, ...(where === '' ? {} : { path: where }) }
      return { rule: code, level: severity, message, ...position, fingerprint }
    }),
  )
  const ids = [...new Set(results.map(({ rule }) => rule))].sort()
  return sarifText(
    ids.map((id) => ({ id, text: `${sentenceCase(id.replaceAll('_', ' '))}.` })),
    results,
  )
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function printFindings({ file, findings }: CheckedFile): void {
  const paint = usesColour(process.stdout)
  for (const { line: row = 1, column = 1, severity, code, message } of findings) {
    const word = paint ? `\u001b[${severity === 'error' ? 31 : 33}m${severity}\u001b[0m` : severity
    const where = printable(`${file}:${row}:${column}`)
    const line = `${where} ${word} ${code} ${printable(message)}`
    process.stdout.write(`${forTerminal(line, process.stdout)}\n`)
  }
}

function printEvidence({ file, evidence = [] }: CheckedFile): void {
  for (const fact of evidence) {
    const line = printable(`${file}: evidence ${definedFactText(fact)}`)
    process.stderr.write(`${forTerminal(line)}\n`)
  }
}

function printHistory({ file, history = [] }: CheckedFile): void {
  for (const line of history) {
    process.stderr.write(`${printable(`${file}: history has ${line}`)}\n`)
  }
}

function summary(checked: readonly CheckedFile[]): string {
  const findings = checked.flatMap((file) => file.findings)
  const errors = findings.filter((one) => one.severity === 'error').length
  const pieces = [
    counted(checked.length, 'file'),
    counted(errors, 'error'),
    counted(findings.length - errors, 'warning'),
  ]
  return `${pieces.join(', ')}.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
