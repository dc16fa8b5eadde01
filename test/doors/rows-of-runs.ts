import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deniedOr, end, mark, type Row, tryWriting, workflow } from './row.ts'

const paused: Row = {
  name: 'paused by a person',
  rules: 'WF-27',
  definition: ({ write }) => workflow([write.tool], {}, { meta: { locked: false } }),
  acts: () => [mark],
  async play(play) {
    await play.person.pause(play.agent.runId)
    return tryWriting(play, mark)
  },
}

/** A run that a person ends, and what holds of its definition from then on. */
const ended = (name: string, around: Row['definition']): Row => ({
  name,
  rules: 'WF-15a',
  definition: (door) => ({
    initial: 'working',
    states: { working: { allowed_tools: [door.write.tool], on: { DONE: 'done' } }, done: end },
    ...around(door),
  }),
  acts: () => [mark],
  async play(play) {
    await play.person.transition(play.agent.runId, 'DONE')
    return tryWriting(play, mark)
  },
})

const policyAfterEnd = ended('policy after the end', ({ write }) => ({
  after_end: 'policy',
  policy: { deny: [{ capability: write.capability }] },
}))

const closedAfterEnd = ended('closed after the end', () => ({ after_end: 'closed' }))

const capturedOutput: Row = {
  name: 'capture_output',
  rules: 'WF-32',
  definition: ({ write }) => workflow([write.tool], {}, { meta: { capture_output: true } }),
  acts: () => [mark],
  async play(play) {
    const { agent, person } = play
    const done = await tryWriting(play, mark)
    if (done !== 'ran') return done
    const entries = await person.history(agent.runId)
    const call = entries.find(({ type }) => type === 'call_decided')?.call_id ?? ''
    const output = await person.output(agent.runId, call)
    return output === undefined ? 'NOTHING KEPT' : 'kept'
  },
}

/** Whoever runs the tests, and however the configuration of their runner was changed. */
const runnerChanged: Row = {
  name: 'changed configuration of a test runner',
  rules: 'WF-31c',
  definition: () => ({
    initial: 'working',
    states: {
      working: {
        allowed_tools: ['Read', 'Edit', 'Bash'],
        on: { DONE: { target: 'done', guard: 'tested' } },
      },
      done: end,
    },
    guards: { tested: { evidence: 'tests' } },
    evidence: { tests: { tool: 'Bash', command: tests.shell, trust: 'reported' } },
  }),
  acts: () => [tests],
  async play({ agent, cell, person }) {
    writeFileSync(join(cell.project, 'vitest.config.ts'), 'export default {}\n')
    const outcome = await agent.act(tests)
    if (outcome.isDenied) return deniedOr(outcome, '')
    const failed = await person.transition(agent.runId, 'DONE').then(
      () => '',
      (error: Error) => error.message,
    )
    if (failed !== '') return failed.includes('evidence_missing') ? 'proves nothing' : failed
    const last = (await person.history(agent.runId)).at(-1)
    return last?.type === 'approval_opened' ? 'a person is asked' : `PASSED: ${last?.type}`
  },
}

const tests = { shell: 'node --version' }

export const runRows: readonly Row[] = [
  paused,
  policyAfterEnd,
  closedAfterEnd,
  capturedOutput,
  runnerChanged,
]
