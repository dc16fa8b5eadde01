import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acpHarness } from '../../packages/server/src/orchestrator/harness/acp.ts'
import {
  askHarness,
  requestOf,
} from '../../packages/server/src/orchestrator/harness/harness.test-kit.ts'
import type { HarnessPart, HarnessSession } from '../../packages/server/src/orchestrator/ports.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { homeOf, running } from '../support/running.ts'
import { claudeEnvironment } from './claude-client.ts'
import { isDriven } from './guarded-home.ts'
import { GuardedSession } from './guarded-session.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/claude-acp/', import.meta.url))
const program = join(cache, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js')
const isTried = isDriven('ACP agent', { isInstalled: existsSync(program) })

let guarded: GuardedSession
let model: FakeModel

beforeEach(() => {
  guarded = new GuardedSession()
})
afterEach(async () => {
  await guarded.close()
  await model.close()
})

async function start(script: readonly Turn[]): Promise<HarnessSession> {
  model = await startFakeModel(script)
  const harness = acpHarness({
    variables: claudeEnvironment(guarded.home, model),
    agents: { tested: { argv: [process.execPath, program], variables: ['ANTHROPIC_', 'CLAUDE_'] } },
  })
  return guarded.start(harness, { agent: 'tested' })
}

const write = (name: string) => ({
  tool: 'Write',
  input: { file_path: join(guarded.work, name), content: 'written\n' },
})

const go = requestOf([{ user: 'go' }], { brief: '[STATEWRIGHT] Phase: planning.' })

const calls = (parts: readonly HarnessPart[]) =>
  parts
    .filter(({ type }) => type === 'tool_call_completed')
    .map(({ payload }) => `${payload.name} ${payload.isError === true ? 'error' : 'ok'}`)

const limits = { timeout: 90_000 }

describe.skipIf(!isTried)('a session of a real ACP agent', limits, () => {
  test('SE-11, SE-12: its calls are judged and told, and what is forbidden is denied', async () => {
    const agent = await start([
      () => [{ text: 'I write.' }, write('note.txt')],
      () => [write('forbidden.txt')],
      [{ text: 'Done.' }],
    ])
    const parts = await askHarness(agent, go)
    expect(existsSync(guarded.forbidden)).toBe(false)
    expect(readFileSync(join(guarded.work, 'note.txt'), 'utf8')).toBe('written\n')
    expect(calls(parts)).toEqual(['Write ok', 'Write error'])
    const words = parts.filter(({ type }) => type === 'text_delta')
    expect(words.map(({ payload }) => payload.text).join('')).toBe('I write.Done.')
    expect(parts.at(-1)).toMatchObject({ type: 'completed', payload: { finishReason: 'end_turn' } })
    expect(await guarded.decided()).toEqual(['Write allow', 'Write self_protection'])
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Phase: planning.')
  })

  test('SE-12b: a forbidden call that it makes without asking ends it', async () => {
    writeFileSync(guarded.forbidden, 'secret')
    const secret = { tool: 'Read', input: { file_path: guarded.forbidden } }
    const agent = await start([[secret], () => [write('later.txt')], [{ text: 'Done.' }]])
    const parts = await askHarness(agent, go)
    expect(calls(parts)).toEqual(['Read ok'])
    expect(parts.at(-1)?.payload).toMatchObject({ code: 'unjudged_call', retryable: false })
    expect(existsSync(join(guarded.work, 'later.txt'))).toBe(false)
  })

  test('SE-11: it is offered our own tools, which judge themselves', async () => {
    const agent = await start([
      // The server has a name of its own in each session, and tools are offered when asked for.
      ({ messages, tools }) => {
        const listed = [...tools.map(({ name }) => name), JSON.stringify(messages)].join(' ')
        const tool = /mcp__statewright_[0-9a-f]+__statewright_transition/.exec(listed)?.[0] ?? ''
        return [{ tool, input: { event: 'READY' } }]
      },
      [{ text: 'Done.' }],
    ])
    await askHarness(agent, go)
    expect(await guarded.state()).toBe('writing')
    expect(await guarded.decided()).toEqual([])
  })

  test('SE-7: stop ends it with everything it started', async () => {
    const id = `acp-child-${process.pid}-${Date.now()}`
    const child = `exec -a ${id} sleep 300`
    const command = `bash -c '${child}' & setsid bash -c '${child}' & ${child}`
    const agent = await start([[{ tool: 'Bash', input: { command } }]])
    const stop = new AbortController()
    const turn = askHarness(agent, go, stop.signal)
    await expect.poll(() => running(id).length, { timeout: 60_000 }).toBe(3)
    const code = agent.stop()
    stop.abort()
    await turn
    await code
    expect(running(id)).toEqual([])
    expect(running('').filter((pid) => homeOf(pid) === guarded.home)).toEqual([])
    expect(guarded.exits).toEqual([])
  })
})
