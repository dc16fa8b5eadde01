import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CommandResult,
  finished,
  patience,
  type Ready,
  Testbed,
} from '../packages/server/testing/testbed.ts'

/** What becomes of a running session when its client is installed again. */

const testbed = new Testbed()
afterAll(() => testbed.close())

const notes = `id: notes
initial: reading
states:
  reading: { allowed_tools: [Read], on: { DONE: done } }
  done: { type: final }
`

let ready: Ready
let person: Record<string, string>

beforeAll(async () => {
  mkdirSync(join(testbed.project, '.git'))
  writeFileSync(join(testbed.project, 'notes.yaml'), notes)
  // The agent loads the workflow itself: nothing would start another run for its session.
  const config = 'definitions: [notes.yaml]\nworkflow: notes\nautostart: "off"\n'
  writeFileSync(join(testbed.project, 'statewright.yaml'), config)
  ready = (await testbed.up('--test-person')).ready
  person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
}, patience.timeout)

const settings = () => join(testbed.project, '.claude', 'settings.local.json')
const installs = () => join(testbed.home, '.local', 'state', 'statewright', 'installs')

/** All that an installation has written, each file with its text. */
function written(): Record<string, string> {
  const files = [settings(), join(testbed.home, '.claude.json')]
  const records = readdirSync(installs()).filter((name) => name.endsWith('.json'))
  files.push(...records.map((name) => join(installs(), name)))
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

function record(): { token: string; token_id: string } {
  const [name = ''] = readdirSync(installs()).filter((file) => file.endsWith('.json'))
  return JSON.parse(readFileSync(join(installs(), name), 'utf8')).keys[0]
}

const install = (...args: string[]) =>
  testbed.hosted(['install', 'claude-code', '--yes', ...args], person)

/** The session's next write, through the hook as it stands in the settings by now. */
function write(): Promise<CommandResult> {
  const input = { file_path: join(testbed.project, 'a.ts'), content: 'a' }
  const call = { tool_name: 'Write', tool_use_id: `t${Math.random()}`, tool_input: input }
  return runEntry('PreToolUse', call)
}

function runEntry(event: string, body: object): Promise<CommandResult> {
  const { hooks } = JSON.parse(readFileSync(settings(), 'utf8'))
  const { command, args } = hooks[event][0].hooks[0]
  const child = spawn(command, args, { cwd: testbed.project, env: testbed.environment() })
  const head = { session_id: 's1', cwd: testbed.project, hook_event_name: event }
  child.stdin.end(JSON.stringify({ ...head, ...body }))
  return finished(child)
}

describe('SH-20: what is installed', () => {
  test('puts no key into any settings of the client', patience, async () => {
    await install()
    for (const file of [settings(), join(testbed.home, '.claude.json')]) {
      expect(readFileSync(file, 'utf8')).toContain('statewright')
      expect(readFileSync(file, 'utf8')).not.toMatch(/sw_|authorization/i)
    }
  })
})

describe('installing again', () => {
  test('changes nothing, and a guarded session stays guarded', patience, async () => {
    await install()
    const answer = await fetch(`${ready.url}/api/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${record().token}` },
      body: JSON.stringify({ workflow: 'notes', session: 's1' }),
    })
    expect(answer.status).toBe(201)
    expect((await write()).out).toContain('tool_not_allowed')

    const before = written()
    const again = await install()
    expect(again.out).toContain(
      `claude-code is installed already for ${testbed.project}. Nothing was changed.`,
    )
    expect(written()).toEqual(before)
    expect((await write()).out).toContain('tool_not_allowed')
    const tokens = await testbed.hosted(['token', 'list', '--json'], person)
    expect(tokens.out.match(/"kind":"agent"/g)).toHaveLength(1)
  })

  test('mends entries that were taken out, with the same key', patience, async () => {
    const before = written()
    writeFileSync(settings(), '{}\n')
    expect((await install()).talk).toMatch(/settings\.local\.json: \d+ lines added, 1 removed\n/)
    expect(written()).toEqual(before)
  })

  test('with a key that was revoked makes another, for the same sessions', patience, async () => {
    const { token, token_id } = record()
    expect((await testbed.hosted(['token', 'revoke', token_id], person)).exit).toBe(0)
    const denied = await write()
    expect([denied.exit, denied.talk]).toEqual([
      2,
      expect.stringContaining('does not know the key'),
    ])
    await install()
    expect(record().token).not.toBe(token)
    expect((await write()).out).toContain('tool_not_allowed')
  })

  test('after uninstalling is the same installation, for the same sessions', patience, async () => {
    expect((await testbed.hosted(['uninstall', 'claude-code', '--yes'], person)).exit).toBe(0)
    await install()
    expect((await write()).out).toContain('tool_not_allowed')
  })
})

/** Tells a result as the client does, by the entry for it. */
async function tell(): Promise<string> {
  const call = { tool_name: 'Read', tool_use_id: 't1', tool_input: {}, tool_response: {} }
  return (await runEntry('PostToolUse', call)).out
}

/** The hook program of an older version, called after its hash as that one did. */
function layDownOlder(copies: string, commandFile: string): string {
  const names = ['hook.cjs', 'project-key.cjs', 'status-line.cjs', 'command.json']
  const source = (name: string) =>
    name === 'command.json' ? commandFile : join(import.meta.dirname, 'support/older-hook', name)
  const texts = names.map((name) => [name, readFileSync(source(name), 'utf8')] as const)
  const pieces = texts.map(([name, text]) => `${name}\n${hash('sha256', text)}`)
  const folder = join(copies, hash('sha256', pieces.join('\n')))
  mkdirSync(folder)
  for (const [name, text] of texts) writeFileSync(join(folder, name), text)
  return folder
}

