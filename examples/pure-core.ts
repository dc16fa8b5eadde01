// The pure core alone: no store, no clock, no ids. Run it: node examples/pure-core.ts
import {
  checkDefinition,
  compileProgram,
  describeCall,
  reduceRun,
  startRun,
} from '@statewright/core'

const text = `
id: look
initial: reading
states:
  reading: { allowed_tools: [Read, Bash], on: { DONE: done } }
  done: { type: final }
`

const checked = checkDefinition(text)
if (checked.kind !== 'workflow' || checked.definition === undefined) throw new Error('see findings')
const program = compileProgram({ kind: 'workflow', definition: checked.definition })
if (!program.ok) throw new Error('an invoked workflow is missing')

const by = { kind: 'agent', id: 'a1' } as const
const started = startRun(program.value, { type: 'started', hash: program.value.hash, at: 0, by })
for (const command of ['git log -3', 'rm -rf build', 'grep x a.ts > hits.txt']) {
  const call = describeCall({ id: command, tool: 'Bash', input: { command } }, { root: '/project' })
  const { answer } = reduceRun(program.value, started.run, {
    type: 'tool_requested',
    call,
    at: 1,
    by,
    approvalId: 'p1',
    approvalExpiresAt: 300_000,
  })
  if (answer.type !== 'decided') throw new Error('a call is always decided')
  console.log(`${command}: ${answer.decision.kind} ${answer.decision.code ?? ''}`.trim())
}
