import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainCommands, ToolBench, unheldCall } from '../../../testing/tool-bench.ts'
import { createToolPins } from '../../config/tool-pins.ts'
import { openStore } from '../../store/open.ts'
import { builtInTools } from '../../tools/all.ts'
import { Upstreams } from '../../upstream/upstreams.ts'
import { mcpTools } from './mcp-tools.ts'
import { createToolRunner } from './tool-runner.ts'

const program = fileURLToPath(
  new URL('../../../../../test/support/session-mcp.mjs', import.meta.url),
)
const bench = new ToolBench()
const upstreams = new Upstreams(
  { folder: bench.root, environment: bench.environment, version: '0' },
  { onChanged: () => {}, onResourceUpdated: () => {}, onNote: () => {} },
)
const runner = createToolRunner({
  commandsFor: plainCommands(bench.environment),
  timeoutMs: 1000,
  sources: [mcpTools(upstreams)],
})

const writes = [{ tool: 'store', path: 'place' }]

beforeAll(() => upstreams.apply({ notes: { command: process.execPath, args: [program], writes } }))
afterAll(async () => {
  await upstreams.close()
  bench.close()
})

const call = (tool: string, args: Json, signal = new AbortController().signal) =>
  runner.run({
    sessionId: 'sess_1',
    runId: 'toolrun_1',
    callId: 'call_1',
    name: `mcp__notes__${tool}`,
    arguments: args,
    projectPath: bench.root,
    open: unheldCall,
    signal,
  })

describe('MCP servers of the project', () => {
  test('SE-10: add their tools to those of the session', async () => {
    const names = (await runner.definitions(bench.root)).map(({ name }) => name)
    expect(names).toEqual([
      ...builtInTools.map(({ name }) => name),
      'mcp__notes__echo',
      'mcp__notes__store',
      'mcp__notes__fail',
      'mcp__notes__refuse',
      'mcp__notes__hang',
    ])
    expect(runner.isMutating('mcp__notes__echo', {})).toBe(false)
    expect(runner.isMutating('mcp__notes__store', {})).toBe(true)
    expect(runner.writes('mcp__notes__store')).toEqual(['place'])
    expect(runner.writes('mcp__notes__echo')).toBeUndefined()
  })

  test('SE-4: their errors are news, their silence is a failure', async () => {
    const done = (output: string, isError = false) => ({ status: 'succeeded', output, isError })
    expect(await call('echo', { text: 'hello' })).toEqual(done('hello'))
    expect(await call('store', {})).toEqual(done('kept\n[image image/png]'))
    expect(await call('fail', {})).toEqual(done('mcp_error: no', true))
    expect(await call('refuse', {})).toMatchObject(done('mcp_refused: not like this', true))
    expect(await call('echo', 'no JSON')).toMatchObject({ status: 'succeeded', isError: true })
    expect(await call('hang', {})).toMatchObject({ status: 'failed' })
  })

  test('SH-18c: a tool that describes itself anew is none of the session', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statewright-mcp-tools-'))
    const store = await openStore({ folder, durability: 'crash' })
    const toolWatch = createToolPins(store)
    const spec = { command: process.execPath, args: [program] }
    const before = { name: 'echo', description: 'What it was once.', inputSchema: {} }
    await toolWatch.look('notes', spec, [before])
    const watched = new Upstreams(
      { folder: bench.root, environment: bench.environment, version: '0', toolWatch },
      { onChanged: () => {}, onResourceUpdated: () => {}, onNote: () => {} },
    )
    await watched.apply({ notes: spec })
    const names = async () => (await mcpTools(watched).tools(bench.root)).map(({ name }) => name)
    expect(await names()).toEqual([
      'mcp__notes__store',
      'mcp__notes__fail',
      'mcp__notes__refuse',
      'mcp__notes__hang',
    ])
    await toolWatch.accept(toolWatch.drift())
    expect(await names()).toContain('mcp__notes__echo')
    await watched.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('SE-7: stop ends a call', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    expect(await call('hang', {}, stop.signal)).toEqual({ status: 'canceled' })
  })
})
