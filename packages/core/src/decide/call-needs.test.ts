import { expect, test } from 'vitest'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import { compileProgram } from '../machine/program.ts'
import { describeFor } from './describe-call.ts'

function compiled(tool: string) {
  const parsed = parseWorkflow({
    id: 'notes',
    initial: 'working',
    calls: { [tool]: [{ require: 'size(args.text) < 100', message: 'A short note.' }] },
    states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  })
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error('it does not compile')
  return program.value
}

test.each(['mcp__notes__write', 'notes__write', 'write_note'])(
  'FC-13, WF-6c: a condition on %s gets its arguments, however the tool is named',
  (name) => {
    const input = { text: 'hello', other: 'left out' }
    const raw = { id: 'c', tool: 'write', server: 'notes', listed: 'write_note', input }
    const call = describeFor(compiled(name), raw, { root: '/srv/work' })
    expect(call.args).toEqual({ text: 'hello' })
  },
)
