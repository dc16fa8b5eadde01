// Guard an agent loop of your own, without a server. Run it: node examples/embedded.ts
import { defineWorkflow } from '@statewright/core'
import { createStatewright } from 'statewright/sdk'

const bugfix = defineWorkflow({
  id: 'bugfix',
  initial: 'planning',
  context: { cause: null },
  states: {
    planning: { allowed_tools: ['Read', 'Grep'], on: { FOUND: 'fixing' } },
    fixing: { allowed_tools: ['Read', 'Edit'], max_edit_lines: 20, on: { FIXED: 'done' } },
    done: { type: 'final' },
  },
})

const statewright = await createStatewright()
const run = await statewright.start({ definition: bugfix })

const edit = {
  tool: 'Edit',
  input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
}

// Too early: the decision says why, what is allowed now, and the way on.
const tooEarly = await run.check(edit)
console.log(tooEarly.decision, tooEarly.text)

await run.transition('FOUND', { cause: 'line 42' })
const allowed = await run.check(edit)
console.log(allowed.decision)
if (allowed.decision === 'allow') {
  // … make the edit here, then say what became of it.
  await run.finish({ callId: allowed.callId, exit: 'success' })
}
console.log((await run.state()).brief)
await statewright.close()
