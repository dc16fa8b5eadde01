import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type CommandResult,
  finished,
  patience,
  type Ready,
  Testbed,
} from '../packages/server/testing/testbed.ts'

/** Green means guarded: what `up`, `install` and `doctor` say of a project, against a real hook. */

const testbeds: Testbed[] = []
afterAll(() => {
  for (const testbed of testbeds) testbed.close()
})

const notes = `id: notes
initial: reading
states:
  reading: { allowed_tools: [Read], on: { DONE: done } }
  done: { type: final }
`

interface SetUp {
  readonly installed: CommandResult
  readonly doctor: CommandResult
  /** What the server said when it started. */
  readonly talk: string
  /** What Claude Code would read about `rm -rf`. */
  readonly hook: CommandResult
}

/** Install and doctor as a newcomer types them, and one call through the hook that they set up. */
async function setUp(
  config: string | undefined,
  prepare?: (testbed: Testbed, server: { ready: Ready; talk: () => string }) => Promise<void>,
) {
  const testbed = new Testbed()
  testbeds.push(testbed)
  mkdirSync(join(testbed.project, '.git'))
  writeFileSync(join(testbed.project, 'notes.yaml'), notes)
  if (config !== undefined) writeFileSync(join(testbed.project, 'statewright.yaml'), config)
  const { ready, talk } = await testbed.up('--test-person')
  const person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  await prepare?.(testbed, { ready, talk })
  const installed = await testbed.hosted(['install', 'claude-code', '--yes'], person)
  const doctor = await testbed.hosted(['doctor'], person)
  return { installed, doctor, talk: talk(), hook: await askHook(testbed) } satisfies SetUp
}

function askHook(testbed: Testbed): Promise<CommandResult> {
  const settings = join(testbed.project, '.claude', 'settings.local.json')
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'))
  const { command, args } = hooks.PreToolUse[0].hooks[0]
  const child = spawn(command, args, { cwd: testbed.project, env: testbed.environment() })
  child.stdin.end(
    JSON.stringify({
      session_id: 's1',
      cwd: testbed.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: 'rm -rf build' },
    }),
  )
  return finished(child)
}

describe('a project that nothing guards', () => {
  test('is said to be so by up, install and doctor, and the exit is 3', patience, async () => {
    const { installed, doctor, talk, hook } = await setUp(undefined)
    // The call really passes, so that nothing may look green.
    expect(hook.out).toBe('{}')
    expect([installed.exit, doctor.exit]).toEqual([3, 3])
    const next = 'statewright init'
    for (const output of [talk, installed.talk + installed.out, doctor.out]) {
      expect(output).toContain('Nothing is guarded yet')
      expect(output).toContain(next)
    }
    expect(installed.out).toMatch(
      /^claude-code is installed for .+, but nothing is guarded yet\.$/m,
    )
    expect(doctor.out).not.toContain('Every call is checked')
  })

  test.each([
    ['a workflow that no session starts', 'workflow: notes\nautostart: "off"\n', 'autostart'],
    ['observe mode', 'definitions: [notes.yaml]\nworkflow: notes\nmode: observe\n', 'observe'],
  ])('%s is not green either', patience, async (_name, config, word) => {
    const { installed, doctor, hook } = await setUp(config)
    expect(hook.out).toBe('{}')
    expect([installed.exit, doctor.exit]).toEqual([3, 3])
    expect(installed.out + installed.talk).toContain(word)
    expect(doctor.out).toContain(word)
  })
})

describe('policies that hold elsewhere', () => {
  test.each([
    ['another project', { policy: { deny: [{ capability: 'bash' }] }, project: '/elsewhere' }],
    ['a role that no client has', { policy: { role: 'auditor', deny: [{ capability: 'bash' }] } }],
  ])('guard nothing here: those of %s', patience, async (_whose, body) => {
    const { doctor, hook } = await setUp(undefined, async (_testbed, { ready }) => {
      const saved = await fetch(`${ready.url}/api/policies/elsewhere`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${ready.person_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      expect(saved.ok).toBe(true)
    })
    expect(hook.out).toBe('{}')
    expect(doctor.exit).toBe(3)
    expect(doctor.out).toContain('Nothing is guarded yet')
  })
})

describe('a project that is guarded', () => {
  test('by a workflow is green', patience, async () => {
    const config = 'definitions: [notes.yaml]\nworkflow: notes\n'
    const { installed, doctor, talk, hook } = await setUp(config)
    expect(hook.out).toContain('tool_not_allowed')
    expect([installed.exit, doctor.exit]).toEqual([0, 0])
    expect(talk).not.toContain('Nothing is guarded')
    expect(doctor.out).toContain('Every new session is guarded by the workflow notes.')
  })

  test('by strict mode alone is green: without a run there are no tools', patience, async () => {
    const { installed, doctor, hook } = await setUp('strict: true\n')
    expect(hook.out).toContain('no_active_run')
    expect([installed.exit, doctor.exit]).toEqual([0, 0])
    expect(doctor.out).toContain('no tool may be used until a run is started')
  })

  test('by a workflow that does not exist says why every call is denied', patience, async () => {
    const { installed, doctor, hook } = await setUp('workflow: nots\n')
    expect(hook.out).toContain('deny')
    expect([installed.exit, doctor.exit]).toEqual([3, 3])
    expect(doctor.out).toContain('no workflow is called "nots"')
  })

  test('SH-18a: stays so when the file is loosened, and doctor says what waits', {
    timeout: 120_000,
  }, async () => {
    const { doctor, hook } = await setUp('strict: true\n', async (testbed, { ready, talk }) => {
      writeFileSync(join(testbed.project, 'statewright.yaml'), 'mode: observe\n')
      process.kill(ready.pid, 'SIGHUP')
      await expect.poll(talk, { timeout: 20_000 }).toContain('statewright config accept')
    })
    expect(hook.out).toContain('no_active_run')
    expect(doctor.out).toContain('warning  configuration: A change of strict, mode waits')
    expect(doctor.out).toContain('Calls are only recorded, not denied')
    expect(doctor.out).toContain('next: accept it with "statewright config accept"')
  })

  test('SH-18a: stays so when the file is gone, and doctor says which file', {
    timeout: 120_000,
  }, async () => {
    const { doctor } = await setUp('strict: true\n', async (testbed, { ready, talk }) => {
      rmSync(join(testbed.project, 'statewright.yaml'))
      process.kill(ready.pid, 'SIGHUP')
      await expect.poll(talk, { timeout: 20_000 }).toContain('statewright config accept')
    })
    const plain = doctor.out.replaceAll(/\s+/g, ' ')
    expect(plain).toMatch(/in effect\. \S+\/statewright\.yaml is missing\./)
    expect(plain).toContain(
      'next: accept it with "statewright config accept", or restore the file.',
    )
  })
})
