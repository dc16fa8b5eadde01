// The front door. Rooms in alphabetical order; inside a package nothing imports this file.

export { isJsonObject, type Json, type JsonObject } from './base/json.ts'
export { limits } from './base/limits.ts'
export { nearestNames } from './base/nearest.ts'
export { type Code, type CodeFacts, codes, type Problem, type Reason } from './base/problem.ts'
export { err, ok, type Result } from './base/result.ts'

export {
  type CheckOptions,
  checkDefinition,
  type DefinitionKind,
  type ParsedDefinition,
  parseDefinition,
} from './check/check-definition.ts'
export { checkProcess } from './check/check-process.ts'
export { checkWorkflow } from './check/check-workflow.ts'
export type { InvokedDefinition, KnownDefinitions } from './check/scene.ts'

export {
  defineWorkflow,
  type EventName,
  type GuardName,
  type StateName,
  type TypedWorkflow,
} from './definition/define-workflow.ts'
export {
  type Finding,
  type FindingCode,
  finding,
  findingCodes,
  hasErrors,
  type Path,
  type Severity,
} from './definition/finding.ts'
export { canonicalText, definitionHash, hashText } from './definition/hash.ts'
export { workflowJsonSchema } from './definition/json-schema.ts'
export type { Parsed, ParseOptions } from './definition/parse/parse-source.ts'
export { parseWorkflow } from './definition/parse/parse-workflow.ts'
export {
  readDefinitionText,
  type TextFormat,
  tooLargeFinding,
} from './definition/text/read-text.ts'
export { WorkflowDefinition } from './definition/workflow-schema.ts'

export { processJsonSchema } from './process/json-schema.ts'
export { parseProcess } from './process/parse-process.ts'
export { ProcessDefinition } from './process/process-schema.ts'
