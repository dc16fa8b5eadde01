import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pluginText } from '../../packages/server/src/client-settings/opencode-install.ts'
import { canaryBody } from '../../packages/server/src/clients/canary.ts'
import { codingClients } from '../../packages/server/src/clients/coding-clients.ts'
import { signingKey } from '../../packages/server/src/clients/server-key.ts'
import { runProgram } from '../../packages/server/testing/child.ts'
import { Server } from '../doors/server.ts'
import { type Relay, startRelay } from './hook-relay.ts'

const file = (path: string) =>
  fileURLToPath(new URL(`../../packages/server/${path}`, import.meta.url))
const hookFile = file('bin/hook.cjs')
const bound = { timeout: 60_000 }
const clients = [...codingClients.keys()]

let server: Server
let token: string
let hookToken: string
let impostor: TcpServer | undefined
let relay: Relay | undefined

beforeAll(async () => {
  server = await Server.start({ mode: 'enforce', mailUrl: 'http://127.0.0.1:9' })
  const made = await server.mint('client')
  token = made.token
  hookToken = made.hookToken
}, bound.timeout)
afterAll(() => server.close())
afterEach(async () => {
  impostor?.close()
  await relay?.close()
  impostor = undefined
  relay = undefined
})

/** Whether a call passes, asked as the client does that is installed for the server at `url`. */
async function passes(client: string, url: string, body: object): Promise<boolean> {
  const folder = join(server.folder, 'clients', randomUUID())
  mkdirSync(folder, { recursive: true })
  const keyFile = join(folder, 'key.json')
  writeFileSync(keyFile, JSON.stringify({ url, token, hook_token: hookToken }))
  const args = client === 'opencode' ? pluginOf(folder, keyFile) : [hookFile, client, keyFile]
  const { code, stdout, stderr } = await runProgram(process.execPath, args, {
    cwd: server.project,
    environment: { PATH: '/bin' },
    input: JSON.stringify(body),
  })
  if (code === 2) {
    expect(stderr).toContain('could not check this call')
    return false
  }
  const answer = JSON.parse(stdout)
  return client === 'opencode' ? answer.decision === 'allow' : stdout.trim() === '{}'
}

function pluginOf(folder: string, keyFile: string): string[] {
  const paths = { node: process.execPath, hookFile, commandFile: '/statewright.mjs', keyFile }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const plugin = join(folder, 'statewright.js')
  writeFileSync(plugin, pluginText(paths))
  return [file('plugin/opencode/probe.mjs'), plugin]
}

/** Has the port, knows our headers, and says yes to everything. */
async function startImpostor(): Promise<{ url: string; heard: () => string }> {
  let heard = ''
  impostor = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      if (!heard.includes('\r\n\r\n')) return
      const body = heard.includes('/hooks/opencode') ? '{"decision":"allow"}' : '{}'
      const head = [
        'HTTP/1.1 200 OK',
        'Content-Type: application/json',
        'Statewright-Hook: answer',
        `Statewright-Mac: ${'0'.repeat(64)}`,
        `Content-Length: ${body.length}`,
      ]
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  impostor.listen(0, '127.0.0.1', resolve)
  await promise
  const address = impostor.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, heard: () => heard }
}

function canary(client: string): object {
  return canaryBody(client, `ses-${randomUUID()}`, server.project)
}

