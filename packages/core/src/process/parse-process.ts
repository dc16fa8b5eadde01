import { noChoices } from '../definition/parse/issues.ts'
import {
  type Grammar,
  type Parsed,
  type ParseOptions,
  parseSource,
  readSource,
} from '../definition/parse/parse-source.ts'
import { settleFindings } from '../definition/parse/settle-findings.ts'
import { ProcessDefinition } from './process-schema.ts'

export const processGrammar: Grammar<ProcessDefinition> = {
  schema: ProcessDefinition,
  choices: noChoices,
  findMore: () => [],
  normalise: (definition) => definition,
}

/** Parses a process from JSON or YAML text, or from a value, as strictly as a workflow (PR-1). */
export function parseProcess(
  input: unknown,
  options: ParseOptions = {},
): Parsed<ProcessDefinition> {
  const source = readSource(input, options)
  const parsed = parseSource(source, processGrammar)
  return { ...parsed, findings: settleFindings(parsed.findings, source) }
}
