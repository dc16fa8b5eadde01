import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

let served: ServedSessions
beforeEach(() => {
  served = new ServedSessions()
})
afterEach(() => served.close())

const reading = {
  id: 'reading',
  initial: 'look',
  states: {
    look: { allowed_tools: ['Read', 'Grep'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

describe('post-tool hooks of a session', { timeout: 60_000 }, () => {
  const nothing = [
    ['a denied write', { tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } }],
    ['one of our own tools', { tool: 'statewright_get_state', arguments: {} }],
    ['an unknown tool', { tool: 'Frobnicate', arguments: {} }],
    ['arguments that cannot be read', { tool: 'write_file', arguments: 'broken' }],
    ['a path outside', { tool: 'write_file', arguments: { path: '/etc/x', content: 'x' } }],
    ['git_status', { tool: 'git_status', arguments: {} }],
  ] as const

  test.each(nothing)('SE-6: none follows %s', async (name, part) => {
    served.hooks({ name: 'auto_commit', command: ['/bin/sh', '-c', 'exit 1'] })
    await served.open()
    await served.ask('PUT', '/api/workflows/reading', reading)
    const bound = name === 'a denied write' || name === 'one of our own tools'
    const id = await served.start(
      [[part], [{ text: 'Done.' }]],
      bound ? { workflow: 'reading' } : {},
    )
    await served.say(id)
    await served.until(id, 'ready', 'error')
    const { kind, state, conversation } = await served.session(id)
    expect([kind, state.hookRuns]).toEqual(['ready', []])
    expect(conversation.at(-1)).toMatchObject({ role: 'assistant', content: 'Done.' })
  })

  test('SE-6: one follows what was written, though other calls of the batch were refused', async () => {
    served.hooks({ name: 'note', command: ['/bin/sh', '-c', 'echo seen >> hooked.txt'] })
    await served.open()
    const id = await served.start([
      [
        { tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } },
        { tool: 'edit_file', arguments: { path: 'no.txt', old_string: 'a', new_string: 'b' } },
      ],
      [{ text: 'Done.' }],
    ])
    await served.say(id)
    await served.until(id, 'ready', 'error')
    const { state } = await served.session(id)
    expect(state.hookRuns).toMatchObject([{ hookName: 'note', status: 'succeeded' }])
  })
})
