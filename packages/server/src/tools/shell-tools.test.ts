import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandLine, plainCommands, ToolBench, unheldCall } from '../../testing/tool-bench.ts'
import { createToolRunner } from '../orchestrator/tools/tool-runner.ts'
import { toolLimits } from './limits.ts'

let bench: ToolBench
beforeEach(() => {
  bench = new ToolBench()
})
afterEach(() => bench.close())

const runner = () => createToolRunner({ commandsFor: plainCommands(bench.environment) })

function request(name: string, args: Json, signal = new AbortController().signal) {
  const ids = { sessionId: 'sess_1', runId: 'toolrun_1', callId: 'call_1' }
  return { ...ids, name, arguments: args, projectPath: bench.root, open: unheldCall, signal }
}

describe('commands', () => {
  test('SE-4: a non-zero exit is a success with an error, no failure', async () => {
    const outcome = await runner().run(request('bash', { command: 'echo no; exit 3' }))
    expect(outcome).toEqual({ status: 'succeeded', output: 'exit_3: no\n', isError: true })
  })

  test('SE-10: they run in the workspace, and both outputs are read', async () => {
    const text = await bench.text('bash', { command: 'pwd; echo two >&2' })
    expect(text.trim().split('\n').sort()).toEqual([bench.root, 'two'])
    expect(await bench.text('run_command', { command: ['printf', '%s', '$HOME; x'] })).toBe(
      '$HOME; x',
    )
  })

  test('SE-4: what takes too long or does not start is a failure', async () => {
    const slow = { command: 'sleep 60', timeout_ms: 300 }
    expect(await runner().run(request('bash', slow))).toMatchObject({ status: 'failed' })
    const missing = { command: ['no-such-program'] }
    expect(await runner().run(request('run_command', missing))).toMatchObject({ status: 'failed' })
  })

  test('SE-10: they see only the variables that are on the list', async () => {
    process.env.STATEWRIGHT_TEST_SECRET = 'secret'
    const text = await bench.text('bash', { command: 'env' })
    delete process.env.STATEWRIGHT_TEST_SECRET
    expect(text).toContain(`HOME=${bench.around}`)
    expect(text).not.toContain('secret')
  })

  test('SE-10a: a start-up file of the workspace is not read', async () => {
    bench.put({ '.bashrc': 'echo startup', '.profile': 'echo startup' })
    const environment = { ...bench.environment, HOME: bench.root }
    expect(await bench.text('bash', { command: 'echo x' }, { environment })).toBe('x\n')
  })

  test('SE-10: of a gigabyte of output the beginning and the end are kept', async () => {
    const before = process.memoryUsage().rss
    const command = 'echo first; head -c 1073741824 /dev/zero | tr "\\0" x; echo; echo last'
    const text = await bench.text('bash', { command }, { timeoutMs: 170_000 })
    expect(text.startsWith('first\nxxx')).toBe(true)
    expect(text.endsWith('xxx\nlast\n')).toBe(true)
    expect(text.length).toBeLessThan(toolLimits.resultBytes + 100)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  }, 180_000)

  test('SE-7: hundreds of children that a command leaves behind end with it', async () => {
    const id = `leftover-${process.pid}-${Date.now()}`
    const command = [
      `for i in $(seq 150); do (exec -a ${id} sleep 300) & done`,
      `for i in $(seq 50); do setsid bash -c 'exec -a ${id} sleep 300' & done`,
      'sleep 0.2; echo started',
    ].join('\n')
    expect(await bench.text('bash', { command })).toContain('started')
    expect(running(id)).toEqual([])
  })

  test('SE-7: stop kills a command with its children and ends the run as canceled', async () => {
    const id = `stopped-${process.pid}-${Date.now()}`
    const stop = new AbortController()
    const command = `(exec -a ${id} sleep 300) & touch begun; exec -a ${id} sleep 300`
    const outcome = runner().run(request('bash', { command }, stop.signal))
    await expect.poll(() => readdirSync(bench.root)).toContain('begun')
    stop.abort()
    expect(await outcome).toEqual({ status: 'canceled' })
    expect(running(id)).toEqual([])
  })

  test('SE-8: a run that was stopped before it began is canceled', async () => {
    const signal = AbortSignal.abort()
    const outcome = await runner().run(request('bash', { command: 'touch x' }, signal))
    expect(outcome).toEqual({ status: 'canceled' })
    expect(readdirSync(bench.root)).toEqual([])
  })
})

describe('the tool runner', () => {
  test('SE-4: a tool that does not exist is news for the model', async () => {
    const outcome = await runner().run(request('teleport', {}))
    expect(outcome).toEqual({
      status: 'succeeded',
      output: 'unknown_tool: teleport',
      isError: true,
      changedNothing: true,
    })
  })

  test('SE-4: without its workspace no tool can be carried out', async () => {
    const lost = { ...request('list_files', {}), projectPath: join(bench.around, 'gone') }
    expect(await runner().run(lost)).toMatchObject({ status: 'failed' })
  })

  test('SE-10: a tool may take as long as it says, within bounds', () => {
    expect(runner().timeoutMs('bash', {})).toBe(300_000)
    expect(runner().timeoutMs('bash', { timeout_ms: 5 })).toBe(5)
    expect(runner().timeoutMs('bash', { timeout_ms: 1e12 })).toBe(toolLimits.longestTimeoutMs)
  })

  const table: readonly (readonly [string, string | undefined, boolean])[] = [
    ['read_file', undefined, false],
    ['list_files', undefined, false],
    ['grep', undefined, false],
    ['search', undefined, false],
    ['edit_file', undefined, true],
    ['write_file', undefined, true],
    ['apply_patch', undefined, true],
    ['git_status', undefined, false],
    ['git_diff', undefined, false],
    ['git_commit', undefined, true],
    ['git_checkout', undefined, true],
    ['git_apply', undefined, true],
    ['bash', 'cat x', false],
    ['bash', 'touch x', true],
    ['bash', undefined, true],
    ['fs__write', undefined, false],
  ]
  test.each(table)('SE-6, SE-10: %s %s is mutating: %s', (name, command, isMutating) => {
    const args = command === undefined ? {} : { command }
    expect(runner().isMutating(name, args)).toBe(isMutating)
  })

  test('SE-6: a program that only reads is not mutating', () => {
    expect(runner().isMutating('run_command', { command: ['grep', 'x', 'y'] })).toBe(false)
    expect(runner().isMutating('run_command', { command: ['npm', 'test'] })).toBe(true)
  })
})

/** Processes that go by a name. */
function running(name: string): string[] {
  return readdirSync('/proc').filter((pid) => commandLine(pid).startsWith(name))
}
