import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claudeCodeHarness } from '../../packages/server/src/orchestrator/harness/claude-code.ts'
import {
  askHarness,
  requestOf,
} from '../../packages/server/src/orchestrator/harness/harness.test-kit.ts'
import type { HarnessPart, HarnessSession } from '../../packages/server/src/orchestrator/ports.ts'
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

async function start(
  script: readonly Turn[],
  program: string = claudeProgram,
): Promise<HarnessSession> {
  model = await startFakeModel(script)
  const harness = claudeCodeHarness({
    program,
    variables: claudeEnvironment(guarded.home, model),
  })
  return guarded.start(harness)
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

describe.skipIf(!isTried)('a session of the real Claude Code', limits, () => {
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
    expect(parts[0]).toEqual({ type: 'text_delta', payload: { text: 'I write.' } })
    expect(parts.at(-1)).toMatchObject({
      type: 'completed',
      payload: { inputTokens: 30, outputTokens: 30, costUsd: expect.any(Number) },
    })
    expect(await guarded.decided()).toEqual(['Write allow', 'Write self_protection'])
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Phase: planning.')
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('self_protection')
  })

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

  test('SE-11: it is offered our own tools, which judge themselves', async () => {
    const tool = 'mcp__statewright__statewright_transition'
    const agent = await start([[{ tool, input: { event: 'READY' } }], [{ text: 'Done.' }]])
    expect(calls(await askHarness(agent, go))).toEqual([`${tool} ok`])
    expect(await guarded.state()).toBe('writing')
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('writing')
    expect(await guarded.decided()).toEqual([])
  })

  test('SE-7: stop ends it with everything it started', async () => {
    const id = `agent-child-${process.pid}-${Date.now()}`
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
    expect(running(claudeProgram).filter((pid) => homeOf(pid) === guarded.home)).toEqual([])
    expect(guarded.exits).toEqual([])
  })

  test('SE-11: hooks that settings switch off go on holding the session', async () => {
    for (const folder of [guarded.work, guarded.home]) mkdirSync(join(folder, '.claude'))
    const off = JSON.stringify({ disableAllHooks: true })
    writeFileSync(join(guarded.home, '.claude', 'settings.json'), off)
    writeFileSync(join(guarded.work, '.claude', 'settings.json'), off)
    writeFileSync(join(guarded.work, '.claude', 'settings.local.json'), off)
    const agent = await start([() => [write('forbidden.txt')], [{ text: 'Done.' }]])
    expect(calls(await askHarness(agent, go))).toEqual(['Write error'])
    expect(existsSync(guarded.forbidden)).toBe(false)
  })

  test('SE-12b: a client that runs a tool past its hooks is ended at once', async () => {
    // As if a version of the client no longer took our settings.
    const program = join(guarded.home, 'claude-without-settings')
    const lines = [
      '#!/bin/bash',
      'given=()',
      'while (($#)); do',
      '  if [[ $1 == --settings ]]; then shift 2; else given+=("$1"); shift; fi',
      'done',
      `exec ${claudeProgram} "\${given[@]}"`,
    ]
    writeFileSync(program, lines.join('\n'), { mode: 0o755 })
    const script = [() => [write('note.txt')], () => [write('forbidden.txt')], []]
    const parts = await askHarness(await start(script, program), go)
    expect(await guarded.decided()).toEqual([])
    expect(parts.at(-1)?.payload).toMatchObject({ code: 'unjudged_call', retryable: false })
    expect(existsSync(guarded.forbidden)).toBe(false)
  })

  test('SE-12: an end of the client by itself is told', async () => {
    await start([])
    const [pid] = running(claudeProgram).filter((one) => homeOf(one) === guarded.home)
    process.kill(Number(pid), 'SIGKILL')
    await expect.poll(() => guarded.exits).toEqual([null])
  })
})
