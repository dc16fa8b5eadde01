import { WorkflowDefinition } from '../workflow-schema.ts'
import { aliasesUsedTwice, withoutAliases } from './env-aliases.ts'
import {
  type Grammar,
  type Parsed,
  type ParseOptions,
  parseSource,
  readSource,
} from './parse-source.ts'
import { settleFindings } from './settle-findings.ts'
import { workflowChoices } from './transition-shape.ts'

export const workflowGrammar: Grammar<WorkflowDefinition> = {
  schema: WorkflowDefinition,
  choices: workflowChoices,
  findMore: aliasesUsedTwice,
  normalise: withoutAliases,
}

/**
 * Parses a workflow from JSON or YAML text, or from a value. Unknown fields are errors: a misspelt
 * restriction must not vanish (WF-2). `checkWorkflow` looks at what the schema cannot see.
 */
export function parseWorkflow(
  input: unknown,
  options: ParseOptions = {},
): Parsed<WorkflowDefinition> {
  const source = readSource(input, options)
  const parsed = parseSource(source, workflowGrammar)
  return { ...parsed, findings: settleFindings(parsed.findings, source) }
}
