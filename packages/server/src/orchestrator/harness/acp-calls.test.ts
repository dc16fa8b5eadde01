import { afterEach, expect, test } from 'vitest'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../../testing/runtime.ts'
import { allEntries } from '../../runtime/runs/read-run.ts'
import { AgentCalls } from '../broker/agent-calls.ts'
import { AcpCalls } from './acp-calls.ts'

let world: RuntimeWorld
afterEach(() => world.close())

async function begin() {
  world = await openRuntime()
  const states = { one: { allowed_tools: ['Bash'], on: { NEXT: 'two' } }, two: { type: 'final' } }
  await save(world.runtime, { id: 'reading', initial: 'one', states })
  const runId = await start(world.runtime, agent, { workflow: 'reading', session: 'sess_1' })
  const guard = new AgentCalls({
    guard: world.guard,
    caller: agent,
    sessionId: 'sess_1',
    projectPath: world.folder,
    signal: AbortSignal.timeout(20_000),
    costReported: async () => {},
  })
  const calls = new AcpCalls({ guard, onNotice: () => {} })
  const ask = (command: string) =>
    calls.permit({ toolCallId: 'call_1', kind: 'execute', rawInput: { command } })
  return { calls, ask, runId }
}

test('SE-12b: what an agent asks twice about one call is judged once', async () => {
  const { ask, runId } = await begin()
  expect(await ask('ls')).toMatchObject({ isAllowed: true })
  expect(await ask('ls')).toMatchObject({ isAllowed: true })
  const entries = await allEntries(world.runtime, runId)
  expect(entries.filter(({ entry }) => entry.type === 'call_decided')).toHaveLength(1)
})

test('SE-12b: what was let through with one input is not let through with another', async () => {
  const { ask } = await begin()
  expect(await ask('ls')).toMatchObject({ isAllowed: true })
  expect(await ask('rm -rf src')).toMatchObject({
    isAllowed: false,
    message: expect.stringContaining('shell_write'),
  })
})

test.each([
  ['ok', 'success'],
  ['Command did not complete within its 1s timeout and was moved to the background (ID: b)', null],
])('WF-31: a command of Claude Code that ends with %j is a %s', async (rawOutput, exit) => {
  const { calls, ask, runId } = await begin()
  await ask('ls')
  calls.read({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call_1',
    status: 'completed',
    rawOutput,
    _meta: { claudeCode: { toolName: 'Bash' } },
  })
  await calls.firstDenied()
  const entries = (await allEntries(world.runtime, runId)).map(({ entry }) => entry)
  expect(entries.at(-1)).toMatchObject({ type: 'call_finished', exit })
})
