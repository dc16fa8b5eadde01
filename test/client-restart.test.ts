import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { endpoints } from '@statewright/core/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Serving, serve } from '../packages/server/src/app/serve.ts'
import { createClient } from '../packages/server/src/cli/api/client.ts'
import { createLog } from '../packages/server/src/observe/logger.ts'
import { defaultSettings } from '../packages/server/src/runtime/settings.ts'
import { connectPeople, connectStatewright } from '../packages/server/src/sdk/sdk.ts'
import { openStore } from '../packages/server/src/store/open.ts'
import type { Store } from '../packages/server/src/store/store.ts'

const command = fileURLToPath(new URL('../packages/server/bin/statewright.mjs', import.meta.url))
let folder: string
const rounds = 10
let store: Store
let serving: Serving
let token: string

async function open(port: number): Promise<void> {
  const log = createLog({ level: 'silent' })
  const served = await serve({ store, settings: defaultSettings, port, log })
  if (!served.ok) throw new Error(served.error.message)
  serving = served.value
}

/** So quick, and in this very process, that no client has heard of it when it asks again. */
async function restart(): Promise<void> {
  await serving.close()
  await open(Number(new URL(serving.url).port))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'statewright-restart-'))
  store = await openStore({ folder, durability: 'crash' })
  await open(0)
  token = await serving.mintTestPerson()
  const states = { open: { on: { GO: 'end' } }, end: { type: 'final' } }
  const workflow = { id: 'short', initial: 'open', states }
  await connectPeople({ url: serving.url, token }).save(workflow)
})

afterAll(async () => {
  await serving.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

// What was sent once may not be sent again, so that it may not go into a connection that is dead.
describe('a call right after the server was started anew is answered', () => {
  test('to a program with the SDK', async () => {
    const run = await connectStatewright({ url: serving.url, token }).start({ workflow: 'short' })
    for (let round = 0; round < rounds; round += 1) {
      await restart()
      const call = { tool: 'Read', input: { file_path: 'a.ts' }, callId: `call_${round}` }
      expect((await run.check(call)).decision).toBe('allow')
      await run.finish({ callId: call.callId, exit: 'success' })
    }
  })

  test('to a command', async () => {
    const client = createClient({ url: serving.url.replace(/\/$/, ''), token })
    const start = { body: { workflow: 'short' } }
    for (let round = 0; round < rounds; round += 1) {
      expect(await client.call(endpoints.startRun, start)).toMatchObject({ ok: true })
      expect(await client.call(endpoints.listRuns, {})).toMatchObject({ ok: true })
      await restart()
    }
  })

  test('to an MCP client over stdio that was stopped meanwhile', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    const { tokens } = serving.auth
    const agent = await tokens.mint({ kind: 'agent', name: 'claude', createdBy: 'test' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [command, 'mcp'],
      env: { PATH: '/usr/bin:/bin', STATEWRIGHT_URL: serving.url, STATEWRIGHT_TOKEN: agent.secret },
    })
    await client.connect(transport)
    await client.callTool({ name: 'statewright_load_workflow', arguments: { name: 'short' } })
    process.kill(transport.pid ?? 0, 'SIGSTOP')
    const listed = client.callTool({ name: 'statewright_list_workflows', arguments: {} })
    await restart()
    process.kill(transport.pid ?? 0, 'SIGCONT')
    expect((await listed).isError ?? false).toBe(false)
    await client.close()
  })
})
