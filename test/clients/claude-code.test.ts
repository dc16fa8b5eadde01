import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import {
  type Ran,
  runStatewright,
  type StartedServer,
  startStatewright,
  type Variables,
} from '../support/statewright.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'

if (!isClaudeInstalled()) {
  process.stderr.write(
    'SKIPPED: the real Claude Code is not in .cache/clients; "npm run test:clients" installs it.\n',
  )
}

const workflow = {
  id: 'plan-then-write',
  initial: 'planning',
  states: {
    planning: { allowed_tools: ['Read', 'Grep'], on: { READY: 'writing' } },
    writing: { allowed_tools: ['Read', 'Write', 'Edit'], on: { DONE: 'done' } },
    mending: { allowed_tools: ['Read', 'Write'], on: { MENDED: '$return' } },
    done: { type: 'final' },
  },
  interrupts: { secrets: { trigger: { file_pattern: '**/*.env' }, target: 'mending' } },
}

let home: string
let work: string
let server: StartedServer
let model: FakeModel | undefined

beforeEach(async () => {
  if (!isClaudeInstalled()) return
  home = mkdtempSync(join(tmpdir(), 'statewright-claude-'))
  work = join(home, 'work')
  mkdirSync(work)
  server = await startStatewright({
    cwd: work,
    environment: environment(),
    args: ['--data', join(home, 'data'), '--workflow', 'plan-then-write'],
  })
  const saved = await server.ask('PUT', '/api/workflows/plan-then-write', workflow)
  expect(saved.status).toBe(200)
}, 60_000)

