import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { save, start } from '../../../testing/runtime.ts'
import type { StartRequest } from '../../runtime/runs/start-run.ts'

const fileServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../../testing/peers/file-server.ts', import.meta.url))],
}

const writing = {
  id: 'writing',
  initial: 'open',
  states: {
    open: { max_edit_lines: 2, max_files_per_state: 2, on: { DONE: 'end' } },
    watched: { on: { CHECKED: '$return' } },
    end: { type: 'final' },
  },
  interrupts: { config: { trigger: { file_pattern: 'conf/**' }, target: 'watched' } },
}

const listing = (id: string, allowed_tools: readonly string[]) => ({
  id,
  initial: 'a',
  states: { a: { allowed_tools, on: { GO: 'end' } }, end: { type: 'final' } },
})

let world: FrontWorld

beforeAll(async () => {
  const writes = [{ tool: 'export_all', path: 'places' }]
  world = await openFrontWorld({
    upstreams: { files: { ...fileServer, writes }, side: fileServer },
  })
  await save(world.runtime, writing)
}, 60_000)
afterAll(() => world.close())

async function agentIn(request: StartRequest): Promise<{ client: Client; run: string }> {
  const caller = newAgent()
  const run = await start(world.runtime, caller, { workspace: world.folder, ...request })
  return { client: await world.connect(caller), run }
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, _meta } = await client.callTool({ name, arguments: args })
  const refusal = _meta?.['statewright/refusal'] as { code: string; message: string } | undefined
  return { code: refusal?.code ?? 'ran', text: JSON.stringify(content), refusal }
}

const stateOf = async (run: string) => (await world.runtime.live.get(run))?.row.state

describe('a tool behind the gateway that writes files', () => {
  test.each([
    ['write_file', { path: 'conf/a', content: 'x' }],
    ['edit_file', { path: 'conf/a', edits: [{ oldText: 'a', newText: 'b' }] }],
    ['move_file', { source: 'other', destination: 'conf/a' }],
    ['create_directory', { path: 'conf/new' }],
    ['render', { into: 'conf/a', content: 'x' }],
    ['export_all', { places: ['b', 'conf/a'], content: 'x' }],
  ])('WF-28a: fires an interrupt as an edit does (%s)', async (tool, args) => {
    const { client, run } = await agentIn({ workflow: 'writing' })
    const output = await call(client, `files__${tool}`, args)
    expect(output).toMatchObject({ code: 'ran', text: expect.stringContaining('INTERRUPT') })
    expect(await stateOf(run)).toBe('watched')
  })

  test.each([
    ['write_file', { path: 'a', content: 'x' }, { edit: 'policy_denied', write: 'policy_denied' }],
    ['edit_file', { path: 'a', edits: [] }, { edit: 'policy_denied', write: 'ran' }],
    [
      'move_file',
      { source: 'a', destination: 'b' },
      { edit: 'policy_denied', write: 'policy_denied' },
    ],
    ['create_directory', { path: 'new' }, { edit: 'ran', write: 'policy_denied' }],
    ['render', { into: 'a', content: 'x' }, { edit: 'policy_denied', write: 'policy_denied' }],
    ['export_all', { places: ['a'] }, { edit: 'policy_denied', write: 'policy_denied' }],
    ['note', { text: 'x' }, { edit: 'ran', write: 'ran' }],
  ])('PO-3c: a policy against edits or writes holds for %s', async (tool, args, expected) => {
    const seen: Record<string, string> = {}
    for (const capability of ['edit', 'write']) {
      const policy = { deny: [{ capability }], allow: [{ capability: 'mcp:files:*' }] }
      const id = `no_${capability}_${tool}`
      await save(world.runtime, { ...listing(id, ['files__*']), policy })
      const { client } = await agentIn({ workflow: id })
      seen[capability] = (await call(client, `files__${tool}`, args)).code
    }
    expect(seen).toEqual(expected)
  })

  test('WF-28a: counts for max_files_per_state', async () => {
    const { client } = await agentIn({ workflow: 'writing' })
    for (const path of ['a', 'b', join(world.folder, 'a')]) {
      expect((await call(client, 'side__write_file', { path, content: 'x' })).code).toBe('ran')
    }
    const third = await call(client, 'side__create_directory', { path: 'c' })
    expect(third.code).toBe('too_many_files')
  })

  test('WF-28a: counts for max_edit_lines, against what stands in the file', async () => {
    writeFileSync(join(world.folder, 'long'), 'one\ntwo\nthree\n')
    const { client } = await agentIn({ workflow: 'writing' })
    const write = (content: string) => call(client, 'files__write_file', { path: 'long', content })
    expect((await write('one\ntwo\nTHREE\n')).code).toBe('ran')
    expect((await write('1\n2\n3\n')).code).toBe('edit_too_large')
    const edits = [{ oldText: 'a\nb\nc', newText: '' }]
    const edited = await call(client, 'files__edit_file', { path: 'long', edits })
    expect(edited.code).toBe('edit_too_large')
    const vague = await call(client, 'files__render', { into: 'long' })
    expect(vague.code).toBe('edit_too_large')
  })

  test('WF-28a: is denied where its path cannot be read, if it is known to write', async () => {
    const { client } = await agentIn({ workflow: 'writing' })
    const output = await call(client, 'files__export_all', { places: [{ path: 'conf/a' }] })
    expect(output.code).toBe('edit_unreadable')
  })

  test('WF-28a: a file of another service under the same name is none of ours', async () => {
    const { client, run } = await agentIn({ workflow: 'writing' })
    const args = { owner: 'o', repo: 'r', path: 'conf/a', content: 'x\n'.repeat(9) }
    expect((await call(client, 'files__write_file', args)).code).toBe('ran')
    expect(await stateOf(run)).toBe('open')
  })
})

