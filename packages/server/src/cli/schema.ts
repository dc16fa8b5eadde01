import { processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { Argument, type Command } from 'commander'
import { configJsonSchema } from '../config/schema.ts'

export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of workflows, processes or the configuration')
    .addArgument(new Argument('[kind]', 'which').choices(['workflow', 'process', 'config']))
    .option('--json', 'has no effect: the schema is always JSON')
    .addHelpText('after', examples)
    .action(printSchema)
}

const examples = `
Examples:
  statewright schema > workflow-schema.json
  statewright schema process
  statewright schema config
`

const schemas = {
  workflow: workflowJsonSchema,
  process: processJsonSchema,
  config: configJsonSchema,
} as const

function printSchema(kind: keyof typeof schemas = 'workflow'): void {
  process.stdout.write(`${JSON.stringify(schemas[kind](), null, 2)}\n`)
}
