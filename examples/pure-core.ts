// The pure core alone: no store, no clock, no ids. Run it: node examples/pure-core.ts
import { compile, decide, start } from '@statewright/core'

const compiled = compile(`
id: look
initial: reading
states:
  reading: { allowed_tools: [Read, Bash], on: { DONE: done } }
  done: { type: final }
`)
if (!compiled.ok) throw new Error(compiled.error[0]?.message)

const { snapshot } = start(compiled.value)
for (const command of ['git log -3', 'rm -rf build', 'grep x a.ts > hits.txt']) {
  const { kind, code = '' } = decide(compiled.value, snapshot, { tool: 'Bash', input: { command } })
  console.log(`${command}: ${kind} ${code}`.trim())
}
