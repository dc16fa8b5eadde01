import { isJsonObject } from '../base/json.ts'
import { type Finding, finding, hasErrors } from '../definition/finding.ts'
import {
  type Parsed,
  type ParseOptions,
  parseSource,
  readSource,
} from '../definition/parse/parse-source.ts'
import { workflowGrammar } from '../definition/parse/parse-workflow.ts'
import { rawAt, rawMembers } from '../definition/parse/raw.ts'
import { settleFindings } from '../definition/parse/settle-findings.ts'
import { didYouMean, quote } from '../definition/parse/wording.ts'
import type { Source } from '../definition/text/source.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import { processGrammar } from '../process/parse-process.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'
import type { CheckFacts } from './check-context.ts'
import { checkProcess } from './check-process.ts'
import { checkWorkflow } from './check-workflow.ts'

export type DefinitionKind = 'workflow' | 'process'

/** A definition of either kind. `definition` is present when no finding is an error. */
export type ParsedDefinition =
  | ({ readonly kind: 'workflow' } & Parsed<WorkflowDefinition>)
  | ({ readonly kind: 'process' } & Parsed<ProcessDefinition>)

export interface CheckOptions extends ParseOptions, CheckFacts {
  /** Which kind it must be; found out by its shape when not told. */
  readonly kind?: DefinitionKind
}

/** Parses a text or value as the kind of definition it looks like. */
export function parseDefinition(input: unknown, options: CheckOptions = {}): ParsedDefinition {
  const source = readSource(input, options)
  const parsed = parseAs(source, options.kind ?? kindOf(source.value))
  return { ...parsed, findings: settleFindings(parsed.findings, source) }
}

/**
 * Parses and checks a definition: the one door for everything an author hands in. A definition with
 * errors is not handed on.
 */
export function checkDefinition(input: unknown, options: CheckOptions = {}): ParsedDefinition {
  const source = readSource(input, options)
  const parsed = parseAs(source, options.kind ?? kindOf(source.value))
  const more =
    parsed.definition === undefined ? rawInitial(source.value) : findMore(parsed, options)
  const findings = [...parsed.findings, ...more]
  const settled = settleFindings(findings, source)
  if (!hasErrors(findings)) return { ...parsed, findings: settled }
  return { kind: parsed.kind, findings: settled }
}

function parseAs(source: Source, kind: DefinitionKind): ParsedDefinition {
  return kind === 'workflow'
    ? { kind, ...parseSource(source, workflowGrammar) }
    : { kind, ...parseSource(source, processGrammar) }
}

function findMore(parsed: ParsedDefinition, facts: CheckFacts): Finding[] {
  if (parsed.definition === undefined) return []
  return parsed.kind === 'workflow'
    ? checkWorkflow(parsed.definition, facts)
    : checkProcess(parsed.definition)
}

/** Told beside errors of the shape, so that mending those does not bring up the next one. */
function rawInitial(value: unknown): Finding[] {
  const initial = rawAt(value, ['initial'])
  const states = rawAt(value, ['states'])
  if (typeof initial !== 'string' || !isJsonObject(states)) return []
  // A reserved name was taken out of what was read, and is told as such.
  if (Object.hasOwn(states, initial) || initial === '__proto__') return []
  const message = `There is no state ${quote(initial)}.${didYouMean(initial, Object.keys(states))}`
  return [finding('unknown_initial', ['initial'], message)]
}

/** A process has a name and asks questions; everything else is taken for a workflow. */
function kindOf(value: unknown): DefinitionKind {
  if (!isJsonObject(value)) return 'workflow'
  const asks = rawMembers(rawAt(value, ['states'])).some(
    ([, state]) =>
      rawAt(state, ['question']) !== undefined || rawAt(state, ['answers']) !== undefined,
  )
  return asks || ('name' in value && !('id' in value)) ? 'process' : 'workflow'
}