afterEach(async () => {
  if (!isClaudeInstalled()) return
  await model?.close()
  await server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

function environment(): Variables {
  return { PATH: '/usr/bin:/bin', HOME: home }
}

/** Installs as a person would, in a terminal that knows who they are. */
function install(command: 'install' | 'uninstall', ...args: string[]): Promise<Ran> {
  const asPerson = { STATEWRIGHT_URL: server.url, STATEWRIGHT_TOKEN: server.personToken }
  return runStatewright([command, 'claude-code', ...args], {
    cwd: work,
    environment: { ...environment(), ...asPerson },
  })
}

async function play(script: readonly Turn[], scope = '--user'): Promise<Ran> {
  const installed = await install('install', scope, '--yes')
  expect([installed.code, installed.stderr]).toEqual([0, expect.any(String)])
  model = await startFakeModel(script)
  return runClaude({ home, work, model })
}

const write = (name: string) => ({
  tool: 'Write',
  input: { file_path: join(work, name), content: 'written\n' },
})
const transition = (event: string) => ({
  tool: 'mcp__statewright__statewright_transition',
  input: { event },
})

/** What the model was given with a request: results of tools and words of ours. */
function given(request: number): string {
  return JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
}

async function history(): Promise<string[]> {
  const { value } = await server.ask('GET', '/api/runs')
  const { runs } = value as { runs: { run_id: string }[] } // The published shape.
  expect(runs).toHaveLength(1)
  const page = await server.ask('GET', `/api/runs/${runs[0]?.run_id}/entries?limit=100`)
  const { entries } = page.value as { entries: { type: string; decision?: string }[] } // As above.
  return entries.map(({ type, decision }) =>
    decision === undefined ? type : `${type} ${decision}`,
  )
}

describe.skipIf(!isClaudeInstalled())('the real Claude Code', { timeout: 60_000 }, () => {
  test.each(['--user', '--project'])(
    'WF-6, WF-14: is held to the state, and let on by the transition (%s)',
    async (scope) => {
      await play(
        [
          () => [write('early.txt')],
          () => {
            expect(existsSync(join(work, 'early.txt'))).toBe(false)
            return [transition('READY')]
          },
          () => [write('late.txt')],
          [{ text: 'Done.' }],
        ],
        scope,
      )
      expect(existsSync(join(work, 'early.txt'))).toBe(false)
      expect(readFileSync(join(work, 'late.txt'), 'utf8')).toBe('written\n')
      expect(given(1)).toContain('tool_not_allowed')
      expect(given(1)).toContain('call statewright_transition with READY to writing')
      expect(await history()).toEqual([
        'run_started',
        'call_decided deny',
        'transitioned',
        'call_decided allow',
        'call_finished',
      ])
    },
  )

  test('WF-13: the model is given the brief on every turn', async () => {
    await play([
      [{ tool: 'Read', input: { file_path: join(work, 'x') } }],
      [transition('READY')],
      [],
    ])
    expect(given(0)).toContain('[STATEWRIGHT] Phase: planning. Tools: Read, Grep.')
    expect(given(1)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(2)).toContain('[STATEWRIGHT] Phase: writing.')
  })

  test('a transition and a write in one message are judged in that order', async () => {
    await play([() => [transition('READY'), write('after.txt')], []])
    expect(existsSync(join(work, 'after.txt'))).toBe(true)
  })

  test('SH-3: a shell that writes is denied where only reading is allowed', async () => {
    await play([() => [{ tool: 'Bash', input: { command: `echo x > ${work}/shell.txt` } }], []])
    expect(existsSync(join(work, 'shell.txt'))).toBe(false)
    expect(given(1)).toContain('tool_not_allowed')
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], () => [write('prod.env')], () => [write('more.txt')], []])
    expect(given(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(given(2)).toContain('Phase: mending.')
    expect(await history()).toContain('interrupted')
  })

  test('no answer means no: with the server dead nothing is written', async () => {
    await play([
      [transition('READY')],
      async () => {
        await server.kill('SIGKILL')
        return [write('dead.txt')]
      },
      () => [{ tool: 'Bash', input: { command: `echo x > ${work}/dead.txt` } }],
      [{ text: 'Done.' }],
    ])
    expect(existsSync(join(work, 'dead.txt'))).toBe(false)
    expect(model?.requests.length).toBe(4)
  })

  test('no answer means no: a key that was revoked writes nothing', async () => {
    await play([
      [transition('READY')],
      async () => {
        const { value } = await server.ask('GET', '/api/tokens')
        const { tokens } = value as { tokens: { id: string; kind: string }[] } // The published shape.
        for (const { id, kind } of tokens) {
          if (kind === 'agent') await server.ask('DELETE', `/api/tokens/${id}`)
        }
        return [write('revoked.txt')]
      },
      [{ text: 'Done.' }],
    ])
    expect(existsSync(join(work, 'revoked.txt'))).toBe(false)
    expect(given(2)).toContain('unauthenticated')
  })

  test('hooks that are switched off in the settings go on holding the session', async () => {
    await play([
      [{ tool: 'Read', input: { file_path: join(work, 'x') } }],
      async () => {
        const off = JSON.stringify({ disableAllHooks: true })
        mkdirSync(join(work, '.claude'), { recursive: true })
        writeFileSync(join(work, '.claude', 'settings.local.json'), off)
        writeFileSync(join(home, '.claude', 'settings.json'), off)
        // The client looks at its settings again within two seconds.
        await new Promise((resolve) => setTimeout(resolve, 4000))
        return [write('off.txt')]
      },
      [{ text: 'Done.' }],
    ])
    expect(existsSync(join(work, 'off.txt'))).toBe(false)
  })

  test.each(['--user', '--project'])(
    'install and uninstall leave the files as they were (%s)',
    async (scope) => {
      const files = {
        [join(home, '.claude.json')]: '{"numStartups": 3,\n "mcpServers":{"x":{"command":"y"}} }',
        [join(home, '.claude', 'settings.json')]: '{\n\t"model": "opus",\n\t"hooks": {}\n}\n',
        [join(work, '.claude', 'settings.local.json')]: '{}\r\n',
      }
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(path, '..'), { recursive: true })
        writeFileSync(path, text)
      }
      expect((await install('install', scope, '--yes')).code).toBe(0)
      const { stderr, code } = await install('uninstall', scope, '--yes')
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('still counts')])
      for (const [path, text] of Object.entries(files)) {
        expect(readFileSync(path, 'utf8')).toBe(text)
      }
    },
  )
})
