import { dirname, resolve } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { configuredPrograms } from '../../config/configured-programs.ts'
import { printable, reportProblem, usesColour } from '../output/report.ts'
import { claimJson, claimLine, countLine, exitOf } from './claim-lines.ts'
import { type ProvedClaim, proveClaims, proverFor } from './scenario/claims.ts'
import { type Played, playScenario } from './scenario/play.ts'
import { invalid, type ReadScenarios, readScenarios } from './scenario/read.ts'

interface TestedFile {
  readonly file: string
  readonly claims: readonly ProvedClaim[]
  readonly scenarios: readonly (Omit<Played, 'failed'> & {
    readonly line?: number
    readonly message?: string
  })[]
}

/** `statewright workflow test FILE…` plays scenario files, with no server. */
export function testFiles(paths: readonly string[], options: { readonly json?: true }): void {
  const tested: TestedFile[] = []
  let exit = 0
  for (const path of paths) {
    const played = testFile(path)
    if (played.ok) tested.push(played.value)
    // One file that cannot be read does not keep the others from being played.
    else exit = reportProblem(played.error)
  }
  const all = tested.flatMap((one) => one.scenarios)
  const failed = all.filter((one) => !one.ok).length
  const answers = tested.flatMap(({ claims }) => claims.map(({ answer }) => answer))
  const proved = exitOf(answers)
  if (options.json === true) {
    const isWell = exit === 0 && failed === 0 && proved === 0
    const files = tested.map((one) => ({ ...one, claims: one.claims.map(claimJson) }))
    process.stdout.write(`${JSON.stringify({ ok: isWell, files })}\n`)
  } else {
    for (const one of tested) printFile(one)
    if (all.length > 0) process.stderr.write(`${all.length} played, ${failed} failed.\n`)
    if (answers.length > 0) process.stderr.write(countLine(answers))
  }
  process.exitCode = exit !== 0 ? exit : failed > 0 ? 3 : proved
}

function testFile(path: string): Result<TestedFile, Problem> {
  const read = readScenarios(path)
  if (!read.ok) return read
  const root = dirname(resolve(path))
  const programs = configuredPrograms(root, process.env)
  if (!programs.ok) return programs
  const { file, program, lineOf } = read.value
  const options = { strict: file.strict === true, root, programs: programs.value }
  const scenarios = (file.scenarios ?? []).map((scenario, index) => {
    const { failed, ...played } = playScenario(program, scenario, options)
    if (failed === undefined) return played
    const line = lineOf(['scenarios', index, 'steps', failed.step, failed.key])
    return { ...played, line, message: failed.message }
  })
  const claims = claimsOf(path, read.value, { root, programs: programs.value })
  return claims.ok ? ok({ file: path, scenarios, claims: claims.value }) : claims
}

function claimsOf(
  path: string,
  read: ReadScenarios,
  options: Parameters<typeof proverFor>[1],
): Result<readonly ProvedClaim[], Problem> {
  if (read.file.claims === undefined) return ok([])
  const proved = proveClaims(read, proverFor(read, options))
  return proved.ok ? proved : err(invalid(path, proved.error.message, proved.error.line, 1))
}

function printFile({ file, scenarios, claims }: TestedFile): void {
  const paint = usesColour(process.stdout)
  for (const { name, ok, line, message } of scenarios) {
    const word = ok ? 'ok' : 'failed'
    const shown = paint ? `\u001b[${ok ? 32 : 31}m${word}\u001b[0m` : word
    const where = ok ? '' : ` ${file}:${line ?? 1} ${message ?? ''}`
    process.stdout.write(`${shown}  ${printable(name)}${printable(where)}\n`)
  }
  for (const { name, line, answer } of claims) {
    process.stdout.write(claimLine(name, answer))
    if (answer.verdict === 'proved') continue
    const how = `; "statewright workflow prove ${file}" shows how`
    process.stdout.write(`  ${file}:${line}${answer.verdict === 'not_decided' ? '' : how}.\n`)
  }
}
