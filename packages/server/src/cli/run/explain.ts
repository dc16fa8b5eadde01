import {
  checkDefinition,
  compileProgram,
  type Decision,
  definitionIn,
  describeFor,
  err,
  explainCall,
  nearestNames,
  ok,
  type Problem,
  type Program,
  type Result,
} from '@statewright/core/internal'
import { configuredPrograms } from '../../config/configured-programs.ts'
import { type DefinedFact, factsOfCall } from '../../evidence/defining-files.ts'
import { readObjectOption } from '../command.ts'
import { readDefinitionFile } from '../definition/file.ts'
import { definedFactText } from '../output/defined-fact-text.ts'
import { forTerminal, printable, reportProblem } from '../output/report.ts'
import { wayText } from '../output/way-text.ts'

export interface ExplainOptions {
  readonly definition: string
  readonly state?: string
  readonly tool: string
  readonly input: string
  readonly context?: string
  readonly strict?: true
  readonly json?: true
}

/** `statewright run explain` against a definition file and a state. */
export function explain(options: ExplainOptions): void {
  const answered = answer(options)
  if (!answered.ok) {
    process.exitCode = reportProblem(answered.error)
    return
  }
  const { decision } = answered.value
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(wire(answered.value))}\n`
      : `${plain(answered.value, options.tool)}\n`,
  )
  process.exitCode = { allow: 0, ask: 5, deny: 3 }[decision.kind]
}

interface Explained {
  readonly decision: Decision
  readonly state: string
  readonly proves: readonly DefinedFact[]
}

function answer(options: ExplainOptions): Result<Explained, Problem> {
  const program = readProgram(options.definition)
  if (!program.ok) return program
  const state = readState(program.value, options)
  if (!state.ok) return state
  const input = readJson(options.input, '--input')
  if (!input.ok) return input
  const context = readObjectOption(options.context, '--context')
  if (!context.ok) return context
  const raw = { id: 'explain', tool: options.tool, input: input.value }
  const root = process.cwd()
  const programs = configuredPrograms(root, process.env)
  if (!programs.ok) return programs
  const call = describeFor(program.value, raw, { root, shell: { programs: programs.value } })
  const { decision } = explainCall({
    program: program.value,
    state: state.value,
    call,
    ...(context.value === undefined ? {} : { context: context.value }),
    ...(options.strict === true ? { strict: true } : {}),
  })
  const proves = factsOfCall(program.value.root, call, root)
  return ok({ decision, state: state.value, proves })
}

function readProgram(file: string): Result<Program, Problem> {
  const read = readDefinitionFile(file)
  if (!read.ok) return read
  const invalid: Problem = {
    code: 'definition_invalid',
    message: 'The definition has errors, so no call can be checked with it.',
    where: file,
    next: `run "statewright workflow check ${file}" to see them.`,
  }
  if (!('text' in read.value)) return err(invalid)
  const checked = checkDefinition(read.value.text, read.value)
  const definition = definitionIn(checked)
  if (definition === undefined) return err(invalid)
  const program = compileProgram(definition)
  if (program.ok) return program
  const message = program.error.map((finding) => finding.message).join(' ')
  const next = 'explain the invoked definition by itself, or start a run on the server.'
  return err({ code: 'unknown_workflow', message, where: file, next })
}

function readState(program: Program, options: ExplainOptions): Result<string, Problem> {
  const state = options.state ?? program.root.initial
  if (program.root.states.has(state)) return ok(state)
  const near = nearestNames(state, program.root.states.keys())
  const known = [...program.root.states.keys()].slice(0, 20).join(', ')
  return err({
    code: 'unknown_state',
    message: `${program.root.id} has no state "${state}".`,
    where: options.definition,
    next: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `its states: ${known}.`,
  })
}

function readJson(text: string, where: string): Result<unknown, Problem> {
  try {
    return ok(JSON.parse(text))
  } catch {
    const next = `write it as ${where} '{"command":"ls"}'.`
    return err({ code: 'usage', message: `${where} is not valid JSON.`, where, next })
  }
}

function wire({ decision, state, proves }: Explained): object {
  const { kind, code, message, reasons, allowedTools, events, way } = decision
  const contained = isContained(decision) ? { contained: true } : {}
  const names = { allowed_tools: allowedTools, events, way }
  return {
    decision: kind,
    state,
    code,
    message,
    reasons,
    ...names,
    ...contained,
    ...(proves.length === 0 ? {} : { proves }),
  }
}

/** Nobody knows what the command does, so that it runs where it can do no harm (SH-6). */
function isContained({ kind, plan }: Decision): boolean {
  return kind === 'allow' && plan.contain !== undefined
}

const words = { allow: 'allowed', ask: 'a person would be asked', deny: 'denied' } as const

function plain({ decision, state, proves }: Explained, tool: string): string {
  const how = isContained(decision) ? ', contained' : ''
  const lines = [`${words[decision.kind]}${how}: ${tool} in ${state}`]
  for (const { code, message, path } of decision.reasons) {
    lines.push(`  ${code}: ${message}${path === '' ? '' : ` (${path})`}`)
  }
  for (const fact of proves) lines.push(`  proves ${definedFactText(fact)}`)
  if (decision.events.length > 0) lines.push(`  events: ${wayText(decision.events)}`)
  if (decision.way !== undefined) lines.push(`  way to it: ${wayText(decision.way)}`)
  return lines.map((line) => forTerminal(printable(line), process.stdout)).join('\n')
}
