import type { Command } from 'commander'
import { addDefinitionCommands } from '../definition/commands.ts'
import { importFile } from './import.ts'
import { newWorkflow } from './new.ts'

export function addWorkflow(program: Command): void {
  const workflow = program
    .command('workflow')
    .description('check, draw, try and save workflows (and processes)')
  addDefinitionCommands(workflow, 'workflow')
  workflow
    .command('new')
    .description('write a definition and its scenarios from a template')
    .argument('[template]', 'its name; all are listed when left out')
    .option('--from <skill>', 'a SKILL.md instead: each of its steps becomes a state, in order')
    .option('--test <command>', 'the command that runs the tests; guessed when left out')
    .option('--json', 'print JSON')
    .addHelpText('after', newExamples)
    .action(newWorkflow)
  workflow
    .command('import')
    .description('import a workflow exported from statewright.ai, and list unknown fields')
    .argument('<file>', 'a JSON or YAML file')
    .option('--out <file>', 'write it there instead of printing it')
    .option('--json', 'print one JSON object that also lists unknown fields')
    .addHelpText('after', importExamples)
    .action(importFile)
}

const newExamples = `
Exit codes: 0 written, 3 a file already exists, 4 there is no such template.

Examples:
  statewright workflow new
  statewright workflow new tdd-feature --test "pytest -q"
  statewright workflow new --from .claude/skills/release/SKILL.md
`

const importExamples = `
Unknown fields are kept under meta.imported. Those that sound like restrictions
are listed as warnings one by one, since nothing else restricts the agent in
their place.

Exit codes: 0 valid, 3 errors are left, 4 the file cannot be read.

Example:
  statewright workflow import exported.json --out statewright/deploy.json
`
