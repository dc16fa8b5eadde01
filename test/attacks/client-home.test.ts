import { randomUUID } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginText } from '../../packages/server/src/client-settings/opencode-install.ts'
import { runProgram, type Variables } from '../../packages/server/testing/child.ts'
import { Server } from '../doors/server.ts'

const file = (path: string) =>
  fileURLToPath(new URL(`../../packages/server/${path}`, import.meta.url))
const bound = { timeout: 60_000 }

/** What a call got: nothing, or the code of its denial. */
type Ask = (tool: 'Bash' | 'Read' | 'Write', input: object, more?: Variables) => Promise<string>

let server: Server
/** Another home than the server's, as in a container or under sudo. */
let home: string
let keyFile: string
let token: string
let hookToken: string

beforeAll(async () => {
  server = await Server.start({ mode: 'enforce', mailUrl: 'http://127.0.0.1:9' })
  home = join(server.folder, 'clients-home')
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(join(server.data, 'deep'), { recursive: true })
  symlinkSync(server.data, join(home, 'data'))
  const made = await server.mint('client')
  token = made.token
  hookToken = made.hookToken
  keyFile = join(server.folder, 'hook.key')
  writeFileSync(keyFile, JSON.stringify({ url: server.url, token, hook_token: hookToken }))
}, bound.timeout)
afterAll(() => server.close())

const codeIn = (text: string) =>
  /self_protection|approval_required|policy_denied|could not check/.exec(text)?.[0] ?? 'passes'

const byHook: Ask = async (tool, input, more = { HOME: home }) => {
  const body = {
    session_id: `nobody-${randomUUID()}`,
    cwd: server.project,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_use_id: randomUUID(),
    tool_input: input,
  }
  const ran = await runProgram(process.execPath, [file('bin/hook.cjs'), 'claude-code', keyFile], {
    cwd: server.project,
    environment: { PATH: '/bin', ...more },
    input: JSON.stringify(body),
  })
  return codeIn(`${ran.stdout}${ran.stderr}`)
}

const byPlugin: Ask = async (tool, input, more = { HOME: home }) => {
  const folder = join(server.folder, 'plugins', randomUUID())
  mkdirSync(folder, { recursive: true })
  const facts = {
    node: process.execPath,
    hookFile: file('bin/hook.cjs'),
    keyFile,
    commandFile: '/c',
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const plugin = join(folder, 'statewright.js')
  writeFileSync(plugin, pluginText(facts))
  const body = {
    event: 'tool.before',
    session: `ses_${randomUUID()}`,
    tool: tool.toLowerCase(),
    call: randomUUID(),
    args: input,
    directory: server.project,
  }
  const ran = await runProgram(process.execPath, [file('plugin/opencode/probe.mjs'), plugin], {
    cwd: server.project,
    environment: { PATH: '/bin', ...more },
    input: JSON.stringify(body),
  })
  return codeIn(`${ran.stdout}${ran.stderr}`)
}

describe.each([
  ['the hook program', byHook],
  ['the plugin of opencode', byPlugin],
] as const)('SH-20a: a client with another home than the server, by %s', (_, ask) => {
  test('may not read what its home leads to', bound, async () => {
    expect(await ask('Bash', { command: 'cat ~/data/deep/x' })).toBe('self_protection')
    expect(await ask('Bash', { command: 'cat $HOME/data/deep/x' })).toBe('self_protection')
    expect(await ask('Bash', { command: 'cat "$HOME"/data/deep/x' })).toBe('self_protection')
    expect(await ask('Bash', { command: 'cat ~/other/x $HOME/other/x' })).toBe('passes')
  })

  test('has its own keys and settings there protected', bound, async () => {
    const keys = join(home, '.codex/auth.json')
    expect(await ask('Bash', { command: `cat ${keys}` })).toBe('self_protection')
    expect(await ask('Bash', { command: `echo x > ${home}/.claude/x` })).toBe('self_protection')
  })

  test('protects the home of the server as well', bound, async () => {
    const keys = join(server.home, '.codex/auth.json')
    expect(await ask('Bash', { command: `cat ${keys}` })).toBe('self_protection')
    expect(await ask('Bash', { command: 'cat ~/.codex/auth.json' })).toBe('self_protection')
  })

  test.each([{}, { HOME: '' }, { HOME: 'home' }, { HOME: '../x' }, { HOME: '/%zz\n/x' }])(
    'gains nothing by %j',
    bound,
    async (variables) => {
      const keys = join(server.home, '.codex/auth.json')
      expect(await ask('Bash', { command: `cat ${keys}` }, variables)).toBe('self_protection')
      const inHome = await ask('Bash', { command: 'cat ~/.codex/auth.json' }, variables)
      expect(inHome).toBe('self_protection')
      expect(await ask('Bash', { command: 'cat a.txt' }, variables)).toBe('passes')
    },
  )
})
