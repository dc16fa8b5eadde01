// Writes the published JSON Schemas. A test compares them with the schemas in the code.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { configJsonSchema } from '../packages/server/src/config/schema.ts'

const folder = join(import.meta.dirname, '..', 'schema')
mkdirSync(folder, { recursive: true })
for (const [name, schema] of [
  ['workflow-schema.json', workflowJsonSchema()],
  ['process-schema.json', processJsonSchema()],
  ['config-schema.json', configJsonSchema()],
] as const) {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`)
  process.stdout.write(`schema/${name}\n`)
}
