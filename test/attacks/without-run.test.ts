import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../packages/server/testing/child.ts'
import { Server } from '../doors/server.ts'
import { followEvents } from '../sessions/session-kit.ts'

const hookCommand = fileURLToPath(new URL('../../packages/server/bin/hook.cjs', import.meta.url))
const bound = { timeout: 60_000 }

/** Writes a file with whatever the agent has here; true when it was let through. */
type Write = (server: Server, path: string) => Promise<boolean>

const byHook: Write = async (server, path) => {
  const { token, hookToken } = await server.mint('client')
  const keyFile = join(server.folder, 'hook.key')
  writeFileSync(keyFile, JSON.stringify({ url: server.url, token, hook_token: hookToken }))
  const body = {
    session_id: `nobody-${path}`,
    cwd: server.project,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_use_id: `toolu_${path}`,
    tool_input: { file_path: path, content: '{}' },
  }
  const { stdout } = await runProgram(process.execPath, [hookCommand, 'claude-code', keyFile], {
    cwd: server.project,
    environment: { PATH: '/bin' },
    input: JSON.stringify(body),
  })
  return passes(JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason)
}

const byCheck: Write = async (server, path) => {
  const { token } = await server.mint('program')
  const request = { session: 'nobody', tool: 'Write', input: { file_path: path, content: '{}' } }
  const { body } = await server.askAs(token, '/api/check', request)
  return passes(body.code)
}

const byFront: Write = async (server, path) => {
  const { token } = await server.mint('mcp')
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  const url = new URL('/mcp', server.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const call = { name: 'files__write_file', arguments: { path, content: '{}' } }
  const { _meta } = await client.callTool(call)
  await client.close()
  return passes(JSON.stringify(_meta?.['statewright/refusal']))
}

const bySession: Write = async (server, path) => {
  const turns = [[{ tool: 'write_file', arguments: { path, content: '{}' } }], [{ text: 'done' }]]
  const made = await server.ask('POST', '/api/sessions', {
    harness: 'scripted',
    projectPath: server.project,
    options: { script: { turns } },
  })
  const { url, personToken: token } = server
  const from = { url, token, id: made.sessionId }
  const isReady = (_: string, data: Record<string, unknown>) =>
    data.type === 'state_changed' && data.to === 'ready'
  const started = await followEvents({ ...from, after: '0' }, isReady)
  await server.ask('POST', `/api/sessions/${made.sessionId}/input`, { text: 'go on' })
  await followEvents({ ...from, after: started.at(-1)?.id ?? '0' }, isReady)
  const { state } = await server.ask('GET', `/api/sessions/${made.sessionId}`)
  return passes(state.toolRuns.at(-1).error)
}

function passes(refusal: string | undefined): boolean {
  if (refusal === undefined) return true
  expect(refusal).toContain('self_protection')
  return false
}

describe.each(['enforce', 'observe'] as const)('without a run, mode %s', bound, (mode) => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start({ mode, mailUrl: 'http://127.0.0.1:9' })
    mkdirSync(join(server.project, '.git'))
  })
  afterAll(() => server.close())

  test.each([
    ['a client hook', byHook],
    ['POST /api/check', byCheck],
    ['a server behind the gateway', byFront],
    ['a session without a workflow', bySession],
  ])('SH-18, WF-37: %s changes nothing that guards', async (_, write) => {
    const { project, data, home } = server
    for (const path of [
      join(project, 'statewright.yaml'),
      join(project, '.claude/settings.json'),
      join(project, 'packages/one/.mcp.json'),
      join(home, '.claude/settings.json'),
      join(data, 'planted'),
      fileURLToPath(new URL('planted.cjs', `file://${hookCommand}`)),
    ]) {
      expect([path, await write(server, path)]).toEqual([path, false])
      expect([path, path.endsWith('.yaml') || !existsSync(path)]).toEqual([path, true])
    }
    expect(await write(server, join(project, 'notes.md'))).toBe(true)
  })
})
