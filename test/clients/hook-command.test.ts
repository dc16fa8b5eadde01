import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { codexHooks } from '../../packages/server/src/client-settings/codex-install.ts'
import { valueAt } from '../../packages/server/src/client-settings/json-text.ts'
import {
  type ChildResult,
  runProgram,
  runStatewright,
} from '../../packages/server/testing/child.ts'
import { answerSigned, isSignedHook } from '../support/signed-answer.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-hook-'))
const keyFile = join(folder, 'key.json')
const key = 'sw_hook_key'
let server: Server | undefined

afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

async function answering(listener: RequestListener): Promise<void> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  writeKey(`http://127.0.0.1:${port}`)
}

function answeringText(
  listener: (request: IncomingMessage, response: ServerResponse, text: string) => void,
): Promise<void> {
  return answering((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => listener(request, response, text))
  })
}

function writeKey(url: string): void {
  writeFileSync(keyFile, JSON.stringify({ url, token: key, more: 'ignored' }))
}

const body = '{"hook_event_name":"PreToolUse","tool_name":"Write"}'

/** An environment that would lead anybody astray who listened to it. */
function hook(...args: string[]): Promise<ChildResult> {
  return hookOf(body, ...args)
}

function hookOf(input: string, ...args: string[]): Promise<ChildResult> {
  const environment = {
    PATH: '/usr/bin:/bin',
    STATEWRIGHT_URL: 'http://127.0.0.1:9',
    STATEWRIGHT_TOKEN: 'sw_person_x',
  }
  return runStatewright(['hook', ...args], { cwd: folder, environment, input })
}

describe('statewright hook', () => {
  test('SH-20: signs the hook with its own key and prints the answer as it is', async () => {
    const seen: unknown[] = []
    await answeringText((request, response, text) => {
      const { method, url, headers } = request
      const signed = isSignedHook(request, key, text)
      seen.push([method, url, signed, headers['statewright-hook'], text])
      answerSigned(request, response, key, '{"decision":"block","reason":"Größe"}')
    })
    const ran = await hook('claude-code', keyFile)
    expect(ran).toEqual({ code: 0, stdout: '{"decision":"block","reason":"Größe"}', stderr: '' })
    expect(seen).toEqual([['POST', '/hooks/claude-code', true, 'command', body]])
  })

  test('SH-20: signs a hook of every size alike', async () => {
    await answeringText((request, response, text) => {
      const answer = { signed: isSignedHook(request, key, text), bytes: text.length }
      answerSigned(request, response, key, JSON.stringify(answer))
    })
    for (const bytes of [0, 1, 54, 55, 56, 63, 64, 1000, 32_700, 32_800, 200_000]) {
      const { stdout } = await hookOf('x'.repeat(bytes), 'codex', keyFile)
      expect(stdout).toBe(JSON.stringify({ signed: true, bytes }))
    }
  })

  test.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end('{}')],
    ['an empty answer', (_request, response) => response.end()],
    ['words', (_request, response) => response.end('all is well')],
    ['a list', (_request, response) => response.end('[]')],
    ['an object of another program', (_request, response) => response.end('{}')],
    [
      'an object that says it is ours',
      (_request, response) =>
        response
          .setHeader('statewright-hook', 'answer')
          .setHeader('statewright-mac', '0'.repeat(64))
          .end('{}'),
    ],
    [
      'an answer signed with another key',
      (request, response) => answerSigned(request, response, 'sw_hook_other', '{}'),
    ],
    [
      'half an answer',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{}')
        response.destroy()
      },
    ],
    ['a broken connection', (request) => request.socket.destroy()],
  ])('%s blocks', async (_name, listener) => {
    await answering(listener)
    const { code, stdout, stderr } = await hook('claude-code', keyFile)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Statewright could not check this')
  })

  test.each([
    ['no server', () => writeKey('http://127.0.0.1:9'), [keyFile]],
    ['a key that is none', () => writeFileSync(keyFile, '{"url":"http://127.0.0.1:9"}'), [keyFile]],
    ['a file that is none', () => {}, [join(folder, 'none')]],
    ['no file', () => {}, []],
  ])('%s blocks', async (_name, prepare, args) => {
    prepare()
    const { code, stdout, stderr } = await hook('claude-code', ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Statewright could not check this')
  })

  test('a server that never answers blocks before any client loses patience', async () => {
    await answering(() => {})
    const { code, stdout, stderr } = await hook('codex', keyFile)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('no answer within 10 seconds')
  })

  test.each(['Stop', 'SubagentStop', 'PostToolUse', 'UserPromptSubmit', 'AfterTool'])(
    'a fault at %s holds nobody up: a turn that cannot end would go on for ever',
    async (name) => {
      writeKey('http://127.0.0.1:9')
      const { code, stdout, stderr } = await hookOf(
        `{"hook_event_name":"${name}"}`,
        'codex',
        keyFile,
      )
      expect([code, stdout]).toEqual([0, '{}'])
      expect(stderr).toContain('Statewright does not answer')
    },
  )

  test.each([
    ['garbage', 'Stop'],
    ['a hook without a name', '{}'],
    ['a name inside of an input', '{"tool_input":{"hook_event_name":"Stop"}}'],
    ['an unknown name', '{"hook_event_name":"BeforeEverything"}'],
    ['a name that is none', '{"hook_event_name":["Stop"]}'],
  ])('a fault at %s blocks, since it may be a call', async (_name, input) => {
    writeKey('http://127.0.0.1:9')
    expect((await hookOf(input, 'codex', keyFile)).code).toBe(2)
  })

  test('the line that clients are given blocks even when there is no program to run', async () => {
    const facts = {
      ...{ url: '', token: '', hookToken: '', commandFile: '', keyFile },
      node: '/opt/no such/node',
      hookFile: '/opt/none.cjs',
    }
    const [guard] = codexHooks(facts)
    const command = valueAt(guard?.value, ['hooks', 0, 'command'])
    const options = { cwd: folder, environment: { PATH: '/usr/bin:/bin' } }
    expect((await runProgram('/bin/sh', ['-c', String(command)], options)).code).toBe(2)
  })
})
