import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HookConfig, limits, type ToolRunRecord } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning, plainRunner } from '../../../testing/tool-bench.ts'
import { createHookRunner } from './hook-runner.ts'
import { readHooks } from './read-hooks.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-hooks-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const variables = { PATH: process.env.PATH, HOME: '/home/x', LANG: 'C', TOKEN: 'secret', CI: '1' }

const toolRuns: ToolRunRecord[] = [
  {
    runId: 'toolrun_1',
    callId: 'call_1',
    toolName: 'write_file',
    mutating: true,
    status: 'succeeded',
    startedAtMs: 1,
    finishedAtMs: 2,
    attempt: 1,
  },
]

function run(command: readonly string[], more: object = {}, signal?: AbortSignal) {
  const runner = createHookRunner({ runChild: plainRunner, variables })
  return runner.run({
    sessionId: 'sess_1',
    runId: 'hookrun_1',
    hook: HookConfig.parse({ name: 'tidy', command, ...more }),
    toolRuns,
    projectPath: folder,
    signal: signal ?? new AbortController().signal,
  })
}

const script = (text: string) => ['/bin/bash', '-c', text]

describe('a post-tool hook', () => {
  test('SE-15: runs in the workspace and sees PATH, HOME, LANG and what it may see', async () => {
    const outcome = await run(script('pwd; env | cut -d= -f1 | sort'), { env_allow: ['CI'] })
    expect(outcome.status).toBe('succeeded')
    const [directory, ...names] = outcome.output.trim().split('\n')
    expect(directory).toBe(folder)
    const bashsOwn = ['OLDPWD', 'PWD', 'SHLVL', '_', 'STATEWRIGHT_CALL']
    expect(names.filter((name) => !bashsOwn.includes(name))).toEqual(['CI', 'HOME', 'LANG', 'PATH'])
  })

  test('SE-6: gets the tool runs as JSON on standard input', async () => {
    await run(script('cat > got.json'))
    expect(JSON.parse(readFileSync(join(folder, 'got.json'), 'utf8'))).toEqual({
      sessionId: 'sess_1',
      hookRunId: 'hookrun_1',
      hookName: 'tidy',
      workspace: folder,
      toolRuns,
    })
  })

  test('SE-15: its output is captured and bounded', async () => {
    const outcome = await run(script('yes | head -c 10000000'))
    expect(outcome.status).toBe('succeeded')
    expect(outcome.output.length).toBeLessThan(limits.hookOutputLength + 100)
  })

  test('SE-6: a hook that ends badly or cannot start has failed', async () => {
    expect(await run(script('echo first; echo; echo no; exit 4'))).toEqual({
      status: 'failed',
      error: 'Hook tidy failed with exit code 4: "first\nno".',
      exitCode: 4,
      output: 'first\n\nno\n',
    })
    expect(await run(['/bin/false'])).toMatchObject({
      error: 'Hook tidy failed with exit code 1 and printed nothing.',
    })
    expect(await run(['/no/such/program'])).toEqual({
      status: 'failed',
      error: 'Hook tidy did not start: there is no program "/no/such/program" that may be run.',
      output: '',
    })
    expect(await run(['no-such-program'])).toMatchObject({
      error:
        'Hook tidy did not start: there is no program "no-such-program" in the PATH of the server.',
    })
  })

  test('SE-15: what it prints is kept without secrets', async () => {
    const key = `sk-ant-${'a1b2c3d4'.repeat(6)}`
    const { output, error } = await run(script(`echo key ${key}; exit 1`))
    expect(output).toContain('key ')
    expect(`${output}${error}`).not.toContain(key)
  })

  test('SE-15: a hook that never ends is killed, with what it started', async () => {
    const hanging = script('trap "" TERM; (sleep 300) & echo $! > pid; sleep 300')
    // On a busy machine a shell may take longer than this to begin.
    for (let ms = 700; !existsSync(join(folder, 'pid')); ms *= 2) {
      const outcome = await run(hanging, { timeout_ms: ms })
      expect(outcome).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(`${ms} ms`),
      })
    }
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    expect(isRunning(pid)).toBe(false)
  })

  test('SE-7: stop kills a running hook and marks it canceled', async () => {
    const stop = new AbortController()
    const running = run(script('sleep 300'), {}, stop.signal)
    setTimeout(() => stop.abort(), 100)
    expect(await running).toMatchObject({ status: 'canceled' })
  })
})

describe('hooks.json', () => {
  const put = (text: string) => writeFileSync(join(folder, 'hooks.json'), text)

  test('SE-15: missing means off', () => {
    expect(readHooks(folder)).toEqual({ ok: true, value: [] })
  })

  test('SE-15: is read with the defaults of the seed', () => {
    put('{"hooks":[{"name":"auto_commit","command":["git","commit","-am","x"]}]}')
    expect(readHooks(folder)).toEqual({
      ok: true,
      value: [
        {
          name: 'auto_commit',
          command: ['git', 'commit', '-am', 'x'],
          timeout_ms: 120_000,
          failure_policy: { type: 'fail_session' },
          tool_filter: { type: 'any_mutating' },
        },
      ],
    })
  })

  const invalid: readonly (readonly [string, string])[] = [
    ['no JSON', '{'],
    ['no list', '{"hooks":{}}'],
    ['a hook without a command', '{"hooks":[{"name":"x","command":[]}]}'],
    ['an unknown field', '{"hooks":[{"name":"x","command":["y"],"timeout":5}]}'],
    [
      'two hooks of one name',
      '{"hooks":[{"name":"x","command":["y"]},{"name":"x","command":["z"]}]}',
    ],
    ['too much', `{"hooks":[],"$schema":"${'x'.repeat(300_000)}"}`],
  ]
  test.each(invalid)('SE-15: with %s is invalid, and off', (_, text) => {
    put(text)
    expect(readHooks(folder)).toEqual({ ok: false, error: expect.stringMatching(/^hooks\.json /) })
  })
})
