import { end, mark, type Row, tryWriting, workflow } from './row.ts'

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

const keptOutput: Row = {
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

export const runRows: readonly Row[] = [paused, policyAfterEnd, closedAfterEnd, keptOutput]
