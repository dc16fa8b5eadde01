import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pluginText } from '../../packages/server/src/client-settings/opencode-install.ts'
import { answerSigned } from '../support/signed-answer.ts'

const key = 'sw_hook_key'
const folder = mkdtempSync(join(tmpdir(), 'statewright-plugin-'))
const keyFile = join(folder, 'key.json')
const facts = {
  url: '',
  token: '',
  hookToken: '',
  node: process.execPath,
  // Beside it stands what chooses the key of a call.
  hookFile: fileURLToPath(new URL('../../packages/server/bin/hook.cjs', import.meta.url)),
  commandFile: '/statewright.mjs',
  keyFile,
}
const mcp = {
  type: 'local',
  command: [process.execPath, '/statewright.mjs', 'mcp', '--key', keyFile],
  enabled: true,
}

interface Hooks {
  'tool.execute.before'(
    call: { tool: string; sessionID: string; callID: string },
    output: { args: Record<string, unknown> },
  ): Promise<void>
}

let server: Server | undefined
let load: (context: object) => Promise<Hooks>
let question: unknown[] = []

beforeAll(async () => {
  const file = join(folder, 'statewright.js')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(file, pluginText(facts))
  const module: { Statewright: typeof load } = await import(pathToFileURL(file).href)
  load = module.Statewright
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function answering(listener: RequestListener): Promise<void> {
  question = []
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      question.push(JSON.parse(text))
      listener(request, response)
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  writeFileSync(keyFile, JSON.stringify({ url: `http://127.0.0.1:${port}`, token: key }))
}

const says = (value: unknown) =>
  answering((request, response) => answerSigned(request, response, key, JSON.stringify(value)))

/** opencode as far as the plugin asks it: one session below another. */
function context(config: object = { mcp: { statewright: mcp, fs: { type: 'remote', url: 'x' } } }) {
  const parents = new Map([
    ['child', 'top'],
    ['grandchild', 'child'],
  ])
  return {
    directory: '/w',
    client: {
      session: {
        get: async ({ path }: { path: { id: string } }) => ({
          data: { id: path.id, parentID: parents.get(path.id) },
        }),
      },
      config: { get: async () => ({ data: config }) },
      tool: { ids: async () => ({ data: ['write', 'bash', 'fs_known'] }) },
    },
  }
}

async function call(tool = 'write', session = 'top', given = context()): Promise<object> {
  const hooks = await load(given)
  const args: Record<string, unknown> = { filePath: 'a' }
  await hooks['tool.execute.before']({ tool, sessionID: session, callID: 'c' }, { args })
  return args
}

describe('the plugin for opencode', () => {
  test('lets a call run on a well-formed allow, and on nothing else', async () => {
    await says({ decision: 'allow' })
    expect(await call()).toEqual({ filePath: 'a' })
    expect(question).toEqual([
      {
        event: 'tool.before',
        tool: 'write',
        to_us: false,
        call: 'c',
        args: { filePath: 'a' },
        session: 'top',
        root: 'top',
        directory: '/w',
      },
    ])
  })

  test('takes another input in the place of the old one', async () => {
    await says({ decision: 'allow', args: { command: 'x' } })
    expect(await call()).toEqual({ command: 'x' })
  })

  test('tells the model why a call was denied', async () => {
    await says({ decision: 'deny', reason: 'tool_not_allowed: no' })
    await expect(call()).rejects.toThrow('tool_not_allowed: no')
  })

  test.each([
    {},
    [],
    null,
    'allow',
    { decision: true },
    { decision: 'ask' },
    { decision: 'ALLOW' },
    { decision: 'allow', args: [] },
    { decision: 'allow', args: 'x' },
    { decision: 'deny' },
    { ok: true },
  ])('%j is no allow', async (answer) => {
    await says(answer)
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
  })

  test.each<[string, RequestListener]>([
    ['an error status', (_, response) => response.writeHead(500).end('{"decision":"allow"}')],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: '/x' }).end('{"decision":"allow"}'),
    ],
    ['an allow that nobody signed', (_, response) => response.end('{"decision":"allow"}')],
    [
      'an allow signed with another key',
      (request, response) => answerSigned(request, response, 'sw_hook_x', '{"decision":"allow"}'),
    ],
    ['nothing at all', (_, response) => response.end()],
    ['words', (_, response) => response.end('allow')],
    ['two values', (_, response) => response.end('{"decision":"allow"}{}')],
    [
      'half of an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"decision":"allow"}')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['a hang-up', (_, response) => response.destroy()],
  ])('%s is no allow', async (_, listener) => {
    await answering(listener)
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
  })

  test('no server, no key and no session are no allow', async () => {
    writeFileSync(keyFile, JSON.stringify({ url: 'http://127.0.0.1:1', token: key }))
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
    writeFileSync(keyFile, '{}')
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
    rmSync(keyFile)
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
    await says({ decision: 'allow' })
    const given = context()
    given.client.session.get = () => Promise.reject(new Error('gone'))
    await expect(call('write', 'top', given)).rejects.toThrow(
      /^Denied: (the answer of the )?Statewright /,
    )
  })

  test('names the session that a person opened, and the sub-agent in it', async () => {
    await says({ decision: 'allow' })
    await call('write', 'grandchild')
    expect(question).toMatchObject([{ session: 'grandchild', root: 'top' }])
  })

  test('tells tools of servers apart, and ours only by the entry that install made', async () => {
    await says({ decision: 'allow' })
    await call('fs_read')
    // A tool of opencode itself that is named like one of a server.
    await call('fs_known')
    await call('statewright_statewright_transition')
    const other = { mcp: { statewright: { ...mcp, command: ['/evil'] } } }
    await call('statewright_statewright_transition', 'top', context(other))
    expect(question).toMatchObject([
      { tool: 'read', server: 'fs', to_us: false },
      { tool: 'fs_known', to_us: false },
      { tool: 'statewright_transition', to_us: true },
      { tool: 'statewright_transition', server: 'statewright', to_us: false },
    ])
    expect(question[1]).not.toHaveProperty('server')
  })

  test('waits no longer than its deadline, and then refuses', { timeout: 30_000 }, async () => {
    await answering(() => {})
    await expect(call()).rejects.toThrow(/^Denied: (the answer of the )?Statewright /)
  })
})
