import { processJsonSchema, workflowJsonSchema } from '@statewright/core'
import { Argument, type Command } from 'commander'

export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of workflows or processes')
    .addArgument(new Argument('[kind]', 'which').choices(['workflow', 'process']))
    .option('--json', 'accepted for regularity: the schema always is JSON')
    .addHelpText('after', examples)
    .action(printSchema)
}

const examples = `
Examples:
  statewright schema > workflow-schema.json
  statewright schema process
`

function printSchema(kind: 'workflow' | 'process' = 'workflow'): void {
  const schema = kind === 'workflow' ? workflowJsonSchema() : processJsonSchema()
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`)
}