async function sessionWithRun(session: string): Promise<void> {
  const answer = await fetch(`${ready.url}/api/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${record().token}` },
    body: JSON.stringify({ workflow: 'notes', session }),
  })
  expect(answer.status).toBe(201)
  silentRun = ((await answer.json()) as { run_id: string }).run_id // As published.
}

let silentRun = ''

/** What the history of the run says of calls that nobody judged. */
async function unjudgedRuns(): Promise<string> {
  const answer = await fetch(`${ready.url}/api/runs/${silentRun}/entries`, {
    headers: { authorization: `Bearer ${person.STATEWRIGHT_TOKEN}` },
  })
  return answer.text()
}

describe('SH-19: the hook program', () => {
  const copies = () => join(testbed.home, '.local', 'state', 'statewright', 'hook')
  const hookFile = (): string => {
    const { hooks } = JSON.parse(readFileSync(settings(), 'utf8'))
    return hooks.PreToolUse[0].hooks[0].args[0]
  }
  const doctor = async () => {
    const { out } = await testbed.hosted(['doctor', 'claude-code', '--json'], person)
    const { clients } = JSON.parse(out)
    return clients[0].findings.filter(({ check }: { check: string }) => check === 'program')
  }

  test('is a copy outside of every workspace, called after its hash', patience, async () => {
    expect(dirname(dirname(hookFile()))).toBe(copies())
    expect(basename(dirname(hookFile()))).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(hookFile()).mode & 0o222).toBe(0)
    expect(await doctor()).toEqual([])
  })

  test('denies when it was changed, is unjudged, and a person mends it', patience, async () => {
    const whole = readFileSync(hookFile(), 'utf8')
    chmodSync(hookFile(), 0o600)
    // One that still asks, but is not ours any more.
    writeFileSync(hookFile(), `// changed\n${whole}`)
    await expect
      .poll(async () => (await write()).out, { timeout: 20_000 })
      .toContain('not the one that was installed')
    expect(await tell()).toContain('not the one that was installed')
    const trust = await fetch(`${ready.url}/api/trust`, {
      headers: { authorization: `Bearer ${person.STATEWRIGHT_TOKEN}` },
    })
    expect(await trust.json()).toMatchObject({
      unjudged: { count: 1, last: { text: expect.stringContaining('hook program') } },
    })
    expect(await doctor()).toMatchObject([{ status: 'broken' }])
    await install()
    expect(readFileSync(hookFile(), 'utf8')).toBe(whole)
    await expect
      .poll(async () => (await write()).out, { timeout: 20_000 })
      .toContain('tool_not_allowed')
    expect(await doctor()).toEqual([])
  })

  test('that was changed and asks nobody is seen by the server itself', patience, async () => {
    const whole = readFileSync(hookFile(), 'utf8')
    await sessionWithRun('silent')
    chmodSync(hookFile(), 0o600)
    writeFileSync(hookFile(), "process.stdout.write('{}')\n")
    expect((await write()).out).toBe('{}')
    await expect.poll(unjudgedRuns, { timeout: 20_000 }).toContain('unjudged_call')
    await install()
    expect(readFileSync(hookFile(), 'utf8')).toBe(whole)
    await expect.poll(async () => (await write()).out, { timeout: 20_000 }).toContain('not_allowed')
  })

  test(
    'SH-20: from before it signed goes on, is told as older, and is replaced',
    patience,
    async () => {
      const current = dirname(hookFile())
      const older = layDownOlder(copies(), join(current, 'command.json'))
      for (const [file, text] of Object.entries(written())) {
        writeFileSync(file, text.replaceAll(current, older))
      }
      expect(dirname(hookFile())).toBe(older)
      expect((await write()).out).toContain('tool_not_allowed')
      const { out } = await testbed.hosted(['doctor', 'claude-code', '--json'], person)
      const findings: { check: string; status: string; message: string }[] =
        JSON.parse(out).clients[0].findings
      expect(findings.find(({ check }) => check === 'canary')).toMatchObject({ status: 'ok' })
      expect(findings.filter(({ check }) => check === 'program')).toEqual([])
      expect(findings.find(({ check }) => check === 'entries')).toMatchObject({
        status: 'warning',
        message: expect.stringContaining('sends its key unsigned'),
      })
      await install()
      expect(dirname(hookFile())).toBe(current)
      expect((await write()).out).toContain('tool_not_allowed')
    },
  )

  test('PE-2: an agent with the login of a person takes nothing away', patience, async () => {
    // As `statewright login LINK` does, with a name and no PIN: a login without a proof.
    const body = new URLSearchParams({ name: 'disk' })
    const answer = await fetch(ready.login ?? '', { method: 'POST', body })
    const { token } = (await answer.json()) as { token: string } // As published.
    const before = written()
    const login = { STATEWRIGHT_TOKEN: token }
    const ran = await testbed.hosted(['uninstall', 'claude-code', '--yes'], login)
    expect([ran.exit, ran.talk]).toEqual([5, expect.stringContaining('step_up_required')])
    expect(written()).toEqual(before)
  })

  test('goes with the last installation', patience, async () => {
    expect((await testbed.hosted(['uninstall', 'claude-code', '--yes'], person)).exit).toBe(0)
    expect(readdirSync(copies())).toEqual([])
  })
})
