import { writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { configuredPrograms } from '../../config/configured-programs.ts'
import { printable, reportProblem } from '../output/report.ts'
import { type SarifResult, sarifText } from '../report/sarif.ts'
import {
  type ClaimAnswer,
  claimJson,
  claimLine,
  counterexampleOf,
  countLine,
  exitOf,
} from './claim-lines.ts'
import { proveClaims, proverFor } from './scenario/claims.ts'
import { invalid, readProvable } from './scenario/read.ts'
import { type ScenarioHead, scenarioText, stepLines } from './scenario/write.ts'

interface ProveOptions {
  readonly json?: true
  readonly sarif?: true
  readonly write?: string
}

interface ProvedFile {
  readonly file: string
  readonly head: ScenarioHead
  readonly claims: readonly ClaimAnswer[]
}

/** `statewright workflow prove FILE…` searches definitions for what claims say never happens. */
export function proveFiles(paths: readonly string[], options: ProveOptions): void {
  const proved: ProvedFile[] = []
  let exit = 0
  for (const path of paths) {
    const one = proveFile(path)
    if (one.ok) proved.push(one.value)
    else exit = reportProblem(one.error)
  }
  const answers = proved.flatMap(({ claims }) => claims.map(({ answer }) => answer))
  if (options.write !== undefined) writeRefuted(options.write, proved)
  if (options.sarif === true) process.stdout.write(sarifOf(proved))
  else if (options.json === true) print(jsonOf(proved, exit === 0 && exitOf(answers) === 0))
  else {
    for (const one of proved) printFile(one)
    process.stderr.write(countLine(answers))
  }
  process.exitCode = exit !== 0 ? exit : exitOf(answers)
}

function print(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

function proveFile(path: string): Result<ProvedFile, Problem> {
  const read = readProvable(path)
  if (!read.ok) return read
  const root = dirname(resolve(path))
  const programs = configuredPrograms(root, process.env)
  if (!programs.ok) return programs
  const { file, path: named } = read.value
  const prover = proverFor(read.value, { root, programs: programs.value })
  const claims = proveClaims(read.value, prover)
  if (!claims.ok) return err(invalid(named, claims.error.message, claims.error.line, 1))
  const standing = prover.standing().map(({ claim, text, answer }): ClaimAnswer => {
    return { name: text, standing: claim, line: 1, answer }
  })
  const { definition, invokes, strict } = file
  return ok({
    file: named,
    head: { definition, invokes, strict },
    claims: [...claims.value, ...standing],
  })
}

function printFile({ file, head, claims }: ProvedFile): void {
  for (const { name, line, answer, standing } of claims) {
    process.stdout.write(claimLine(name, answer))
    const found = counterexampleOf(answer)
    if (found === undefined) continue
    const where = standing === undefined ? `${file}:${line}` : head.definition
    process.stdout.write(`  ${printable(where)}\n`)
    for (const step of stepLines(found)) process.stdout.write(`    ${printable(step)}\n`)
  }
  const assumes = new Set(
    claims.flatMap(({ answer }) => (answer.verdict === 'proved' ? answer.assumes : [])),
  )
  if (assumes.size > 0) process.stdout.write(`assumed: ${[...assumes].join('; ')}\n`)
}

/** Several definitions need several files: a scenario file speaks of one. */
function writeRefuted(target: string, proved: readonly ProvedFile[]): void {
  const texts = proved.flatMap(({ file, head, claims }) => {
    const refuted = claims.flatMap(({ name, answer }) => {
      const counterexample = answer.verdict === 'refuted' ? answer.counterexample : undefined
      return counterexample === undefined ? [] : [{ name, counterexample }]
    })
    if (refuted.length === 0) return []
    const from = (name: string) => relative(dirname(target), join(dirname(file), name))
    const definition = from(head.definition)
    return [scenarioText({ ...head, definition, invokes: head.invokes?.map(from) }, refuted)]
  })
  for (const [index, text] of texts.entries()) {
    writeFileSync(index === 0 ? target : target.replace(/(\.[a-z]+)?$/, `-${index + 1}$1`), text)
  }
}

function jsonOf(proved: readonly ProvedFile[], isWell: boolean): object {
  const files = proved.map(({ file, claims }) => ({
    file,
    claims: claims.map(claimJson),
  }))
  return { ok: isWell, files }
}

const rules = [
  { id: 'refuted', text: 'A claim about every run of a definition is refuted.' },
  { id: 'refuted_if', text: 'A claim is refuted if some conditions come out in a certain way.' },
  { id: 'not_decided', text: 'A claim could not be decided within the bounds of the search.' },
]

function sarifOf(proved: readonly ProvedFile[]): string {
  const results = proved.flatMap(({ file, claims }) =>
    claims.flatMap(({ name, line, answer }): SarifResult[] => {
      if (answer.verdict === 'proved') return []
      const { verdict } = answer
      const found = counterexampleOf(answer)
      const how = found === undefined ? [] : stepLines(found)
      const why = 'why' in answer && answer.why !== undefined ? [answer.why] : []
      const message = [`${verdict.replace('_', ' ')}: ${name}`, ...why, ...how].join('\n')
      const level = verdict === 'not_decided' ? 'warning' : 'error'
      return [{ rule: verdict, level, message, file, line, fingerprint: `${file} ${name}` }]
    }),
  )
  return sarifText(rules, results)
}
