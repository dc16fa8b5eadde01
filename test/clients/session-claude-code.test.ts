import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claudeCodeHarness } from '../../packages/server/src/orchestrator/harness/claude-code.ts'
import type { HarnessSession } from '../../packages/server/src/orchestrator/ports.ts'
import { askHarness, requestOf } from '../../packages/server/testing/harness.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { homeOf, running } from '../support/running.ts'
import { claudeEnvironment, claudeProgram, isClaudeInstalled } from './claude-client.ts'
import { isDriven } from './guarded-home.ts'
import { GuardedSession } from './guarded-session.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled(), isShort: true })

let guarded: GuardedSession
let model: FakeModel

beforeEach(() => {
  guarded = new GuardedSession()
})
afterEach(async () => {
  await guarded.close()
  await model.close()
})

/** What no API can ask for; sessions that a person starts are in `session-server.test.ts`. */
async function start(script: readonly Turn[]): Promise<HarnessSession> {
  model = await startFakeModel(script)
  const variables = claudeEnvironment(guarded.home, model)
  return guarded.start(claudeCodeHarness({ program: claudeProgram, variables }))
}

const go = requestOf([{ user: 'go' }])

const limits = { timeout: 90_000 }

describe.skipIf(!isTried)('a session of the real Claude Code', limits, () => {
  test('SE-12: the conversation goes on over turns, also after an abort', async () => {
    const agent = await start([
      [{ text: 'One.' }],
      [{ tool: 'Bash', input: { command: 'tail -f /dev/null' } }],
      [{ text: 'Three.' }],
    ])
    await askHarness(agent, go)
    const stop = new AbortController()
    const second = askHarness(agent, requestOf([{ user: 'two' }]), stop.signal)
    await expect.poll(() => guarded.decided(), { timeout: 20_000 }).toEqual(['Bash allow'])
    stop.abort()
    await second
    expect(guarded.exits).toEqual([])
    const after = requestOf([{ user: 'go' }, { assistant: 'One.' }, { user: 'three' }])
    const parts = await askHarness(agent, after)
    expect(parts.filter(({ type }) => type === 'text_delta')[0]?.payload).toEqual({
      text: 'Three.',
    })
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('One.')
  })

  test('SE-12: an end of the client by itself is told', async () => {
    await start([])
    const [pid] = running(claudeProgram).filter((one) => homeOf(one) === guarded.home)
    process.kill(Number(pid), 'SIGKILL')
    await expect.poll(() => guarded.exits).toEqual([null])
  })
})