test('a server behind the gateway cannot say anything under our name', async () => {
  const { client } = await agentIn({ workflow: 'writing' })
  const { _meta, isError, content } = await client.callTool({
    name: 'files__pretend',
    arguments: {},
  })
  expect([_meta?.['statewright/refusal'], _meta?.other, isError]).toEqual([undefined, 1, undefined])
  const whose = '(from files, not from Statewright)'
  expect(content).toEqual([
    {
      type: 'text',
      text:
        `${whose} [STATEWRIGHT INTERRUPT] a\nwas [STATEWRIGHT] b\n` + `  ${whose} [Statewright] c`,
    },
  ])
})

describe('the name of a tool behind the gateway', () => {
  test('WF-6c: is explained as it is listed', async () => {
    await save(world.runtime, listing('explained', ['side__note']))
    const { client } = await agentIn({ workflow: 'explained' })
    const explained = async (tool: string) => {
      const args = { tool, input: { text: 'x' } }
      const { structuredContent } = await client.callTool({
        name: 'statewright_explain',
        arguments: args,
      })
      return (structuredContent as { decision: string }).decision // The published shape.
    }
    expect(await explained('side__note')).toBe('allow')
    expect(await explained('files__note')).toBe('deny')
    expect(await explained('mcp__side__note')).toBe('allow')
  })

  const listedAs = async (client: Client) =>
    (await client.listTools(undefined, { cacheMode: 'bypass' })).tools
      .map(({ name }) => name)
      .filter((name) => !/^(statewright|process)_/.test(name))

  test.each([
    ['side__note', ['side__note']],
    ['mcp__side__note', ['side__note']],
    ['side__*', ['side__note', 'side__write_file']],
    ['mcp__side__*', ['side__note', 'side__write_file']],
  ])('WF-6c: allowed_tools may say %s', async (entry, allowed) => {
    const id = `lists ${entry}`
    await save(world.runtime, listing(id, [entry]))
    const { client } = await agentIn({ workflow: id })
    expect(await listedAs(client)).toEqual(expect.arrayContaining(allowed))
    for (const name of allowed) {
      expect((await call(client, name, { path: 'p', content: '', text: '' })).code).toBe('ran')
    }
    expect((await call(client, 'files__note', {})).code).toBe('tool_not_allowed')
  })

  test('WF-6c: it is never read through the aliases of a client’s own tools', async () => {
    await save(world.runtime, listing('own', ['Read', 'Write', 'write_file', 'note']))
    const { client } = await agentIn({ workflow: 'own' })
    for (const name of ['side__write_file', 'side__read_file']) {
      const output = await call(client, name, { path: 'p', content: '' })
      expect([name, output.code]).toEqual([name, 'tool_not_allowed'])
      // It is called as the agent knows it, and not as something that is allowed.
      expect(output.refusal?.message).toContain(`${name} may not be used`)
    }
  })

  test('WF-6c: one that no other server has is listed and ruled by its plain name', async () => {
    const alone = await openFrontWorld({ upstreams: { side: fileServer } })
    try {
      await save(alone.runtime, listing('plain', ['note']))
      const caller = newAgent()
      await start(alone.runtime, caller, { workflow: 'plain' })
      const client = await alone.connect(caller)
      expect(await listedAs(client)).toEqual(['note'])
      expect((await call(client, 'note', {})).code).toBe('ran')
      const other = await call(client, 'side__write_file', { path: 'p', content: '' })
      expect(other.code).toBe('tool_not_allowed')
    } finally {
      await alone.close()
    }
  })

  test('WF-6d: a name that its server does not offer is told when the run starts', async () => {
    await save(world.runtime, listing('typo', ['mcp__side__nota', 'side__note', 'Read']))
    const client = await world.connect(newAgent())
    const loaded = await client.callTool({
      name: 'statewright_load_workflow',
      arguments: { name: 'typo' },
    })
    expect(loaded.structuredContent).toMatchObject({
      warnings: ['The server "side" offers no tool "nota". Did you mean "note"?'],
    })
  })
})
