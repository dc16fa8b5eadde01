import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    if (name === 'arguments that cannot be read') {
      expect(conversation.at(-2).content).toContain('The arguments are not valid JSON.')
    }
    expect(conversation.at(-1)).toMatchObject({ role: 'assistant', content: 'Done.' })
  })

  test('SE-6: one follows what was written beside calls that were refused', async () => {
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

  test('SE-15, SE-14: one that fails says why in its event and its error', async () => {
    const print = 'cat > got.json; echo WHY IT FAILED; exit 3'
    served.hooks({ name: 'check', command: ['/bin/sh', '-c', print] })
    await served.open()
    const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } }
    const id = await served.start([[write], [{ text: 'Done.' }]])
    await served.say(id)
    await served.until(id, 'error')
    const { state, lastError } = await served.session(id)
    expect(lastError).toEqual({
      code: 'hook_execution_failed',
      message:
        'Hook check failed with exit code 3: "WHY IT FAILED". ' +
        'Retry it, or send a message to continue without it.',
      retryable: true,
      source: 'hook',
    })
    expect(state.hookRuns).toMatchObject([{ exitCode: 3, output: 'WHY IT FAILED\n' }])
    expect(state.results).toMatchObject([{ content: 'Created a.txt.' }])
    const got = JSON.parse(readFileSync(join(served.project, 'got.json'), 'utf8'))
    expect(got.toolRuns).toMatchObject([{ toolName: 'write_file', arguments: { path: 'a.txt' } }])
    const events = await served.events(id)
    expect(events.filter(({ type }) => type === 'hook_lifecycle').at(-1)).toMatchObject({
      status: 'failed',
      exitCode: 3,
      output: 'WHY IT FAILED\n',
    })
  })

  test('SE-15: the file is read when a session starts', async () => {
    await served.open()
    const turns = [[{ tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } }]]
    served.hooks({ name: 'first', command: ['/bin/true'] })
    const id = await served.start(turns)
    served.hooks({ name: 'second' })
    const broken = await served.start(turns)
    await served.say(id)
    await expect
      .poll(async () => (await served.session(id)).state.hookRuns.length, { timeout: 20_000 })
      .toBe(1)
    expect(
      (await served.events(broken)).find(({ type }) => type === 'session_error'),
    ).toMatchObject({
      code: 'hook_config_invalid',
      message: 'hooks.json is not used: Hook 1 has no "command".',
    })
  })
})
