import { ok } from '@statewright/core/internal'
import { z } from 'zod'
import { checkSource, saveDefinition, wireFinding } from '../../runtime/rules/definitions.ts'
import { FindingShape } from './shapes.ts'
import { Name, ownTool } from './tool.ts'

const Definition = z
  .union([z.string(), z.record(z.string(), z.json())])
  .describe('A workflow or process: an object, or its text as JSON or YAML.')

export const createWorkflow = ownTool({
  name: 'statewright_create_workflow',
  description:
    'Save a workflow. What an agent saves is a draft until a person accepts it; names that ' +
    'people rely on cannot be taken.',
  input: z.object({ name: Name, definition: Definition, overwrite: z.boolean().optional() }),
  output: z.looseObject({
    created: z.string(),
    version: z.number(),
    hash: z.string(),
    draft: z.boolean(),
    findings: z.array(FindingShape),
  }),
  async call({ runtime, caller }, { name, definition, overwrite }) {
    const saved = await saveDefinition(runtime, caller, definition, {
      name,
      ...(overwrite === undefined ? {} : { overwrite }),
    })
    if (!saved.ok) return saved
    const { version, hash, draft, findings } = saved.value
    return ok({ created: name, version, hash, draft, findings: findings.map(wireFinding) })
  },
})

export const validateWorkflow = ownTool({
  name: 'statewright_validate_workflow',
  description: 'Check a definition without saving it; findings say where and how to fix it.',
  input: z.object({ definition: Definition }),
  output: z.looseObject({ ok: z.boolean(), findings: z.array(FindingShape) }),
  isReading: true,
  async call({ runtime }, { definition }) {
    const checked = await checkSource(runtime, definition)
    return ok({
      ok: checked.definition !== undefined,
      findings: checked.findings.map(wireFinding),
    })
  },
})
