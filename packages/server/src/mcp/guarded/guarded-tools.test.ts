import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { save, start } from '../../../testing/runtime.ts'
import type { Caller } from '../../base/caller.ts'
import { findSandbox } from '../../sandbox/find-sandbox.ts'

const workflow = {
  id: 'guarded',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['Read', 'Grep'], on: { GO: 'working' } },
    working: {
      allowed_tools: ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob'],
      blocked_env: ['HOME'],
      env_overrides: { MODE: 'held' },
      on: { DONE: 'done' },
    },
    done: { type: 'final' },
  },
}

let world: FrontWorld
let folder: string

beforeAll(async () => {
  const sandbox = await findSandbox()
  const environment = { PATH: process.env.PATH, HOME: '/home/someone', KEY: 'secret' }
  const machine = { sandbox, environment }
  world = await openFrontWorld({ tools: true }, {}, environment, machine)
  folder = join(world.folder, 'work')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(world.folder, 'outside.txt'), 'not yours')
  symlinkSync(world.folder, join(folder, 'out'))
  await save(world.runtime, workflow)
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

async function connected() {
  const caller: Caller = newAgent()
  await start(world.runtime, caller, { workflow: 'guarded', workspace: folder })
  const client = await world.connect(caller)
  return async (name: string, args: object) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } })
    const [first] = content
    return { isError: isError === true, text: first?.type === 'text' ? first.text : '' }
  }
}

test('SH-12: files are changed, and a command has the environment of its state', async () => {
  const call = await connected()
  expect(await call('Read', { path: 'a.txt' })).toMatchObject({ isError: false })
  expect((await call('Write', { path: 'b.txt', content: 'x' })).text).toContain('tool_not_allowed')
  expect((await call('Bash', { command: 'touch c' })).isError).toBe(true)
  await call('statewright_transition', { event: 'GO' })
  expect((await call('Write', { path: 'b.txt', content: 'x\n' })).isError).toBe(false)
  const edit = { path: 'b.txt', old_string: 'x', new_string: 'y' }
  expect((await call('Edit', edit)).isError).toBe(false)
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('y\n')
  const read = 'echo "home=$HOME mode=$MODE key=$KEY"'
  expect((await call('Bash', { command: read })).text).toContain('env_blocked')
  // What cannot be read in the command finds nothing either.
  await call('Write', { path: 'look.sh', content: read })
  expect((await call('Bash', { command: 'sh look.sh' })).text).toBe('home= mode=held key=\n')
  expect((await call('Grep', { pattern: 'two' })).text).toContain('a.txt')
}, 60_000)

test.each([
  ['Read', { path: 'out/outside.txt' }],
  ['Read', { path: '../outside.txt' }],
  ['Write', { path: 'out/new.txt', content: 'x' }],
  ['Edit', { path: 'out/outside.txt', old_string: 'not', new_string: 'now' }],
])(
  '%s with %o does not leave the workspace',
  async (name, args) => {
    const call = await connected()
    await call('statewright_transition', { event: 'GO' })
    expect((await call(name, args)).isError).toBe(true)
    expect(readFileSync(join(world.folder, 'outside.txt'), 'utf8')).toBe('not yours')
  },
  60_000,
)
