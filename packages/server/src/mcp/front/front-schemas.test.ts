import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { ann } from '../../../testing/runtime.ts'
import { checkSource, saveDefinition } from '../../runtime/rules/definitions.ts'

const bank = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../../testing/peers/bank-server.ts', import.meta.url))],
}

let world: FrontWorld
beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { bank } })
}, 60_000)
afterAll(() => world.close())

const requiring = (require: string) => ({
  id: 'transfers',
  initial: 'working',
  calls: { mcp__bank__transfer: [{ require, message: 'No.' }] },
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
})

test.each([
  ['args.amount <= 5', []],
  ['args.amont <= 5', ['unknown_argument calls.mcp__bank__transfer.0.require']],
  ['args.amount == "5"', ['condition_type calls.mcp__bank__transfer.0.require']],
])(
  'FC-6: a condition is held against what the server says its tool takes: %s',
  async (text, expected) => {
    const { runtime } = world
    const source = requiring(text)
    const { findings } = await checkSource(runtime, source)
    expect(findings.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(expected)
    const saved = await saveDefinition(runtime, ann, source, {})
    expect(saved.ok && saved.value.findings).toEqual(findings)
  },
)