describe('SH-20: whoever has the port of the server', bound, () => {
  test.each(clients)('cannot say yes to %s, and learns no secret', async (client) => {
    const { url, heard } = await startImpostor()
    expect(await passes(client, url, canary(client))).toBe(false)
    expect(heard()).toContain(`/hooks/${client}`)
    expectNoSecret(heard())
  })

  test.each(clients)(
    'passes on what %s asks, and the answer of the server counts',
    async (client) => {
      relay = await startRelay(server.url)
      expect(await passes(client, relay.url, canary(client))).toBe(true)
      expect(relay.answers).toHaveLength(1)
    },
  )

  test.each(clients)('cannot change what %s asks', async (client) => {
    relay = await startRelay(server.url)
    relay.body = (text) => text.replaceAll('statewright-canary', 'another-file')
    expect(await passes(client, relay.url, canary(client))).toBe(false)
  })

  test.each(clients)('cannot change what %s is answered', async (client) => {
    relay = await startRelay(server.url)
    relay.answer = (text) => `${text} `
    expect(await passes(client, relay.url, canary(client))).toBe(false)
  })

  test('cannot turn a denial into a yes', async () => {
    relay = await startRelay(server.url)
    const session = `ses-${randomUUID()}`
    await server.ask('POST', '/api/runs', { definition: readOnly, session })
    const body = canaryBody('claude-code', session, server.project)
    expect(await passes('claude-code', relay.url, body)).toBe(false)
    expect(relay.answers.join()).toContain('tool_not_allowed')
    relay.answer = () => '{}'
    const again = { ...body, tool_use_id: 'another' }
    expect(await passes('claude-code', relay.url, again)).toBe(false)
  })

  test('cannot give an answer to another question', async () => {
    relay = await startRelay(server.url)
    expect(await passes('codex', relay.url, canary('codex'))).toBe(true)
    const [first = ''] = relay.answers
    const [mac = ''] = relay.macs
    relay.answer = () => first
    relay.mac = () => mac
    expect(await passes('codex', relay.url, canary('codex'))).toBe(false)
  })

  test.each(['statewright-gateway', 'statewright-process', 'statewright-home'])(
    'cannot change %s',
    async (name) => {
      relay = await startRelay(server.url)
      relay.header = [name, '7']
      expect(await passes('codex', relay.url, canary('codex'))).toBe(false)
    },
  )

  test('cannot ask again with what it heard', async () => {
    relay = await startRelay(server.url)
    expect(await passes('claude-code', relay.url, canary('claude-code'))).toBe(true)
    const [heard] = relay.requests
    if (heard === undefined) throw new Error('nothing was heard')
    const { headers, path, text } = heard
    const again = await fetch(new URL(path, server.url), { method: 'POST', headers, body: text })
    expect(again.headers.get('statewright-mac')).toBe(null)
    expect(again.headers.get('statewright-refused')).toBe('replayed')
    expect(await again.text()).toContain('could not check')
    const elsewhere = new URL('/hooks/codex', server.url)
    const other = await fetch(elsewhere, { method: 'POST', headers, body: text })
    expect(other.headers.get('statewright-refused')).toBe('changed')
  })
})

const readOnly = {
  id: 'read-only',
  initial: 'reading',
  states: { reading: { allowed_tools: ['Read'], on: { DONE: 'done' } }, done: { type: 'final' } },
}

describe('SH-20: what a client tells', bound, () => {
  const events = ['PostToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd'] as const

  test.each(events)('by %s gives whoever has the port no secret', async (event) => {
    const { url, heard } = await startImpostor()
    const body = { ...canary('claude-code'), hook_event_name: event }
    expect(await passes('claude-code', url, body)).toBe(true)
    expect(heard()).toContain('/hooks/claude-code')
    expectNoSecret(heard())
  })

  test('its status line gives no secret, and shows the words of the server alone', async () => {
    const { url, heard } = await startImpostor()
    const line = await statusLine(url)
    expect(line).toContain('no answer')
    expect(heard()).toContain('/hooks/claude-code/status')
    expectNoSecret(heard())
    expect(await statusLine(server.url)).toBe('')
  })
})

function expectNoSecret(heard: string): void {
  for (const secret of [hookToken, token, signingKey(hookToken)]) {
    expect(heard).not.toContain(secret)
    expect(heard).not.toContain(secret.slice(-20))
  }
  expect(heard).not.toMatch(/bearer/i)
}

async function statusLine(url: string): Promise<string> {
  const keyFile = join(server.folder, `${randomUUID()}.json`)
  writeFileSync(keyFile, JSON.stringify({ url, token, hook_token: hookToken }))
  const args = [file('bin/status-line.cjs'), 'claude-code', keyFile]
  const input = JSON.stringify({ session_id: 's', cwd: server.project })
  const options = { cwd: server.project, environment: { PATH: '/bin' }, input }
  return (await runProgram(process.execPath, args, options)).stdout
}

test('SH-20: a hook program from before goes on with its token', async () => {
  const headers = { authorization: `Bearer ${hookToken}`, 'statewright-hook': 'command' }
  const body = JSON.stringify(canary('codex'))
  const answer = await fetch(`${server.url}/hooks/codex`, { method: 'POST', headers, body })
  expect(answer.headers.get('statewright-hook')).toBe('answer')
  expect(await answer.json()).toEqual({})
})
